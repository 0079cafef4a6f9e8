import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice } from '../../harness/identity/people_pages.ts'

const LINES = [
  { name: 'Boiler service', unit_price_cents: 15_000 },
  { name: 'Labor', kind: 'labor', quantity: 2.5, unit: 'hour', unit_price_cents: 8_500 },
]

export type Documents = Awaited<ReturnType<typeof openDocuments>>

/** Opens a company with a tax rate and a customer, and returns helpers for two-line invoices and quotes. */
export async function openDocuments(service: TestService) {
  const office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  const customer = await office.customer('Dora', {
    last_name: 'Vance',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '9 Elm St', city: 'Austin', region: 'TX' }],
  })
  const common = { customer_id: customer.id, line_items: LINES }
  return {
    office,
    customer,
    invoiceOf: (more: object = {}): Promise<Result> => office.call('invoices_create', { ...common, ...more }),
    quoteOf: (more: object = {}): Promise<Result> =>
      office.call('quotes_create', { ...common, title: 'New boiler', ...more }),
  }
}
