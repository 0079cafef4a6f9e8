import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Result } from '../harness.ts'

/**
 * A call of a history. Texts that begin with @ stand for a record: `@job:4` for one of those that are there by then,
 * `@part:4` for what a bundle may hold,
 * `@job:foreign` for one of another tenant; `~` in a text becomes a number of its own.
 */
export type Command = { by: string; tool: string; given: Result }

const LEFT_OUT = Symbol('left out')

/** An object of these fields, of which those that are not required are mostly left out. */
const record = (shape: Record<string, Arbitrary<unknown>>, ...required: string[]): Arbitrary<Result> =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([field, value]) => [field, required.includes(field) ? value : rarely(value)])))
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== LEFT_OUT)))

const rarely = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(LEFT_OUT) }, { weight: 2, arbitrary: value })

/** Every eighth reference strays: to any record of the kind, archived and other customers' among them. */
const ref = (kind: string): Arbitrary<string> => fc.oneof(
  { weight: 40, arbitrary: fc.nat(31).map((n) => `@${kind}:${n}`) },
  { weight: 1, arbitrary: fc.constant(`@${kind}:foreign`) },
  { weight: 1, arbitrary: fc.constant(`@${kind}:unknown`) },
)
const orNull = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 })
const words = (...some: string[]): Arbitrary<string> => fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: fc.constant(' ') })
const title = words('Visit ~', '  Pump # ')

const actor = fc.oneof(
  { weight: 20, arbitrary: fc.constant('ana') }, { weight: 3, arbitrary: fc.constant('ben') }, { weight: 4, arbitrary: fc.constant('office') },
  { weight: 3, arbitrary: fc.constant('tech') }, { weight: 2, arbitrary: fc.constant('robot') }, { weight: 1, arbitrary: fc.constant('stranger') },
)

const id = { id: fc.nat() }
const target = (kind: string, more: Record<string, Arbitrary<unknown>> = {}): Arbitrary<Result> => record({ ...id, ...more, id: ref(kind) }, 'id')

const contact = record({ first_name: words('Kim ~'), email: fc.constant('p~@example.com'), is_primary: fc.boolean() }, 'first_name')
const place = { address_line1: words('~ Elm St'), type: fc.constantFrom('service', 'billing'), tax_rate_id: orNull(ref('rate')), is_primary: fc.boolean() }
const status = fc.constantFrom('lead', 'active', 'inactive')
const customerMore = { status, external_id: orNull(fc.constantFrom('x-1', 'x-2', 'x-3')), tax_exempt: fc.boolean(), payment_terms_days: orNull(fc.constantFrom(0, 30)) }
const nested = {
  contacts: fc.array(contact, { maxLength: 2 }), tag_ids: fc.uniqueArray(ref('tag'), { maxLength: 2 }),
  locations: fc.array(record({ ...place, address_line1: fc.constant('~ Nested Rd') }, 'address_line1'), { maxLength: 3 }),
}

const quantity = fc.constantFrom(1, 2, 3.25, 1.005, 0.001)
const price = fc.constantFrom(0, 100, 333, 8735, 15_000)
const typedLine = record({ name: fc.constant('Part ~'), quantity, unit_price_cents: price, taxable: fc.boolean(), tax_rate_id: orNull(ref('rate')) }, 'name', 'unit_price_cents')
const off = fc.oneof(record({ type: fc.constant('percent'), value: fc.constantFrom(10, 15, 33.3333, 90) }, 'type', 'value'), record({ type: fc.constant('amount'), value: fc.constantFrom(1, 1, 99, 5000) }, 'type', 'value'))
const line = fc.oneof(
  { weight: 5, arbitrary: typedLine },
  { weight: 2, arbitrary: record({ catalog_item_id: ref('item'), taxable: fc.boolean() }, 'catalog_item_id').map(({ catalog_item_id }) => ({ catalog_item_id })) },
  { weight: 1, arbitrary: off.map(({ type, value }) => ({ kind: 'discount', name: 'Off ~', discount_type: type, discount_value: value })) },
)
const lines = fc.oneof({ weight: 6, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }) }, { weight: 1, arbitrary: fc.constant([]) })
const priced = { line_items: lines, discount: orNull(off), tax_rate_id: orNull(ref('rate')), location_id: orNull(ref('location')) }

