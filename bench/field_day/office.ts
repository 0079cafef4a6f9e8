import pg from 'pg'
import { addTemplate } from '../../src/mobile/checklists/template.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { addForgottenTime } from '../../src/mobile/time/correcting.ts'
import { ZONE, today } from '../../test/harness/messaging/phones.ts'
import { openSchedule } from '../../test/harness/database/schedules.ts'
import type { BookedVisit } from './person.ts'
import { CHECKS, ITEM, writtenTime } from './plan.ts'
import type { FieldService } from './service.ts'

export type Booked = { luis: { id: string; email: string }; visits: (BookedVisit & { invoice: string })[] }

/** Creates a company whose technicians' days are alike, and reads a day's rows from its database. */
export async function openFieldOffice(service: FieldService) {
  const company = await openSchedule(service, 'Alder Plumbing', ZONE)
  await company.call('catalog_items_create', ITEM)
  await writeTenant(service.database, { tenant: company.id }, (db) =>
    addTemplate(
      db,
      { name: 'Visit', applies: 'every', words: '', items: CHECKS.map((check) => ({ ...check, is_required: true })) },
      { user: company.owner.user_id },
    ),
  )
  const admin = new pg.Client(service.owner)
  await admin.connect()

  /** Books the same day for a new technician. */
  async function book(count: number): Promise<Booked> {
    const luis = await company.hire('Luis Ortega', 'tech', { Invoices: 'edit' })
    const visits: Booked['visits'] = []
    for (let i = 0; i < count; i++) {
      const title = `Visit ${i}`
      const job = await company.book({ title, scheduled_start: `${today()}T1${i}:00`, assignees: [luis.id] })
      const { id } = await company.call('invoices_create', {
        customer_id: company.maeve.id,
        job_ids: [job.id],
        line_items: [{ name: 'Repair', unit_price_cents: 12_000, quantity: 1 }],
      })
      await company.call('invoices_update', { id, status: 'sent' })
      await writeTime(String(job.id), luis.id, i)
      visits.push({ id: String(job.id), title, invoice: String(id) })
    }
    return { luis, visits }
  }

  /** Enters time of the technician on a visit, which they correct. */
  async function writeTime(job: string, user: string, visit: number): Promise<void> {
    const [from, until] = writtenTime(visit, [10, 40]).map((local) =>
      Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant().toString(),
    )
    const times = { started_at: from!, ended_at: until!, reason: 'By phone' }
    const by = { user: company.owner.user_id, role: 'owner' as const }
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      addForgottenTime(db, { job, user }, times, by, Temporal.Now.instant().toString()),
    )
  }

  /** Returns the rows of every table that refer to a day's technician, visits or invoices, without values that differ between days. */
  async function rowsOf({ luis, visits }: Booked): Promise<string[]> {
    const names = new Map([
      [luis.id, 'luis'],
      [luis.email, 'luis@'],
      ...visits.flatMap(({ id, invoice }, i): [string, string][] => [
        [id, `visit ${i}`],
        [invoice, `invoice ${i}`],
      ]),
    ])
    const rows: string[] = []
    for (const table of await tables()) {
      const result = await admin.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from "${table}" t where tenant_id = $1 and to_jsonb(t)::text like any ($2)`,
        [company.id, [...names.keys()].map((name) => `%${name}%`)],
      )
      for (const { row } of result.rows) rows.push(`${table} ${plain(JSON.stringify(row, withoutVariable), names)}`)
    }
    return [...rows, ...(await ordersOf(visits))].sort()
  }

  /** Returns the order of the events of each visit. */
  async function ordersOf(visits: Booked['visits']): Promise<string[]> {
    const { rows } = await admin.query<{ job_id: string; kinds: string }>(
      "select job_id, string_agg(kind, ' ' order by at, taken_at) as kinds from field_acts where job_id = any ($1) group by job_id",
      [visits.map(({ id }) => id)],
    )
    return rows.map(({ job_id, kinds }) => `${visits.find(({ id }) => id === job_id)!.title}: ${kinds}`)
  }

  /** Returns the tables of a company, except marks of reports to recompute and counts of sign-ins. */
  const tables = async (): Promise<string[]> =>
    (
      await admin.query<{ table_name: string }>(
        "select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name) where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'tenant_id' and table_name not in ('report_marks', 'session_uses')",
      )
    ).rows.map(({ table_name }) => table_name)

  return { ...company, book, rowsOf, end: () => admin.end() }
}

/** Columns with times, numbers and hashes, which differ from day to day. */
const VARIABLE_COLUMNS = new Set(['fingerprint', 'said_ms', 'hash', 'xid', 'change', 'display_number', 'number'])

const withoutVariable = (name: string, value: unknown): unknown => (VARIABLE_COLUMNS.has(name) ? undefined : value)

/** Replaces ids and instants, so that two days can be compared. */
const plain = (row: string, names: ReadonlyMap<string, string>): string =>
  [...names]
    .reduce((text, [id, name]) => text.replaceAll(id, name), row)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)/g, 'instant')
    .replace(/\d{4}-\d\d-\d\d/g, 'day')
