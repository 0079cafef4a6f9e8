import { sql, writeTenant, type Sql } from '../../src/platform/db/tenant.ts'
import { join, raw } from '../../src/platform/db/database.ts'
import { MAX_LINES } from '../../src/money/bounds.ts'
import { callerOf } from '../../test/harness/harness.ts'
import type { Office } from './office.ts'

/** Lines of the largest document: the maximum number, each with the longest texts. */
export const LARGEST_LINES: readonly object[] = Array.from({ length: MAX_LINES }, (_, i) => ({
  name: `Boiler ${i} `.padEnd(200, 'part '),
  description: 'Drain & "flush", '.repeat(200).slice(0, 2_000),
  quantity: 1.5,
  unit_price_cents: 12_345 + i,
}))

/** Number of lines that a plan or a series may have. */
export const MAX_PLAN_LINES = 100

/** Number of records that lists show of a kind: more than a page of a hundred. */
const COPIES = 110
/** Number of copies of the largest documents, which an archive and an overview read together. */
const LARGE_COPIES = 25

type Columns = Readonly<Record<string, Sql>>

const NUMBERED: Columns = { number: sql`t.number + n` }

/** Tables of which a record is copied, with the columns that differ in each copy. */
const COPIED: readonly [record: string, table: string, copies: number, columns: Columns][] = [
  ['jobs', 'jobs', LARGE_COPIES, NUMBERED],
  ['invoices', 'invoices', LARGE_COPIES, NUMBERED],
  ['quotes', 'quotes', LARGE_COPIES, NUMBERED],
  ['plans', 'plans', LARGE_COPIES, {}],
  ['job_series', 'job_series', LARGE_COPIES, {}],
  ['short_job', 'jobs', 2 * COPIES, NUMBERED],
  ['short_invoice', 'invoices', COPIES, NUMBERED],
  ['notes', 'notes', COPIES, {}],
  ['customers', 'customers', COPIES, {}],
  ['contacts', 'contacts', COPIES, { is_primary: sql`false` }],
  ['locations', 'locations', COPIES, { is_primary: sql`false` }],
  ['catalog_items', 'catalog_items', COPIES, { name: sql`n || t.name`, name_folded: sql`n || t.name_folded` }],
]

/**
 * Fills the office's company up to the limits: documents with the maximum number of the longest lines, a customer with
 * most of the records, lists longer than a page. Returns the ids of the largest records by the names of their kinds.
 */
export async function makeLargeCompany(office: Office): Promise<ReadonlyMap<string, string>> {
  const { call } = callerOf(office.service.url, office.key)
  const records = new Map<string, string>()
  const make = async (record: string, tool: string, args: object): Promise<string> => {
    const id = String((await call(`${tool}_create`, args))['id'])
    records.set(record, id)
    return id
  }
  const customer_id = await make('customers', 'customers', { customer_type: 'individual', first_name: 'Large' })
  await make('locations', 'locations', { customer_id, address_line1: '1 Elm', access_notes: 'Gate '.repeat(100) })
  await make('contacts', 'contacts', { customer_id, first_name: 'Leo' })
  await make('tags', 'tags', { name: 'Large' })
  await make('tax_rates', 'tax_rates', { name: 'Large', rate_percentage: 8 })
  await make('catalog_categories', 'catalog_categories', { name: 'Large' })
  await make('catalog_items', 'catalog_items', { name: 'Large boiler', kind: 'product', unit_price_cents: 100 })
  await make('notes', 'notes', {
    body: 'Gate code 4417. '.repeat(300),
    subject_type: 'customer',
    subject_id: customer_id,
  })
  const line_items = LARGEST_LINES
  const soon = `${Temporal.Now.plainDateISO('America/New_York').toString()}T09:00`
  await make('jobs', 'jobs', { customer_id, title: 'Large', scheduled_start: soon, line_items })
  await make('quotes', 'quotes', { customer_id, title: 'Large', line_items })
  await make('invoices', 'invoices', { customer_id, line_items })
  await make('plans', 'plans', {
    customer_id,
    name: 'Large',
    cadence: 'monthly',
    start_date: '2027-01-31',
    line_items: line_items.slice(0, MAX_PLAN_LINES),
  })
  const rule = { rrule: 'FREQ=WEEKLY;BYDAY=MO', dtstart: soon, end_date: '2027-12-31' }
  await make('job_series', 'job_series', {
    customer_id,
    title: 'Large',
    line_items: line_items.slice(0, MAX_PLAN_LINES),
    ...rule,
  })
  await make('short_job', 'jobs', { customer_id, title: 'Short', scheduled_start: soon })
  await make('short_invoice', 'invoices', { customer_id, line_items: line_items.slice(0, 1) })
  for (const kind of ['quotes', 'invoices', 'short_invoice'])
    await call(`${kind === 'quotes' ? 'quotes' : 'invoices'}_update`, { id: records.get(kind)!, status: 'sent' })
  for (const [record, table, copies, columns] of COPIED)
    await writeTenant(office.service.database, { tenant: office.tenant }, async (db) => {
      const all = await db.all<{ name: string }>(sql`
        select attname::text as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
      const names = all.map(({ name }) => name)
      const values = names.map((name) =>
        name === 'id' ? sql`gen_random_uuid()` : (columns[name] ?? raw(`t."${name}"`)),
      )
      const offset = record.startsWith('short') ? 10_000 : 1_000
      await db.run(sql`insert into ${raw(table)} (${join(names.map((name) => raw(`"${name}"`)))})
        select ${join(values)} from ${raw(table)} t, generate_series(${offset}::int + 1, ${offset}::int + ${copies}::int) n
        where t.tenant_id = ${db.tenant} and t.id = ${records.get(record)!}`)
    })
  return records
}