const start = fc.constantFrom('2027-03-02T14:00:00.000Z', '2027-11-07T05:30:00.000Z')
const end = fc.constantFrom('2027-03-02T15:30:00.000Z', '2027-11-07T06:30:00.000Z')
const schedule = { scheduled_end: end, duration_minutes: fc.constantFrom(60, 90) }
const jobMore = { title, location_id: orNull(ref('location')), contact_id: orNull(ref('contact')), line_items: lines }
const JOB_STATUSES = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold', 'done', 'done', 'cancelled'] as const
const subjects = fc.constantFrom('customer', 'customer', 'job', 'contact', 'location', 'job', 'invoice', 'quote', 'plan', 'catalog_item')
const subject = fc.tuple(subjects, subjects, fc.nat(8)).chain(([type, other, n]) =>
  ref(kindOf(n === 0 ? other : type)).map((subject_id) => ({ subject_type: type, subject_id })))
const kindOf = (type: string): string => (type === 'catalog_item' ? 'item' : type)

const INVOICE_STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'uncollectible', 'void'] as const
const QUOTE_STATUSES = ['draft', 'sent', 'accepted', 'declined', 'expired', 'archived'] as const
const dates = { issue_date: fc.constantFrom('2026-01-01', '2026-03-01'), due_date: fc.constantFrom('2026-02-01', '2026-04-01') }

const itemMore = { sku: orNull(fc.constantFrom('s-1', 's-2', 's-3')), category_id: orNull(ref('category')) }
const component = fc.oneof({ weight: 6, arbitrary: ref('part') }, { weight: 1, arbitrary: ref('item') })
const components = fc.array(record({ catalog_item_id: component, quantity }, 'catalog_item_id'), { minLength: 1, maxLength: 3 })
const categoryName = words('Pumps', 'PUMPS', 'Pipes')

