import { makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, type Company, type TestService } from '../harness/harness.ts'

/** Refusal for docs/spec/interface.md#helpful-messages, and what its message must contain. */
export type Refused = {
  tool: string
  given: object
  code?: 'invalid_input' | 'not_found' | 'conflict'
  /** Path of the field, or the record that causes the conflict. */
  field: string
  rule: string
  /** Value or state that broke the rule. Undefined if nothing was sent. */
  got?: string | undefined
  /** What to do instead. Undefined if the rule already says what to send. */
  way?: string | undefined
  by?: 'office' | undefined
}

/** Rule in the refusal of a phone number, for customers and contacts. */
export const PHONE_RULE = 'must be a phone number with area code, or with country code such as +44 20 7946 0958'

export type Scene = Awaited<ReturnType<typeof makeScene>>

/** Makes a company with an ended record of each kind, and another customer with documents. */
export async function makeScene(service: TestService) {
  const company = await makeCompany(service)
  const of = await makeRecords(company, 'Harbor')
  const [office, over, other] = await Promise.all([company.member('office'), makeOver(company, of), makeOther(company)])
  return { company, of, office, over, other }
}

/** Returns a day relative to the company's today, which is west of UTC. */
export const day = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

export const visit = { name: 'Visit', unit_price_cents: 100 }

async function makeOver({ call }: Company, of: Records) {
  const make = async (tool: string, given: object): Promise<string> => (await call(tool, given)).id
  const quoteIn = async (...statuses: string[]): Promise<string> => {
    const id = await make('quotes_create', { customer_id: of.customer, title: 'Roof', line_items: [visit] })
    for (const status of statuses) await call('quotes_update', { id, status })
    return id
  }
  const [job, series, invoice, sent, plan, item, rate, customer, discount] = [
    await make('jobs_create', { customer_id: of.customer, title: 'Off' }),
    await make('job_series_create', {
      customer_id: of.customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${day(1)}T09:00`,
    }),
    await make('invoices_create', { customer_id: of.customer, line_items: [visit] }),
    await make('invoices_create', { customer_id: of.customer, line_items: [visit] }),
    await make('plans_create', { customer_id: of.customer, name: 'Care', cadence: 'weekly', line_items: [visit] }),
    await make('catalog_items_create', { kind: 'fee', name: 'Gone', unit_price_cents: 1 }),
    await make('tax_rates_create', { rate_percentage: 1 }),
    await make('customers_create', { customer_type: 'individual', first_name: 'Gone' }),
    await make('catalog_items_create', {
      kind: 'discount',
      name: 'Tenth',
      discount_type: 'percent',
      discount_value: 10,
    }),
  ]
  await call('jobs_cancel', { id: job })
  await call('job_series_end', { id: series })
  await call('invoices_void', { id: invoice })
  await call('invoices_update', { id: sent, status: 'sent' })
  await call('plans_cancel', { id: plan })
  await call('catalog_items_archive', { id: item })
  await call('tax_rates_archive', { id: rate })
  await call('customers_archive', { id: customer })
  const [declined, accepted, expired] = [
    await quoteIn('declined'),
    await quoteIn('accepted'),
    await quoteIn('sent', 'expired'),
  ]
  return { job, series, invoice, sent, plan, item, rate, customer, discount, declined, accepted, expired }
}

async function makeOther({ call }: Company) {
  const {
    id: customer,
    contacts,
    locations,
  } = await call('customers_create', {
    customer_type: 'company',
    company_name: 'Far Away',
    external_id: 'A-1',
    contacts: [{ first_name: 'Kim' }],
    locations: [{ address_line1: '9 Far Road' }],
  })
  const [job, quote, tag, category, item] = await Promise.all([
    call('jobs_create', { customer_id: customer, title: 'Far' }),
    call('quotes_create', { customer_id: customer, title: 'Far' }),
    call('tags_create', { name: 'Spare' }),
    call('catalog_categories_create', { name: 'Spare' }),
    call('catalog_items_create', { kind: 'fee', name: 'Spare', unit_price_cents: 1, sku: 'S-1' }),
  ])
  const note = await call('notes_create', { body: 'Of the owner.' })
  return {
    customer,
    contact: contacts[0].id as string,
    location: locations[0].id as string,
    job: job.id as string,
    quote: quote.id as string,
    tag: tag.id as string,
    category: category.id as string,
    item: item.id as string,
    note: note.id as string,
  }
}
