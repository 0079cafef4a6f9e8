import { RULE_ACTIONS } from '../audit.ts'
import { rowsOf, ENTERED_TENANT, readTenant, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/**
 * Entry of the security log: an account event, or a change of a company's access. `who` is the user concerned, and `by`
 * the one who did it if that is somebody else; null is the operator or the service.
 */
export type SecurityEntry = {
  id: string
  at: string
  /** An `AccountEventKind`, or the act of an audit row such as `keys.create`. */
  kind: string
  who: { id: string; name: string } | null
  by: { id: string; name: string } | null
  network: string | null
  device: string | null
  about: Readonly<Record<string, unknown>>
}

/** Last entry of the previous page. */
export type LogCursor = { at: string; id: string }

type Row = Omit<SecurityEntry, 'who' | 'by'> & {
  who_id: string | null
  who_name: string | null
  by_id: string | null
  by_name: string | null
}

/** Time a former member returned; null for members who never left. */
const returnedAt = sql`(select max(a.at) from audit a
    where a.tenant_id = ${ENTERED_TENANT} and a.record_id = m.user_id and a.tool = 'members.add'
  and exists (select 1 from audit r
    where r.tenant_id = ${ENTERED_TENANT} and r.record_id = m.user_id and r.tool = 'members.remove' and r.at < a.at))`

/** Condition: an event `e` is visible to the company of a member `m`. */
export const isVisibleToCompany = sql`e.user_id = m.user_id and m.deactivated_at is null
    and e.at >= coalesce(${returnedAt}, m.created_at)
  and coalesce(e.about ->> 'company', m.tenant_id::text) = m.tenant_id::text`

/** Lists the events of a user's account, newest first. */
export async function listAccountLog(database: Database, user: string, limit: number): Promise<SecurityEntry[]> {
  const rows = await rowsOf(
    database.send,
    sql<Row>`select ${accountColumns} from account_events e join users u on u.id = e.user_id
      where e.user_id = ${user} order by e.at desc, e.id desc
      limit ${limit}`,
  )
  return rows.map(entryOf)
}

/** Lists the events of every account, for the operator. */
export async function listWholeLog(database: Database, limit: number): Promise<SecurityEntry[]> {
  const rows = await rowsOf(
    database.send,
    sql<Row>`select ${accountColumns} from account_events e join users u on u.id = e.user_id
      order by e.at desc, e.id desc limit ${limit}`,
  )
  return rows.map(entryOf)
}

/**
 * Lists the log for an owner: account events of active members since they joined, except those of another company's
 * provider, and every change of the company's members, keys, apps, clients and access rules. For a member who returned,
 * it starts at their return.
 */
export async function listCompanyLog(
  database: Database,
  tenant: string,
  limit: number,
  after: LogCursor | null = null,
): Promise<SecurityEntry[]> {
  const rows = await readTenant(database, { tenant }, (db) =>
    db.all<Row>(sql`
      select * from (
        (select ${accountColumns} from members m join account_events e on ${isVisibleToCompany}
          join users u on u.id = e.user_id
          where m.tenant_id = ${db.tenant} ${beforeCursor(after, sql`e.at`, sql`e.id`)}
          order by e.at desc, e.id desc limit ${limit})
        union all
        (select ${companyColumns} from audit a left join users b on b.id = a.user_id
          where a.tenant_id = ${db.tenant} and a.record_id = ${db.tenant} and a.tool = any(${[...RULE_ACTIONS]}::text[])
            and (a.tool <> 'companies.set'
              or a.changed ?| ${[...RULES]}::text[]) ${beforeCursor(after, sql`a.at`, sql`a.id`)}
          order by a.at desc, a.id desc limit ${limit})
        union all
        (select a.id, a.at, a.tool as kind, w.id as who_id, w.name as who_name, b.id as by_id, b.name as by_name,
            null as network, null as device, a.changed as about
          from audit a left join users b on b.id = a.user_id
          left join users w on w.id = a.record_id and a.record_type in ('member', 'grant')
          where a.tenant_id = ${db.tenant}
            and a.record_type in ('member', 'key', 'grant', 'client') ${beforeCursor(after, sql`a.at`, sql`a.id`)}
          order by a.at desc, a.id desc limit ${limit})
      ) entries order by at desc, id desc limit ${limit}`),
  )
  return rows.map(entryOf)
}

const accountColumns = sql`e.id, e.at, e.kind, u.id as who_id, u.name as who_name, null::uuid as by_id,
  null::text as by_name, e.network, e.device, e.about`

const companyColumns = sql`a.id, a.at, a.tool as kind, null::uuid as who_id, null::text as who_name, b.id as by_id,
  b.name as by_name,
  null as network, null as device, a.changed as about`

/** Access rules among the settings that `companies.set` changes. */
const RULES = ['asks_second_factor', 'app_policy'] as const

const beforeCursor = (after: LogCursor | null, at: Sql, id: Sql): Sql =>
  after === null ? sql`` : sql`and (${at}, ${id}) < (${after.at}::timestamptz, ${after.id}::uuid)`

const entryOf = ({ who_id, who_name, by_id, by_name, ...entry }: Row): SecurityEntry => ({
  ...entry,
  who: who_id === null ? null : { id: who_id, name: who_name ?? '' },
  by: by_id === null ? null : { id: by_id, name: by_name ?? '' },
})
