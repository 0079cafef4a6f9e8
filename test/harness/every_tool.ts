import type { Company } from './harness.ts'

/** Describes the ids of one record of every kind, of one company. */
export type Records = Record<
  'user' | 'customer' | 'contact' | 'location' | 'tag' | 'note' | 'job' | 'series' | 'invoice' | 'quote' | 'item' | 'bundle' | 'parent' | 'category' | 'plan' | 'rate', string
>

const inDays = (days: number): string => Temporal.Now.plainDateISO('UTC').add({ days }).toString()

/** Makes a record of every kind; `word` stands in every text of them. */
export async function makeRecords({ call, owner }: Company, word: string): Promise<Records> {
  const make = async (tool: string, given: object): Promise<string> => (await call(tool, given)).id
  const rate = await make('tax_rates_create', { name: `${word} rate`, rate_percentage: 8.25, is_default: true })
  const tag = await make('tags_create', { name: `${word} tag` })
  const { id: customer, contacts, locations } = await call('customers_create', {
    customer_type: 'individual', first_name: word, last_name: 'Customer', email: `${word.toLowerCase()}@example.com`, phone: '512-555-0143', tag_ids: [tag],
    lead_source: word, fields: { note: word }, locations: [{ address_line1: `${word} Street`, access_notes: word, tax_rate_id: rate }],
  })
  const [contact, location] = [contacts[0].id, locations[0].id]
  const parent = await make('catalog_categories_create', { name: `${word} parent` })
  const category = await make('catalog_categories_create', { name: `${word} category`, parent_id: parent })
  const item = await make('catalog_items_create', {
    kind: 'service', name: `${word} item`, unit_price_cents: 10_000, category_id: category, tax_rate_id: rate, cost_cents: 77, supplier_name: word,
  })
  const bundle = await make('catalog_items_create', { kind: 'bundle', name: `${word} bundle`, components: [{ catalog_item_id: item, quantity: 2 }] })
  const line_items = [{ catalog_item_id: item, name: `${word} line` }]
  const quote = await make('quotes_create', {
    customer_id: customer, title: `${word} quote`, location_id: location, contact_id: contact, line_items, tax_rate_id: rate,
  })
  const job = await make('jobs_create', {
    customer_id: customer, title: `${word} job`, quote_id: quote, line_items, assignees: [owner.id], scheduled_start: `${inDays(1)}T09:00`,
  })
  const series = await make('job_series_create', {
    customer_id: customer, title: `${word} series`, rrule: 'FREQ=MONTHLY', dtstart: `${inDays(1)}T09:00`, line_items, assignees: [owner.id],
  })
  const invoice = await make('invoices_create', { customer_id: customer, subject: `${word} invoice`, line_items, job_ids: [job], quote_id: quote })
  const plan = await make('plans_create', { customer_id: customer, name: `${word} plan`, cadence: 'monthly', line_items, start_date: inDays(2) })
  const note = await make('notes_create', { body: `${word} note`, subject_type: 'customer', subject_id: customer })
  return { user: owner.id, customer, contact, location, tag, note, job, series, invoice, quote, item, bundle, parent, category, plan, rate }
}

let serial = 0
const fresh = (): string => `Made ${++serial}`

const lines = (of: Records) => [{ catalog_item_id: of.item, tax_rate_id: of.rate }]
const work = (of: Records) => ({ location_id: of.location, contact_id: of.contact, assignees: [of.user], line_items: lines(of) })
const paper = (of: Records) => ({ location_id: of.location, contact_id: of.contact, tax_rate_id: of.rate, line_items: lines(of) })
const byId = (kind: keyof Records) => (of: Records): object[] => [{ id: of[kind] }]

