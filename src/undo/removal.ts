import type { Caller } from '../identity/credentials/caller.ts'
import { join, sql, type Sql } from '../platform/db/database.ts'
import type { Db } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { deleteUntouchedInstances } from '../records/jobs/index.ts'
import { archiveQuote } from '../records/quotes/index.ts'
import { say } from '../platform/i18n/say.ts'
import type { Verb } from '../tools/declare/define.ts'
import type { JournaledRow } from './journal.ts'
import { isRecord } from './restoring.ts'
import { UndoBlockedError } from './reasons.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Context of an undo. */
export type RemovalContext = { db: Db; caller: Caller; baseUrl: string }

/** Verb of the tool that removes a record, by table. */
const REMOVALS: Readonly<Record<string, Verb>> = {
  customers: 'archive',
  contacts: 'archive',
  locations: 'archive',
  notes: 'archive',
  catalog_items: 'archive',
  tax_rates: 'archive',
  tags: 'delete',
  catalog_categories: 'delete',
  jobs: 'cancel',
  job_series: 'end',
  invoices: 'void',
  plans: 'cancel',
}

/**
 * Removes the records that a change created, with their own tools and newest first. Throws `UndoBlockedError` if others
 * used one.
 */
export async function removeCreated(context: RemovalContext, rows: readonly JournaledRow[]): Promise<void> {
  const inserted = rows.filter((row) => row.op === 'insert' && row.last !== 'delete' && isRecord(row))
  await requireUnused(context.db, inserted, [...new Set(rows.flatMap(({ key }) => key.split(':')))])
  const parents = new Set(
    inserted.filter(({ kind }) => kind === 'customers' || kind === 'job_series').map(({ kind }) => kind),
  )
  const generatedIds = inserted.filter(({ kind }) => kind === 'jobs').map(({ key }) => key)
  const isRegenerated =
    generatedIds.length > 0 && !parents.has('job_series') && rows.some(({ kind }) => kind === 'job_series')
  if (isRegenerated && (await deleteUntouchedInstances(context.db, generatedIds)) < generatedIds.length)
    throw new UndoBlockedError({ kind: 'taken' })
  for (const { kind, key } of await sortChildrenFirst(context.db, inserted.toReversed())) {
    const goesWithItsParent =
      (parents.has('customers') && (kind === 'contacts' || kind === 'locations')) ||
      (kind === 'jobs' && (parents.has('job_series') || isRegenerated))
    if (!goesWithItsParent) await removeRecord(context, kind, key)
  }
}

/** Orders records so that a category is removed before its parent; otherwise it would move up beside the parent. */
async function sortChildrenFirst(db: Db, inserted: readonly JournaledRow[]): Promise<JournaledRow[]> {
  const ids = inserted.filter(({ kind }) => kind === 'catalog_categories').map(({ key }) => key)
  if (ids.length < 2) return [...inserted]
  const levels = await db.all<{ id: string; level: number }>(sql`
    with recursive up as (
      select c.id, c.parent_id, 0 as level from catalog_categories c
      where c.tenant_id = ${db.tenant} and c.id = any(${ids}::uuid[])
      union all
      select u.id, c.parent_id, u.level + 1 from up u
        join catalog_categories c on c.tenant_id = ${db.tenant} and c.id = u.parent_id)
    select id, max(level) as level from up group by id`)
  const levelOf = new Map(levels.map(({ id, level }) => [id, level]))
  return inserted.toSorted((a, b) => (levelOf.get(b.key) ?? 0) - (levelOf.get(a.key) ?? 0))
}

async function removeRecord({ db, caller, baseUrl }: RemovalContext, kind: string, id: string): Promise<void> {
  if (kind === 'quotes') return void (await archiveQuote(db, caller, id))
  const entity = entities.find(({ name }) => name === kind)
  const tool = requireValue(
    entity?.tools.find(({ verb }) => verb === REMOVALS[kind]),
    `The tool that removes ${kind}`,
  )
  await tool.run({ db, caller, baseUrl }, { id })
}

type Use = { name: string }

/** Throws `UndoBlockedError` if others used a record. Names at most three uses. */
async function requireUnused(db: Db, inserted: readonly JournaledRow[], ownIds: readonly string[]): Promise<void> {
  if (inserted.length === 0) return
  const byKind = Map.groupBy(inserted, ({ kind }) => kind)
  const uses = [...byKind].flatMap(([kind, rows]) => {
    const ids = sql`${rows.map(({ key }) => key)}::uuid[]`
    return [
      ...(USES[kind] ?? []).map((use) => use(db.tenant, ids)),
      ...(kind === 'notes' ? [] : [notesOn(db.tenant, ids)]),
    ]
  })
  if (uses.length === 0) return
  const matches = await db.all<Use>(
    sql`select u.name from (${join(uses, ' union all ')}) u where u.id <> all(${[...ownIds]}::uuid[]) order by u.name
      limit 3`,
  )
  if (matches.length > 0) throw new UndoBlockedError({ kind: 'in_use', names: matches.map(({ name }) => name) })
}

