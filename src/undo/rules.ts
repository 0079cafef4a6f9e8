import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { requireWithinTotals } from '../records/invoices/index.ts'
import type { AuditedChange } from './changes.ts'
import type { JournaledRow } from './journal.ts'
import { UndoBlockedError } from './reasons.ts'

/** Blocks an undo that would bypass the rules of money: issued and void invoices, and accepted quotes. */
export async function requireOpenDocuments(
  db: Db,
  auditedChange: AuditedChange,
  rows: readonly JournaledRow[],
): Promise<void> {
  const isRedone = isRedo(auditedChange)
  const [invoices, quotes] = await Promise.all([statesOf(db, 'invoices', rows), statesOf(db, 'quotes', rows)])
  for (const { now, before } of invoices) {
    if (isRedone && REVERSIBLE_CHANGES.has(`${before} ${now}`)) continue
    const reason = invoiceReason(now, before)
    if (reason !== undefined) throw new UndoBlockedError({ kind: reason })
  }
  if (quotes.some(({ now, before }) => now === 'accepted' || before === 'accepted'))
    throw new UndoBlockedError({ kind: 'accepted' })
}

/** Checks whether a change is itself an undo. */
export const isRedo = ({ entries }: AuditedChange): boolean => entries.some(({ tool }) => tool.endsWith('.undo'))

/** Status changes of an invoice that an undo may make and take back: unsent drafts come and go. */
const REVERSIBLE_CHANGES: ReadonlySet<string> = new Set(['draft void', 'void draft'])

function invoiceReason(now: string, before: string | null): 'voided' | 'issued' | undefined {
  if (now === 'void') return 'voided'
  return now === 'draft' && (before === null || before === 'draft') ? undefined : 'issued'
}

type StatusChange = { now: string; before: string | null }

async function statesOf(db: Db, kind: 'invoices' | 'quotes', rows: readonly JournaledRow[]): Promise<StatusChange[]> {
  const rowsOfKind = rows.filter((row) => row.kind === kind)
  if (rowsOfKind.length === 0) return []
  const images = rowsOfKind.map(({ image }) => image)
  const table = kind === 'invoices' ? sql`invoices` : sql`quotes`
  return db.all<StatusChange>(sql`select d.status as now, j.image ->> 'status' as before
    from journal j join ${table} d on d.tenant_id = j.tenant_id and d.id = j.key::uuid
    where j.tenant_id = ${db.tenant} and j.kind = ${kind} and j.id = any(${images}::uuid[])`)
}

/**
 * Corrects records after a restore: chooses primary contacts and locations, and turns a lead with later work of others
 * into an active customer.
 */
export async function settleRecords(
  db: Db,
  auditedChange: AuditedChange,
  rows: readonly JournaledRow[],
): Promise<void> {
  const ids = (kind: string): string[] => rows.filter((row) => row.kind === kind).map(({ key }) => key)
  const [first] = rows
  const [contacts, locations, customers] = [ids('contacts'), ids('locations'), ids('customers')]
  const activatesCustomer =
    !isRedo(auditedChange) && rows.some(({ kind, op }) => op === 'insert' && ACTIVATING_TABLES.has(kind))
  await Promise.all([
    ...(contacts.length === 0 ? [] : [db.run(promoteContacts(db, contacts))]),
    ...(locations.length === 0 ? [] : [db.run(promoteLocations(db, locations))]),
    ...(first !== undefined && activatesCustomer && customers.length > 0
      ? [db.run(activateLeads(db, customers, first.first_at))]
      : []),
  ])
}

/** Tables whose first row turns a lead into a customer. */
const ACTIVATING_TABLES: ReadonlySet<string> = new Set(['jobs', 'job_series', 'invoices', 'plans'])