/** Arguments that each tool takes, which name as many records as it can. */
export const ARGUMENTS: Readonly<Record<string, (of: Records) => object[]>> = {
  customers_search: (of) => [{ tag: of.tag }, {}],
  customers_get: byId('customer'),
  customers_create: (of) => [{
    customer_type: 'individual', first_name: fresh(), tag_ids: [of.tag], locations: [{ address_line1: '1 Main', tax_rate_id: of.rate }],
  }],
  customers_update: (of) => [{ id: of.customer, lead_source: 'x' }],
  customers_archive: byId('customer'),
  contacts_list: (of) => [{ customer_id: of.customer }],
  contacts_get: byId('contact'),
  contacts_create: (of) => [{ customer_id: of.customer, first_name: fresh(), is_primary: true }],
  contacts_update: (of) => [{ id: of.contact, customer_id: of.customer, role_label: 'x' }],
  contacts_archive: byId('contact'),
  locations_list: (of) => [{ customer_id: of.customer }],
  locations_get: byId('location'),
  locations_create: (of) => [{ customer_id: of.customer, address_line1: fresh(), tax_rate_id: of.rate, is_primary: true }],
  locations_update: (of) => [{ id: of.location, customer_id: of.customer, tax_rate_id: of.rate, name: 'x' }],
  locations_archive: byId('location'),
  tags_list: () => [{}],
  tags_get: byId('tag'),
  tags_create: () => [{ name: fresh() }],
  tags_update: (of) => [{ id: of.tag, color: '#123456' }],
  tags_delete: byId('tag'),
  notes_list: (of) => [{ subject_type: 'customer', subject_id: of.customer, author_id: of.user }, {}],
  notes_get: byId('note'),
  notes_create: (of) => ([
    'customer', 'contact', 'location', 'job', 'invoice', 'quote', 'plan',
  ] as const).map((subject_type) => ({ body: 'x', subject_type, subject_id: of[subject_type] }))
    .concat([{ body: 'x', subject_type: 'job_series' as 'job', subject_id: of.series }, { body: 'x', subject_type: 'catalog_item' as 'job', subject_id: of.item }]),
  notes_update: (of) => [{ id: of.note, body: 'x', subject_type: 'customer', subject_id: of.customer }],
  notes_archive: byId('note'),
  jobs_list: (of) => [{ customer_id: of.customer, location_id: of.location, assignee: of.user }, { seriesId: of.series }, { series_id: of.series }, {}],
  jobs_get: byId('job'),
  jobs_create: (of) => [{ customer_id: of.customer, title: fresh(), quote_id: of.quote, ...work(of) }],
  jobs_update: (of) => [{ id: of.job, customer_id: of.customer, quote_id: of.quote, description: 'x', ...work(of) }],
  jobs_cancel: byId('job'),
  job_series_list: (of) => [{ customer_id: of.customer }, {}],
  job_series_get: byId('series'),
  job_series_create: (of) => [{ customer_id: of.customer, title: fresh(), rrule: 'FREQ=MONTHLY;COUNT=2', dtstart: `${inDays(3)}T09:00`, ...work(of) }],
  job_series_update: (of) => [{ id: of.series, customer_id: of.customer, description: 'x', ...work(of) }],
  job_series_end: byId('series'),
  invoices_list: (of) => [{ customer_id: of.customer, job_id: of.job }, {}],
  invoices_get: byId('invoice'),
  invoices_create: (of) => [
    {
      customer_id: of.customer, job_ids: [of.job], quote_id: of.quote, ...paper(of),
    }, { customer_id: of.customer, from_job_id: of.job }, { customer_id: of.customer, from_quote_id: of.quote },
  ],
  invoices_update: (of) => [{ id: of.invoice, customer_id: of.customer, quote_id: of.quote, job_ids: [of.job], subject: 'x', ...paper(of) }],
  invoices_void: byId('invoice'),
  quotes_list: (of) => [{ customer_id: of.customer, owner_id: of.user }, {}],
  quotes_get: byId('quote'),
  quotes_create: (of) => [{ customer_id: of.customer, title: fresh(), ...paper(of) }],
  quotes_update: (of) => [{ id: of.quote, customer_id: of.customer, message: 'x', ...paper(of) }],
  quotes_archive: byId('quote'),
  catalog_items_list: (of) => [{ category_id: of.category, include_descendants: true }, {}],
  catalog_items_get: (of) => [{ id: of.item }, { id: of.bundle }],
  catalog_items_create: (of) => [
    {
      kind: 'product', name: fresh(), unit_price_cents: 1, category_id: of.category, tax_rate_id: of.rate,
    }, { kind: 'bundle', name: fresh(), components: [{ catalog_item_id: of.item }] },
  ],
  catalog_items_update: (of) => [
    { id: of.item, category_id: of.category, tax_rate_id: of.rate, description: 'x' }, { id: of.bundle, components: [{ catalog_item_id: of.item }] },
  ],
  catalog_items_archive: byId('bundle'),
  catalog_categories_list: (of) => [{ parent_id: of.parent }, {}],
  catalog_categories_get: byId('category'),
  catalog_categories_create: (of) => [{ name: fresh(), parent_id: of.parent }],
  catalog_categories_update: (of) => [{ id: of.category, parent_id: of.parent, position: 2 }],
  catalog_categories_delete: byId('category'),
  plans_list: (of) => [{ customer_id: of.customer }, {}],
  plans_get: byId('plan'),
  plans_create: (of) => [{ customer_id: of.customer, name: fresh(), cadence: 'annual', location_id: of.location, tax_rate_id: of.rate, line_items: lines(of) }],
  plans_update: (of) => [{ id: of.plan, customer_id: of.customer, location_id: of.location, tax_rate_id: of.rate, line_items: lines(of), description: 'x' }],
  plans_cancel: byId('plan'),
  tax_rates_list: () => [{ include_archived: true }],
  tax_rates_get: byId('rate'),
  tax_rates_create: () => [{ name: fresh(), rate_percentage: 1 }],
  tax_rates_update: (of) => [{ id: of.rate, name: 'x' }],
  tax_rates_archive: byId('rate'),
}
