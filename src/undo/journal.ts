import { sql, type Db, type Sql } from '../platform/db/tenant.ts'

/** Row that a change wrote, with its image before it. `op` is its first operation on the row, `last` its last. */
export type JournaledRow = {
  change: string
  kind: string
  key: string
  op: Op
  last: Op
  image: string
  first_at: string
  last_at: string
}
type Op = 'insert' | 'update' | 'delete'

/** Returns the rows that changes wrote, once per change, in the order of their first writes. */
export const listWrittenRows = (db: Db, changes: readonly string[]): Promise<JournaledRow[]> =>
  db.all<JournaledRow>(sql`
    select change_id as change, kind, key, (array_agg(op order by at))[1] as op,
      (array_agg(op order by at desc))[1] as last,
      (array_agg(id order by at))[1] as image, min(at)::text as first_at, max(at)::text as last_at
    from journal where tenant_id = ${db.tenant} and change_id = any(${[...changes]}::uuid[])
    group by change_id, kind, key order by min(at), kind, key`)

/** Later write of a row: its author, null for the service itself, and its time. */
export type LaterWrite = {
  change: string
  key: string
  at: string
  moment: string
  by: string | null
  is_audited: boolean
}

/** Returns every write of the rows since a time, except those of undone changes and of their undos. */
export const listLaterWrites = (db: Db, keys: readonly string[], since: string): Promise<LaterWrite[]> =>
  db.all<LaterWrite>(sql`
    select j.change_id as change, j.key, max(j.at)::text as at, max(j.at)::timestamptz(3) as moment, max(w.by) as by,
      coalesce(bool_or(w.is_audited), false) as is_audited
    from journal j left join lateral (
      select coalesce(case when c.kind = 'browser' then u.name else c.name end, u.name, a.client) as by,
        true as is_audited
      from audit a left join users u on u.id = a.user_id
      left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
      where a.tenant_id = ${db.tenant} and a.change_id = j.change_id order by a.id limit 1) w on true
    where j.tenant_id = ${db.tenant} and j.key = any(${[...keys]}) and j.at >= ${since}::timestamptz
      and not exists (select 1 from undone d
        where d.tenant_id = ${db.tenant} and d.stands and (d.change_id = j.change_id or d.by_change = j.change_id))
    group by j.change_id, j.key`)

/** Days to keep the rows from before a change. */
export const JOURNAL_DAYS = 30

/** Deletes up to `limit` journal rows from before a time. Returns their number. */
export const sweepJournal = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from journal where tenant_id = ${db.tenant} and (change_id, id) in (
    select change_id, id from journal where tenant_id = ${db.tenant}
      and change_id < ${minChangeId(before)} limit ${limit})`)

/**
 * Returns the condition for journal rows about some records: their own rows by id, or a customer's by the columns that
 * name one.
 */
export const whereAboutRecords = (ids: readonly string[]): Sql => sql`key = any(${[...ids]})
    or split_part(key, ':', 1) = any(${[...ids]}) or split_part(key, ':', 2) = any(${[...ids]})
    or image ->> 'customer_id' = any(${[...ids]}) or image ->> 'subject_id' = any(${[...ids]})`

/** Returns the smallest id of a change that began at a time: a version 7 UUID begins with its time. */
function minChangeId(at: string): string {
  const time = Date.parse(at).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