const promoteContacts = (db: Db, ids: readonly string[]): Sql => sql`
  update contacts set is_primary = true, updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id in (
    select distinct on (c.customer_id) c.id from contacts c
    where c.tenant_id = ${db.tenant} and c.archived_at is null
      and c.customer_id in (select o.customer_id from contacts o
        where o.tenant_id = ${db.tenant} and o.id = any(${[...ids]}::uuid[]))
      and not exists (select 1 from contacts p
        where p.tenant_id = ${db.tenant} and p.customer_id = c.customer_id and p.is_primary and p.archived_at is null)
    order by c.customer_id, c.created_at, c.id)`

const promoteLocations = (db: Db, ids: readonly string[]): Sql => sql`
  update locations set is_primary = true, updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id in (
    select distinct on (l.customer_id, l.type) l.id from locations l
    where l.tenant_id = ${db.tenant} and l.archived_at is null
      and l.customer_id in (select o.customer_id from locations o
        where o.tenant_id = ${db.tenant} and o.id = any(${[...ids]}::uuid[]))
      and not exists (select 1 from locations p
        where p.tenant_id = ${db.tenant} and p.customer_id = l.customer_id and p.type = l.type and p.is_primary
          and p.archived_at is null)
    order by l.customer_id, l.type, l.created_at, l.id)`

const activateLeads = (db: Db, ids: readonly string[], since: string): Sql => {
  const later = sql`d.tenant_id = c.tenant_id and d.customer_id = c.id and d.created_at > ${since}::timestamptz`
  return sql`
  update customers c set status = 'active', updated_at = later_than(c.updated_at)
  where c.tenant_id = ${db.tenant} and c.id = any(${[...ids]}::uuid[]) and c.status = 'lead' and (
    exists (select 1 from jobs d where ${later} and d.status <> 'cancelled')
    or exists (select 1 from job_series d where ${later} and d.status = 'active')
    or exists (select 1 from invoices d where ${later} and d.status <> 'void')
    or exists (select 1 from plans d where ${later} and d.status in ('active', 'paused')))`
}

/** Blocks an undo that would leave records in a state that no tool creates. */
export async function requireConsistent(db: Db, rows: readonly JournaledRow[]): Promise<void> {
  const ids = (...kinds: string[]): string[] =>
    rows.filter(({ kind }) => kinds.includes(kind)).flatMap(({ key }) => key.split(':'))
  await requireWithinTotals(db, ids('invoices'))
  const matches = await db.all(sql`
    select from customers c
    where c.tenant_id = ${db.tenant} and c.id = any(${ids('customers')}::uuid[]) and c.archived_at is not null
      and (exists (select 1 from job_series s
        where s.tenant_id = ${db.tenant} and s.customer_id = c.id and s.status = 'active')
        or exists (select 1 from plans p
          where p.tenant_id = ${db.tenant} and p.customer_id = c.id and p.status = 'active'))
    union all select from catalog_components k
      join catalog_items b on b.tenant_id = k.tenant_id and b.id = k.bundle_id
      join catalog_items i on i.tenant_id = k.tenant_id and i.id = k.item_id
    where k.tenant_id = ${db.tenant}
      and (k.bundle_id = any(${ids('catalog_items', 'catalog_components')}::uuid[])
        or k.item_id = any(${ids('catalog_items', 'catalog_components')}::uuid[]))
      and b.archived_at is null and i.archived_at is not null
    union all select from catalog_categories c
    left join catalog_categories p on p.tenant_id = c.tenant_id and p.id = c.parent_id
    where c.tenant_id = ${db.tenant} and ${ids('catalog_categories').length > 0} and c.depth <> coalesce(p.depth, 0) + 1
    union all select from quotes q join quotes o on o.tenant_id = q.tenant_id and o.option_set = q.option_set
      and o.id <> q.id and o.status = 'accepted'
    where q.tenant_id = ${db.tenant} and q.id = any(${ids('quotes')}::uuid[]) and q.status = 'sent'
    union all select from tags t where t.tenant_id = ${db.tenant} and ${ids('tags').length > 0} having count(*) > 500
    limit 1`)
  if (matches.length > 0) throw new UndoBlockedError({ kind: 'taken' })
}
