import { entities } from '../../../src/records/index.ts'
import { ARGUMENTS, makeRecords } from './every_tool.ts'
import type { Company } from '../harness.ts'

export const inDays = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

/** Makes records with as many fields set as possible, by singular name. Entities outside the contract use examples. */
export async function makeFullRecords(company: Company): Promise<Record<string, string[]>> {
  const full = await makeContractRecords(company)
  const others = entities.filter(({ singular }) => full[singular] === undefined)
  if (others.length === 0) return full
  const records = await makeRecords(company, 'Full')
  return {
    ...full,
    ...Object.fromEntries(
      others.map(({ name, singular }) => [
        singular,
        ARGUMENTS[`${name}_get`]!(records).map((given) => (given as { id: string }).id),
      ]),
    ),
  }
}

async function makeContractRecords(company: Company): Promise<Record<string, string[]>> {
  const make = async (tool: string, given: object): Promise<string> => (await company.call(tool, given)).id
  const fields = { zone: 'north', age: 12, gate: true, 'a b': null }
  const rate = await make('tax_rates_create', { name: 'City rate', rate_percentage: 8.25, is_default: true })
  const tag = await make('tags_create', { name: 'Pool', color: '#a0b1c2' })
  const {
    id: customer,
    contacts: [contact],
    locations: [location],
  } = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Zoë',
    last_name: 'Reyes',
    status: 'lead',
    lead_source: 'Fair',
    tax_exempt: false,
    payment_terms_days: 10,
    do_not_service: false,
    preferred_language: 'es-MX',
    external_id: 'c-1',
    fields,
    tag_ids: [tag],
    contacts: [
      {
        first_name: 'Zoë',
        last_name: 'Reyes',
        role_label: 'Owner',
        email: 'zoe@example.com',
        phone: '512.555.0143 x12',
        notes: 'Rings\ntwice',
      },
    ],
    locations: [
      {
        name: 'Lake house',
        address_line1: '1 Main St',
        address_line2: 'Unit 2',
        city: 'Austin',
        region: 'TX',
        postal_code: '78701',
        latitude: 30.25,
        longitude: -97.75,
        access_notes: 'Gate 12',
        tax_rate_id: rate,
      },
    ],
  })
  const second = await make('contacts_create', { customer_id: customer, first_name: 'Bo' })
  const firm = await make('customers_create', { customer_type: 'company', company_name: 'Acme Über', status: 'lead' })
  const parent = await make('catalog_categories_create', { name: 'Pools' })
  const category = await make('catalog_categories_create', { name: 'Pumps', parent_id: parent, position: 3 })
  const visit = await make('catalog_items_create', {
    kind: 'service',
    name: 'Visit',
    description: 'A visit',
    sku: 'v-1',
    category_id: category,
    unit: 'visit',
    unit_price_cents: 10_000,
    tax_rate_id: rate,
    image_url: 'https://example.com/a.png',
    duration_minutes: 30,
    cost_cents: 77,
    supplier_name: 'Supply',
    supplier_sku: 's-1',
    supplier_url: 'https://example.com',
    fields,
  })
  const product = await make('catalog_items_create', {
    kind: 'product',
    name: 'Pump',
    unit_price_cents: 5,
    manufacturer: 'Acme',
    model: 'P1',
    barcode: '123',
    taxable: false,
  })
  const bundle = await make('catalog_items_create', {
    kind: 'bundle',
    name: 'Set',
    components: [{ catalog_item_id: visit, quantity: 2.5 }, { catalog_item_id: product }],
  })
  const fixed = await make('catalog_items_create', {
    kind: 'bundle',
    name: 'Deal',
    pricing: 'fixed',
    unit_price_cents: 9,
    components: [{ catalog_item_id: product }],
  })
  const off = await make('catalog_items_create', {
    kind: 'discount',
    name: 'Spring',
    discount_type: 'percent',
    discount_value: 7.5,
  })
  const line_items = [
    { catalog_item_id: visit, name: 'Pump visit', quantity: 1.5, description: 'Twice' },
    { name: 'Fee', kind: 'fee', unit_price_cents: 250, taxable: false, tax_rate_id: null },
    { kind: 'discount', name: 'Off', discount_type: 'amount', discount_value: 5 },
    { kind: 'discount', name: 'None', discount_type: 'percent', discount_value: 0 },
  ]
  const work = {
    customer_id: customer,
    description: 'Twice',
    instructions: 'Shoes off',
    priority: 'high',
    duration_minutes: 45,
    arrival_window_minutes: 30,
    line_items,
    assignees: [company.owner.id],
  }
  const paper = {
    customer_id: customer,
    line_items,
    discount: { type: 'percent', value: 7.5 },
    tax_rate_id: rate,
    location_id: location.id,
  }
  const job = await make('jobs_create', { ...work, title: 'Pump', scheduled_start: `${inDays(3)}T09:00`, fields })
  const done = await make('jobs_create', { ...work, title: 'Done', scheduled_start: `${inDays(-3)}T09:00` })
  await company.call('jobs_update', { id: done, status: 'done' })
  const loose = await make('jobs_create', { customer_id: customer, title: 'Some time' })
  const allDay = await make('jobs_create', {
    customer_id: customer,
    title: 'A day',
    all_day: true,
    scheduled_start: `${inDays(4)}T00:00`,
  })
  const series = await make('job_series_create', {
    ...work,
    title: 'Weekly',
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TH',
    dtstart: `${inDays(1)}T09:00`,
    end_date: inDays(300),
  })
  const invoice = await make('invoices_create', {
    ...paper,
    job_ids: [job, done],
    subject: 'May',
    issue_date: inDays(0),
    due_date: inDays(9),
    po_number: 'PO 1',
    message: 'Thanks',
    internal_memo: 'Late',
    fields,
  })
  const plain = await make('invoices_create', {
    customer_id: customer,
    line_items: [{ name: 'Call', unit_price_cents: 100 }],
  })
  const statuses: string[] = []
  for (const status of ['sent', 'partially_paid', 'paid', 'uncollectible']) {
    statuses.push(await make('invoices_create', { ...paper, subject: status }))
    await company.call('invoices_update', { id: statuses.at(-1), status })
  }
  const quote = await make('quotes_create', {
    ...paper,
    title: 'Pump',
    valid_until: inDays(9),
    issue_date: inDays(0),
    message: 'Hi',
    terms: 'Net',
    fields,
  })
  const moved: string[] = []
  for (const status of ['sent', 'accepted', 'declined']) {
    moved.push(await make('quotes_create', { ...paper, title: status }))
    await company.call('quotes_update', {
      id: moved.at(-1),
      status,
      ...(status === 'declined' ? { decline_reason: 'Dear' } : {}),
    })
  }
  const plan = await make('plans_create', {
    ...paper,
    name: 'Care',
    cadence: 'monthly',
    description: 'All',
    start_date: inDays(2),
    end_date: inDays(700),
  })
  const paused = await make('plans_create', { ...paper, name: 'Lawn', cadence: 'weekly', auto_invoice: 'none' })
  await company.call('plans_update', { id: paused, status: 'paused' })
  const note = await make('notes_create', { body: 'Bring a pump\nand a hose', subject_type: 'job', subject_id: job })
  await company.call('customers_update', { id: customer, status: 'lead' })
  return {
    customer: [customer, firm],
    contact: [contact.id, second],
    location: [location.id],
    tag: [tag],
    note: [note],
    job: [job, done, loose, allDay],
    job_series: [series],
    invoice: [invoice, plain, ...statuses],
    quote: [quote, ...moved],
    catalog_item: [visit, product, bundle, fixed, off],
    catalog_category: [parent, category],
    plan: [plan, paused],
    tax_rate: [rate],
  }
}