const notesOn = (tenant: string, ids: Sql): Sql =>
  sql`select n.id,
      case when length(n.body) > 40 then regexp_replace(left(n.body, 40), '\\s+\\S*$', '') || '…' else n.body
        end as name
    from notes n where n.tenant_id = ${tenant} and n.subject_id = any(${ids}) and n.archived_at is null`

/** Queries for the uses of a record, by its table. Records that are removed with it don't count. */
const USES: Readonly<Record<string, readonly ((tenant: string, ids: Sql) => Sql)[]>> = {
  customers: [
    (
      tenant,
      ids,
    ) => sql`select c.id, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone) as name
      from contacts c where c.tenant_id = ${tenant} and c.customer_id = any(${ids}) and c.archived_at is null`,
    (tenant, ids) => sql`select l.id, coalesce(l.name, l.address_line1) as name from locations l
      where l.tenant_id = ${tenant} and l.customer_id = any(${ids}) and l.archived_at is null`,
    (tenant, ids) => sql`select j.id, j.display_number as name from jobs j
      where j.tenant_id = ${tenant} and j.customer_id = any(${ids}) and j.status <> 'cancelled'`,
    (tenant, ids) => sql`select s.id, s.title as name from job_series s
      where s.tenant_id = ${tenant} and s.customer_id = any(${ids}) and s.status = 'active'`,
    (tenant, ids) => sql`select i.id, i.display_number as name from invoices i
      where i.tenant_id = ${tenant} and i.customer_id = any(${ids}) and i.status <> 'void'`,
    (tenant, ids) => sql`select q.id, q.display_number as name from quotes q
      where q.tenant_id = ${tenant} and q.customer_id = any(${ids}) and q.status <> 'archived'`,
    (tenant, ids) => sql`select p.id, p.name from plans p
      where p.tenant_id = ${tenant} and p.customer_id = any(${ids}) and p.status in ('active', 'paused')`,
    (tenant, ids) => sql`select m.id, m.sender as name from communications m
      where m.tenant_id = ${tenant} and m.customer_id = any(${ids})`,
  ],
  locations: [
    (tenant, ids) => sql`select e.id, e.kind as name from equipment e
      where e.tenant_id = ${tenant} and e.location_id = any(${ids})`,
  ],
  jobs: [
    (tenant, ids) => sql`select i.id, i.display_number as name from invoice_jobs b
      join invoices i on i.tenant_id = b.tenant_id and i.id = b.invoice_id
      where b.tenant_id = ${tenant} and b.job_id = any(${ids}) and i.status <> 'void'`,
    (tenant, ids) => sql`select i.id, i.display_number as name from invoices i
      where i.tenant_id = ${tenant} and i.stage_of_job = any(${ids}) and i.status <> 'void'`,
    (tenant, ids) =>
      sql`select m.id, m.file_name as name from job_media m where m.tenant_id = ${tenant} and m.job_id = any(${ids})`,
    (tenant, ids) =>
      sql`select t.id, ${say`time of`}::text || ' ' || u.name as name from time_entries t
      join users u on u.id = t.user_id
      where t.tenant_id = ${tenant} and t.job_id = any(${ids})`,
    (tenant, ids) =>
      sql`select s.id, ${say`signature of`}::text || ' ' || s.name as name from job_signatures s
        where s.tenant_id = ${tenant} and s.job_id = any(${ids})`,
    (tenant, ids) => sql`select l.template_id as id, l.name from job_checklists l
      where l.tenant_id = ${tenant} and l.job_id = any(${ids}) and l.left_out_at is null`,
  ],
  quotes: [
    (tenant, ids) => sql`select j.id, j.display_number as name from jobs j
      where j.tenant_id = ${tenant} and j.quote_id = any(${ids}) and j.status <> 'cancelled'`,
    (tenant, ids) => sql`select i.id, i.display_number as name from invoices i
      where i.tenant_id = ${tenant} and i.quote_id = any(${ids}) and i.status <> 'void'`,
  ],
  plans: [
    (tenant, ids) => sql`select i.id, i.display_number as name from invoices i
      where i.tenant_id = ${tenant} and i.plan_id = any(${ids}) and i.status <> 'void'`,
  ],
  tags: [
    (tenant, ids) => sql`select c.id, c.display_name as name from customer_tags t
      join customers c on c.tenant_id = t.tenant_id and c.id = t.customer_id
      where t.tenant_id = ${tenant} and t.tag_id = any(${ids}) and c.archived_at is null`,
  ],
  catalog_categories: [
    (tenant, ids) =>
      sql`select c.id, c.name from catalog_categories c where c.tenant_id = ${tenant} and c.parent_id = any(${ids})`,
    (tenant, ids) => sql`select i.id, i.name from catalog_items i
      where i.tenant_id = ${tenant} and i.category_id = any(${ids}) and i.archived_at is null`,
  ],
}