const tools: Record<string, Record<string, Arbitrary<Result>>> = {
  customer: {
    customers_create: fc.oneof(
      record({ ...customerMore, ...nested, customer_type: fc.constant('individual'), first_name: words('Ana ~') }, 'customer_type', 'first_name'),
      record({ ...customerMore, ...nested, customer_type: fc.constant('company'), company_name: words('Harbor ~') }, 'customer_type', 'company_name'),
    ),
    customers_update: target('customer', { ...customerMore, first_name: words('Bea ~'), company_name: words('Pier ~') }),
    customers_archive: target('customer'),
  },
  contact: {
    contacts_create: record({ customer_id: ref('customer'), first_name: words('Lee ~'), email: fc.constant('p~@example.com'), is_primary: fc.boolean() }, 'customer_id'),
    contacts_update: target('contact', { first_name: words('May ~'), is_primary: fc.boolean() }),
    contacts_archive: target('contact'),
  },
  location: {
    locations_create: record({ ...place, customer_id: ref('customer') }, 'customer_id', 'address_line1'),
    locations_update: fc.oneof(target('location', { type: place.type, address_line1: place.address_line1 }), target('location', { is_primary: fc.boolean(), tax_rate_id: place.tax_rate_id })),
    locations_archive: target('location'),
  },
  tag: {
    tags_create: record({ name: words('VIP', 'v ip', 'Gold', 'gold', 'Late'), color: orNull(fc.constantFrom('#a0b1c2', '#FFFFFF')) }, 'name'),
    tags_update: target('tag', { name: words('VIP', 'Gold', 'LATE'), color: orNull(fc.constant('#00ff00')) }),
    tags_delete: target('tag'),
  },
  note: {
    notes_create: fc.tuple(record({ body: words('Gate code ~') }, 'body'), fc.option(subject)).map(([body, on]) => ({ ...body, ...on })),
    notes_update: target('note', { body: words('Call ~') }),
    notes_archive: target('note'),
  },
  job: {
    jobs_create: fc.oneof(
      record({ ...jobMore, scheduled_start: start, duration_minutes: schedule.duration_minutes, customer_id: ref('customer'), quote_id: ref('quote') }, 'customer_id', 'title'),
      record({ ...schedule, title, scheduled_start: start, customer_id: ref('customer') }, 'customer_id', 'title', 'scheduled_start'),
    ),
    jobs_update: fc.oneof(
      target('job', { status: fc.constantFrom(...JOB_STATUSES) }), target('job', { scheduled_start: orNull(start) }), target('job', jobMore),
      target('job', { ...jobMore, ...schedule, status: fc.constantFrom(...JOB_STATUSES), scheduled_start: orNull(start) }),
    ),
    jobs_cancel: target('job', { reason: words('Rain ~') }),
  },
  invoice: {
    invoices_create: fc.oneof(
      record({ ...priced, ...dates, customer_id: ref('customer'), subject: title, job_ids: fc.uniqueArray(ref('job'), { maxLength: 2 }), quote_id: ref('quote') }, 'customer_id', 'line_items'),
      record({ customer_id: ref('customer'), from_job_id: ref('job'), tax_rate_id: orNull(ref('rate')) }, 'customer_id', 'from_job_id'),
      record({ customer_id: ref('customer'), from_quote_id: ref('quote'), line_items: lines }, 'customer_id', 'from_quote_id'),
    ),
    invoices_update: fc.oneof(
      target('invoice', { status: fc.constantFrom(...INVOICE_STATUSES) }),
      target('invoice', { ...priced, ...dates, status: fc.constantFrom(...INVOICE_STATUSES), subject: title }),
    ),
    invoices_void: target('invoice', { reason: words('Double ~') }),
  },
  quote: {
    quotes_create: record({ ...priced, customer_id: ref('customer'), title, message: title, valid_until: fc.constantFrom('@day:-1', '@day:0', '@day:60', '@day:60') }, 'customer_id', 'title'),
    quotes_update: fc.oneof(
      target('quote', { status: fc.constantFrom(...QUOTE_STATUSES), decline_reason: words('Dear ~') }),
      target('quote', { status: fc.constantFrom(...QUOTE_STATUSES) }),
      target('quote', { ...priced, title, message: title, valid_until: fc.constantFrom('@day:0', '@day:90'), status: fc.constantFrom(...QUOTE_STATUSES) }),
    ),
    quotes_archive: target('quote'),
  },
  rate: {
    tax_rates_create: record({ name: words('County ~'), rate_percentage: fc.constantFrom(8.25, 7, 0, 6.5, '8.875'), is_default: fc.boolean() }, 'rate_percentage'),
    tax_rates_update: target('rate', { name: words('City ~'), is_default: fc.boolean(), rate_percentage: fc.constantFrom(8.25, 7) }),
    tax_rates_archive: target('rate'),
  },
  category: {
    catalog_categories_create: record({ name: categoryName, parent_id: orNull(ref('category')), position: fc.nat(3) }, 'name'),
    catalog_categories_update: target('category', { name: categoryName, parent_id: orNull(ref('category')), position: fc.nat(3) }),
    catalog_categories_delete: target('category'),
  },
  item: {
    catalog_items_create: fc.oneof(
      record({ ...itemMore, kind: fc.constant('service'), name: words('Hour ~'), unit_price_cents: price, taxable: fc.boolean(), tax_rate_id: orNull(ref('rate')), cost_cents: fc.constant(50) }, 'kind', 'name', 'unit_price_cents'),
      { weight: 3, arbitrary: record({ ...itemMore, kind: fc.constant('service'), name: words('Hour ~'), unit_price_cents: price, sku: fc.constantFrom('s-1', 's-2') }, 'kind', 'name', 'unit_price_cents', 'sku') },
      record({ ...itemMore, kind: fc.constant('bundle'), name: words('Set ~'), components, pricing: fc.constant('sum') }, 'kind', 'name', 'components'),
      record({ ...itemMore, kind: fc.constant('bundle'), name: words('Set ~'), components, pricing: fc.constant('fixed'), unit_price_cents: price }, 'kind', 'name', 'components', 'pricing', 'unit_price_cents'),
      record({ kind: fc.constant('bundle'), name: fc.constant('Set ~'), components }, 'kind', 'name', 'components'),
      off.map(({ type, value }) => ({ kind: 'discount', name: 'Spring ~', discount_type: type, discount_value: value })),
      record({ kind: fc.constantFrom('service', 'discount'), name: words('Odd ~'), components, unit_price_cents: price }, 'kind', 'name'),
    ),
    catalog_items_update: fc.oneof(
      target('item', { ...itemMore, name: words('Better ~'), unit_price_cents: price, cost_cents: fc.constant(70) }), target('item', { components }), target('item', itemMore),
    ),
    catalog_items_archive: fc.oneof(target('item'), target('part'), target('part')),
  },
  plan: {
    plans_create: record({ ...priced, customer_id: ref('customer'), name: words('Pool care ~'), cadence: fc.constantFrom('weekly', 'monthly', 'annual'), start_date: fc.constantFrom('2026-01-31', '2028-02-29') }, 'customer_id', 'name', 'cadence', 'line_items'),
    plans_update: fc.oneof(
      target('plan', { status: fc.constantFrom('active', 'paused') }),
      target('plan', { name: words('Lawn ~'), cadence: fc.constantFrom('weekly', 'monthly'), line_items: lines, discount: orNull(off), status: fc.constantFrom('active', 'paused') }),
    ),
    plans_cancel: target('plan', { reason: words('Sold ~') }),
  },
}

