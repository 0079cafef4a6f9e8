import fc, { type Arbitrary } from 'fast-check'
import type { Result } from '../harness/harness.ts'

const LEFT_OUT = Symbol('left out')

/** Objects with these fields. Optional fields are mostly left out. */
export const record = (shape: Record<string, Arbitrary<unknown>>, ...required: string[]): Arbitrary<Result> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(shape).map(([field, value]) => [field, required.includes(field) ? value : rarely(value)]),
      ),
    )
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== LEFT_OUT)))

const rarely = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(LEFT_OUT) }, { weight: 2, arbitrary: value })

/** References to a kind. One in eight may be any record, archived ones and other customers' included. */
export const ref = (kind: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 40, arbitrary: fc.nat(31).map((n) => `@${kind}:${n}`) },
    { weight: 1, arbitrary: fc.constant(`@${kind}:foreign`) },
    { weight: 1, arbitrary: fc.constant(`@${kind}:unknown`) },
  )
export const orNull = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 })
export const words = (...some: string[]): Arbitrary<string> =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: fc.constant(' ') })
export const title = words('Visit ~', '  Pump ~ ')

export const target = (kind: string, more: Record<string, Arbitrary<unknown>> = {}): Arbitrary<Result> =>
  record({ id: ref(kind), ...more }, 'id')

const contact = record(
  { first_name: words('Kim ~'), email: fc.constant('p~@example.com'), is_primary: fc.boolean() },
  'first_name',
)
export const place = {
  address_line1: words('~ Elm St'),
  type: fc.constantFrom('service', 'billing'),
  tax_rate_id: orNull(ref('rate')),
  is_primary: fc.boolean(),
}
const status = fc.constantFrom('lead', 'active', 'inactive')
export const customerMore = {
  status,
  external_id: orNull(fc.constantFrom('x-1', 'x-2', 'x-3')),
  tax_exempt: fc.boolean(),
  payment_terms_days: orNull(fc.constantFrom(0, 30)),
}
export const nested = {
  contacts: fc.array(contact, { maxLength: 2 }),
  tag_ids: fc.uniqueArray(ref('tag'), { maxLength: 2 }),
  locations: fc.array(record({ ...place, address_line1: fc.constant('~ Nested Rd') }, 'address_line1'), {
    maxLength: 3,
  }),
}

const quantity = fc.constantFrom(1, 2, 3.25, 1.005, 0.001)
export const price = fc.constantFrom(0, 100, 333, 8735, 15_000)
const typedLine = record(
  {
    name: fc.constant('Part ~'),
    quantity,
    unit_price_cents: price,
    taxable: fc.boolean(),
    tax_rate_id: orNull(ref('rate')),
  },
  'name',
  'unit_price_cents',
)
export const off = fc.oneof(
  record({ type: fc.constant('percent'), value: fc.constantFrom(10, 15, 33.3333, 90) }, 'type', 'value'),
  record({ type: fc.constant('amount'), value: fc.constantFrom(1, 1, 99, 5000) }, 'type', 'value'),
)
const line = fc.oneof(
  { weight: 5, arbitrary: typedLine },
  { weight: 2, arbitrary: record({ catalog_item_id: ref('item'), taxable: fc.boolean() }, 'catalog_item_id') },
  {
    weight: 1,
    arbitrary: off.map(({ type, value }) => ({
      kind: 'discount',
      name: 'Off ~',
      discount_type: type,
      discount_value: value,
    })),
  },
)
export const lines = fc.oneof(
  { weight: 6, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([]) },
)
export const priced = {
  line_items: lines,
  discount: orNull(off),
  tax_rate_id: orNull(ref('rate')),
  location_id: orNull(ref('location')),
}

export const start = fc.constantFrom('2027-03-02T14:00:00.000Z', '2027-11-07T05:30:00.000Z')
const end = fc.constantFrom('2027-03-02T15:30:00.000Z', '2027-11-07T06:30:00.000Z')
export const schedule = { scheduled_end: end, duration_minutes: fc.constantFrom(60, 90) }
export const jobMore = {
  title,
  location_id: orNull(ref('location')),
  contact_id: orNull(ref('contact')),
  line_items: lines,
}
export const JOB_STATUSES = [
  'unscheduled',
  'scheduled',
  'en_route',
  'in_progress',
  'on_hold',
  'done',
  'done',
  'cancelled',
] as const
const subjects = fc.constantFrom(
  'customer',
  'customer',
  'job',
  'contact',
  'location',
  'job',
  'invoice',
  'quote',
  'plan',
  'catalog_item',
)
export const subject = fc
  .tuple(subjects, subjects, fc.nat(8))
  .chain(([type, other, n]) =>
    ref(kindOf(n === 0 ? other : type)).map((subject_id) => ({ subject_type: type, subject_id })),
  )
const kindOf = (type: string): string => (type === 'catalog_item' ? 'item' : type)

export const INVOICE_STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'uncollectible', 'void'] as const
export const QUOTE_STATUSES = ['draft', 'sent', 'accepted', 'declined', 'expired', 'archived'] as const
export const dates = {
  issue_date: fc.constantFrom('2026-01-01', '2026-03-01'),
  due_date: fc.constantFrom('2026-02-01', '2026-04-01'),
}

export const itemMore = { sku: orNull(fc.constantFrom('s-1', 's-2', 's-3')), category_id: orNull(ref('category')) }
const component = fc.oneof({ weight: 6, arbitrary: ref('part') }, { weight: 1, arbitrary: ref('item') })
export const components = fc.array(record({ catalog_item_id: component, quantity }, 'catalog_item_id'), {
  minLength: 1,
  maxLength: 3,
})
export const categoryName = words('Pumps', 'PUMPS', 'Pipes')
