import assert from 'node:assert/strict'
import type { Result } from '../harness/harness.ts'
import { childrenOf, depthOf, priceOf } from './catalog.ts'
import { contactsOf, locationsOf } from './people.ts'
import { nextRun } from './work.ts'
import {
  all,
  isLive,
  type Category,
  type Customer,
  type Item,
  type RecordOf,
  type Kind,
  type Rec,
  type World,
} from './world.ts'

/** Entity name of each kind, as in its tools. */
export const TOOLS: { readonly [kind in Kind]: string } = {
  customer: 'customers',
  contact: 'contacts',
  location: 'locations',
  tag: 'tags',
  note: 'notes',
  job: 'jobs',
  invoice: 'invoices',
  quote: 'quotes',
  rate: 'tax_rates',
  category: 'catalog_categories',
  item: 'catalog_items',
  plan: 'plans',
}

const OPEN = new Set(['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'])
const UNPAID = new Set(['sent', 'partially_paid'])

const primaryFirst = (records: { id: string; is_primary: boolean }[]): string[] =>
  records.toSorted((a, b) => Number(b.is_primary) - Number(a.is_primary)).map(({ id }) => id)

function customerView(world: World, customer: Customer): Record<string, unknown> {
  const { id, terms, live: _live, tags, created_at: _made, kind: _kind, ...fields } = customer
  const unpaid = all(world, 'invoice').filter(({ customer_id, status }) => customer_id === id && UNPAID.has(status))
  const byName = (a: string, b: string): number => (lower(world, a) < lower(world, b) ? -1 : 1)
  return {
    id,
    ...fields,
    payment_terms_days: terms,
    display_name: customer.company_name ?? [customer.first_name, customer.last_name].filter(Boolean).join(' '),
    tags: [...tags].toSorted(byName),
    contacts: primaryFirst(contactsOf(world, id)),
    locations: placesOf(world, id),
    counts: {
      open_jobs: all(world, 'job').filter(({ customer_id, status }) => customer_id === id && OPEN.has(status)).length,
      unpaid_invoices: unpaid.length,
      balance_due_cents: unpaid.reduce((sum, { totals, paid }) => sum + totals.total_cents - paid, 0),
    },
  }
}

const lower = (world: World, id: string): string => (world.records.get(id) as RecordOf<'tag'>).name.toLowerCase()

/** Sorts primary locations first, then service before billing. */
const placesOf = (world: World, customer: string): string[] =>
  locationsOf(world, customer)
    .toSorted(
      (a, b) =>
        Number(b.is_primary) - Number(a.is_primary) || Number(b.type === 'service') - Number(a.type === 'service'),
    )
    .map(({ id }) => id)

function itemView(world: World, item: Item): Record<string, unknown> {
  const { id, item_kind, name, sku, category_id } = item
  const priced =
    item.discount === null
      ? { unit_price_cents: priceOf(world, item), taxable: item.taxable, tax_rate_id: item.tax_rate_id }
      : { discount_type: item.discount.type, discount_value: item.discount.value }
  return {
    id,
    kind: item_kind,
    name,
    sku,
    category_id,
    ...priced,
    ...(item_kind === 'service' ? { cost_cents: item.cost } : {}),
    ...(item_kind === 'bundle' ? { pricing: item.pricing, components: item.components.map(({ id }) => id) } : {}),
  }
}

const categoryView = (world: World, category: Category): Record<string, unknown> => ({
  id: category.id,
  name: category.name,
  parent_id: category.parent_id,
  depth: depthOf(world, category.id),
  item_count: all(world, 'item').filter((item) => item.live && item.category_id === category.id).length,
  ...(category.position === undefined ? {} : { position: category.position }),
})

/** Returns the fields that the model determines, as the owner sees them. A list of ids stands for records. */
export function viewOf(world: World, record: Rec): Record<string, unknown> {
  switch (record.kind) {
    case 'customer':
      return customerView(world, record)
    case 'contact':
      return only(record, 'id', 'customer_id', 'first_name', 'email', 'is_primary')
    case 'location':
      return only(record, 'id', 'customer_id', 'type', 'address_line1', 'tax_rate_id', 'is_primary')
    case 'tag':
      return {
        ...only(record, 'id', 'name', 'color'),
        usage_count: all(world, 'customer').filter(({ live, tags }) => live && tags.has(record.id)).length,
      }
    case 'note':
      return {
        ...only(record, 'id', 'body', 'subject_type', 'subject_id'),
        author_id: record.author,
        created_by: record.author,
        pinned: false,
      }
    case 'job':
      return {
        ...only(
          record,
          'id',
          'customer_id',
          'location_id',
          'contact_id',
          'title',
          'status',
          'quote_id',
          'completed_at',
          'cancelled_at',
          'cancel_reason',
        ),
        scheduled_start: record.start,
        scheduled_end: record.end,
        duration_minutes: record.duration,
        subtotal_cents: record.subtotal,
        invoice_ids: all(world, 'invoice')
          .filter(({ job_ids }) => job_ids.includes(record.id))
          .map(({ id }) => id),
      }
    case 'invoice':
      return {
        ...only(
          record,
          'id',
          'customer_id',
          'location_id',
          'number',
          'status',
          'subject',
          'issue_date',
          'due_date',
          'job_ids',
          'quote_id',
          'sent_at',
          'voided_at',
        ),
        ...record.totals,
        tax_rate_id: record.rate,
        amount_paid_cents: record.paid,
        balance_due_cents:
          record.status === 'paid' || record.status === 'void' ? 0 : record.totals.total_cents - record.paid,
        is_overdue: UNPAID.has(record.status) && record.due_date < world.today,
      }
    case 'quote':
      return {
        ...only(
          record,
          'id',
          'customer_id',
          'location_id',
          'title',
          'status',
          'message',
          'valid_until',
          'accepted_at',
          'declined_at',
          'decline_reason',
          'converted_job_id',
          'converted_invoice_id',
        ),
        owner_id: record.owner,
        tax_rate_id: record.rate,
        ...record.totals,
      }
    case 'rate':
      return {
        ...only(record, 'id', 'name', 'is_default'),
        rate_percentage: Number(record.percent),
        is_archived: false,
      }
    case 'category':
      return categoryView(world, record)
    case 'item':
      return itemView(world, record)
    case 'plan':
      return {
        ...only(
          record,
          'id',
          'customer_id',
          'location_id',
          'name',
          'status',
          'cadence',
          'start_date',
          'cancelled_at',
          'cancel_reason',
        ),
        tax_rate_id: record.rate,
        ...record.totals,
        next_run_date: nextRun(record, world.today),
      }
  }
}