/** What a history is about, a kind as often as it is named, so that there is enough of one thing for its rules to meet. */
const THEMES: readonly (readonly string[])[] = [
  ['customer', 'contact', 'contact', 'location', 'location', 'location', 'tag'], ['customer', 'location', 'job', 'job', 'job', 'quote', 'invoice'], ['job', 'job', 'note', 'contact'],
  ['invoice', 'invoice', 'invoice', 'rate', 'item', 'job'], ['quote', 'quote', 'quote', 'invoice', 'rate'], ['category', 'category', 'category', 'item', 'item'], ['category'], ['category'], ['item'], ['item', 'item', 'item', 'rate'],
  ['plan', 'plan', 'plan', 'rate', 'customer', 'location'], ['note', 'note', 'tag', 'customer', 'contact', 'job'], Object.keys(tools),
]

const OFTEN: Readonly<Record<string, number>> = { create: 5, update: 9, get: 1 }
const ends = (kind: string, verb: string): number => OFTEN[verb] ?? (kind === 'customer' ? 1 : kind === 'item' || kind === 'category' ? 4 : 2)

const toolsOf = (kind: string): { weight: number; arbitrary: Arbitrary<Omit<Command, 'by'>> }[] =>
  Object.entries({ [`get_get`]: target(kind), ...tools[kind]! }).map(([tool, given]) => ({
    weight: ends(kind, tool.split('_').at(-1)!), arbitrary: given.map((given) => ({ tool: tool === 'get_get' ? `get of ${kind}` : tool, given })),
  }))

/** The customer that every history begins with. */
const FIRST: Command = { by: 'ana', tool: 'customers_create', given: { customer_type: 'individual', first_name: 'Ana ~', status: 'lead', contacts: [{ first_name: 'Kim ~' }], locations: [{ address_line1: '~ Elm St' }] } }

/** Histories of at most so many calls after the first; half of them have as many. */
export const histories = (most: number): Arbitrary<Command[]> => fc.oneof(...THEMES.map((theme) =>
  fc.array(fc.tuple(actor, fc.oneof(...theme.flatMap(toolsOf))).map(([by, command]) => ({ by, ...command })), { maxLength: 2 * most, size: 'max' })
    .map((calls) => [FIRST, ...calls.slice(0, most)])))
