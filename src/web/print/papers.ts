import type { Invoice } from '../../entities/invoices/index.ts'
import type { Quote } from '../../entities/quotes/index.ts'
import type { Totals } from '../../screens/document.ts'
import { day, words } from '../../screens/formats.ts'

/** Describes a priced document as its customer gets it. */
export type Paper = {
  kind: 'Invoice' | 'Quote'
  number: string
  /** Is shown beside the number unless it is simply in force: a draft, a void one. */
  mark: string | undefined
  title: string | null
  customer_name: string
  contact_id: string | null
  address: string | null
  facts: readonly (readonly [label: string, value: string])[]
  totals: Totals
  /** Follows the total: paid, to pay; in cents. */
  settled: readonly (readonly [label: string, cents: number])[]
  currency: string
  tax_exempt: boolean
  message: string | null
  terms: string | null
}

export const invoicePaper = (invoice: Invoice): Paper => ({
  ...shared(invoice),
  kind: 'Invoice',
  mark: ['draft', 'void', 'paid'].includes(invoice.status) ? words(invoice.status) : undefined,
  title: invoice.subject,
  terms: null,
  facts: [
    ['Date', day(invoice.issue_date)],
    ['Due', day(invoice.due_date)],
    ...(invoice.po_number === null ? [] : [['Purchase order', invoice.po_number] as const]),
  ],
  settled:
    invoice.status === 'void' || invoice.amount_paid_cents !== 0
      ? [
          ['Paid', -invoice.amount_paid_cents],
          ['To pay', invoice.balance_due_cents],
        ]
      : [],
})

export const quotePaper = (quote: Quote): Paper => ({
  ...shared(quote),
  kind: 'Quote',
  mark: ['sent', 'archived'].includes(quote.status) ? undefined : words(quote.status),
  title: quote.title,
  terms: quote.terms,
  facts: [
    ['Date', day(quote.issue_date)],
    ['Valid until', day(quote.valid_until)],
    ['Your contact', quote.owner_name],
  ],
  settled: [],
})

const shared = (document: Invoice | Quote) => ({
  number: document.display_number,
  customer_name: document.customer_name,
  contact_id: document.contact_id,
  address: document.location_address,
  totals: document,
  currency: document.currency,
  tax_exempt: document.tax_exempt,
  message: document.message,
})