const only = <R extends object, F extends keyof R>(record: R, ...fields: F[]): Pick<R, F> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>

/** Compares an answer with the expected values. Skips fields that are hidden from the caller. */
export function compare(
  expected: Record<string, unknown>,
  answer: Result,
  { whole }: { whole: boolean },
  what: string,
): void {
  for (const [field, value] of Object.entries(expected)) {
    if (!(field in answer) && !whole) continue
    const found = inOrder(field, plain(answer[field]))
    if (isStamp(value)) {
      assert.match(String(found), /^\d{4}-.*Z$/, `${what}: ${field}`)
      value.at ??= String(found)
      assert.equal(found, value.at, `${what}: ${field}`)
    } else if (field === 'counts' && !whole) continue
    else assert.deepEqual(found, inOrder(field, plain(value)), `${what}: ${field}`)
  }
}

const isStamp = (value: unknown): value is { at?: string } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).every((key) => key === 'at')

/** Id lists without an order. */
const SETS: ReadonlySet<string> = new Set(['job_ids', 'invoice_ids'])
const inOrder = (field: string, value: unknown): unknown =>
  SETS.has(field) && Array.isArray(value) ? value.toSorted() : value

/** Replaces the records of a list with their ids. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map(
    (one) =>
      (typeof one === 'object' && one !== null
        ? ((one as Result)['catalog_item_id'] ?? (one as Result)['id'])
        : one) as unknown,
  )
}

const newestFirst = (records: { id: string; created_at: string }[]): string[] =>
  records
    .toSorted((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1))
    .map(({ id }) => id)

const byName = (records: { id: string; name: string }[]): string[] =>
  records
    .toSorted((a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.id, b.id))
    .map(({ id }) => id)

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** Returns every ordered list with the ids it must show. */
export function lists(world: World): [tool: string, given: object, ids: string[]][] {
  const living = <K extends Kind>(kind: K): RecordOf<K>[] => all(world, kind).filter((record) => isLive(world, record))
  const rates = living('rate')
  const listItemIds = (kind: string): string[] => byName(living('item').filter(({ item_kind }) => item_kind === kind))
  return [
    ['customers_search', {}, newestFirst(living('customer'))],
    ...living('customer').flatMap(({ id }): [string, object, string[]][] => [
      ['contacts_list', { customer_id: id }, primaryFirst(contactsOf(world, id))],
      ['locations_list', { customer_id: id, type: 'billing' }, primaryFirst(locationsOf(world, id, 'billing'))],
      [
        'jobs_list',
        { customer_id: id },
        newestFirst(all(world, 'job').filter(({ customer_id }) => customer_id === id)),
      ],
    ]),
    ['tags_list', {}, byName(living('tag'))],
    ['notes_list', {}, newestFirst(living('note'))],
    [
      'jobs_list',
      { status: ['done', 'cancelled'] },
      newestFirst(living('job').filter(({ status }) => status === 'done' || status === 'cancelled')),
    ],
    ['invoices_list', {}, newestFirst(living('invoice').filter(({ status }) => status !== 'void'))],
    [
      'invoices_list',
      { status: ['void', 'paid'] },
      newestFirst(living('invoice').filter(({ status }) => status === 'void' || status === 'paid')),
    ],
    [
      'invoices_list',
      { overdue: true },
      newestFirst(living('invoice').filter(({ status, due_date }) => UNPAID.has(status) && due_date < world.today)),
    ],
    ['quotes_list', {}, newestFirst(living('quote'))],
    [
      'quotes_list',
      { status: ['archived'] },
      newestFirst(all(world, 'quote').filter(({ status }) => status === 'archived')),
    ],
    [
      'tax_rates_list',
      {},
      [
        ...byName(rates.filter(({ is_default }) => is_default)),
        ...byName(rates.filter(({ is_default }) => !is_default)),
      ],
    ],
    ['catalog_items_list', { kind: 'bundle' }, listItemIds('bundle')],
    ['catalog_items_list', { kind: 'service' }, listItemIds('service')],
    ...living('category').map(({ id }): [string, object, string[]] => [
      'catalog_categories_list',
      { parent_id: id },
      inTree(childrenOf(world, id)),
    ]),
    ['plans_list', { status: ['active'] }, newestFirst(living('plan').filter(({ status }) => status === 'active'))],
  ]
}

const inTree = (children: Category[]): string[] =>
  children
    .toSorted((a, b) => a.position! - b.position! || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    .map(({ id }) => id)
