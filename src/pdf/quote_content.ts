import type { Company } from '../identity/companies/company.ts'
import type { Quote } from '../records/quotes/index.ts'
import { say } from '../platform/i18n/say.ts'
import type { LineItem } from '../records/line_items/line.ts'
import type { Totals } from '../records/page/document.ts'
import { money, shortDay } from '../records/format/formats.ts'
import type { PdfDocumentData } from './document.ts'
import { exemptionNote, toAddressBlocks, toPriceTable, toSums, type PdfRecipient, type PdfContent } from './content.ts'

/** Values of a quote for its document: only the line details that its customer was shown. */
export type QuoteDocument = Omit<Quote, 'line_items' | 'taxes' | 'optional_lines'> &
  Pick<Totals, 'line_items' | 'taxes'> & {
    optional_lines: readonly Pick<LineItem, 'name' | 'line_total_cents'>[] | null
  }

/** Returns the content of a quote for its customer, with a line to sign while it can be accepted. */
export const toQuoteContent = (quote: QuoteDocument, to: PdfRecipient, company: Company): PdfContent => ({
  name: say`Quote`,
  number: quote.display_number,
  at: quote.updated_at,
  status: statusOf(quote),
  headline: {
    amount: money(quote.total_cents, quote.currency),
    detail: say`valid until ${shortDay(quote.valid_until)}`,
  },
  addressBlocks: toAddressBlocks(say`Prepared for`, quote, to, company),
  facts: [
    { label: say`Date`, value: shortDay(quote.issue_date) },
    { label: say`Valid until`, value: shortDay(quote.valid_until) },
    { label: say`Your contact`, value: quote.owner_name },
  ],
  title: quote.title,
  message: quote.message,
  table: toPriceTable(quote, quote.currency),
  sums: toSums(quote, quote.currency),
  sumsNote: exemptionNote(quote),
  parts: [
    ...(quote.optional_lines === null
      ? []
      : [{ title: say`Optional, not in the total`, text: optionalText(quote.optional_lines, quote.currency) }]),
    ...(quote.terms === null ? [] : [{ title: say`Terms`, text: quote.terms }]),
  ],
  signature:
    quote.status === 'draft' || quote.status === 'sent'
      ? { statement: say`I accept this quote and its terms.`, blanks: [say`Signature`, say`Name`, say`Date`] }
      : undefined,
})

const optionalText = (lines: NonNullable<QuoteDocument['optional_lines']>, currency: string): string =>
  lines.map(({ name, line_total_cents }) => `${name}: ${money(line_total_cents, currency)}`).join('\n')

function statusOf({ status }: Pick<Quote, 'status'>): PdfDocumentData['status'] {
  if (status === 'draft') return { text: say`Draft`, look: 'open' }
  if (status === 'accepted') return { text: say`Accepted`, look: 'done' }
  if (status === 'declined') return { text: say`Declined`, look: 'ended' }
  return status === 'expired' ? { text: say`Expired`, look: 'ended' } : undefined
}
