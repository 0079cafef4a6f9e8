import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import { auditColumns, groupByChange, type AuditedChange, type ChangeEntry } from './changes.ts'
import type { Connection } from './connections.ts'

/** Activity of a connection on a day. `proposals` counts the calls that a person decides on. */
export type DayActivity = {
  reads: number
  proposals: number
  refusals: number
  changed: number
  changes: readonly AuditedChange[]
  hasMore: boolean
}

/** Time span, excluding its end. */
export type Span = { from: string; until: string }

/** Changes of a connection close together in time, newest first, and the span that contains only them. */
export type WorkSession = { changes: readonly AuditedChange[]; span: Span }

/** Maximum pause in minutes between changes of one work session. */
const MAX_PAUSE_MINUTES = 30

/** Splits the changes of one connection, newest first, at its pauses. */
export function groupWorkSessions(changes: readonly AuditedChange[]): WorkSession[] {
  const sessions: { changes: AuditedChange[]; first: string; last: string }[] = []
  for (const change of changes) {
    const later = sessions.at(-1)
    if (later !== undefined && Date.parse(later.first) - Date.parse(change.at) <= MAX_PAUSE_MINUTES * 60_000) {
      later.changes.push(change)
      later.first = change.at
    } else sessions.push({ changes: [change], first: change.at, last: change.at })
  }
  return sessions.map(({ changes, first, last }) => ({
    changes,
    span: { from: first, until: new Date(Date.parse(last) + 1).toISOString() },
  }))
}

type ActivityCounts = { credential_id: string; reads: number; proposals: number; refusals: number; changed: number }

/** Returns the connections' activity on a day, each with its newest changes from at most `limit` audit rows. */
export async function findActivity(
  db: Db,
  connections: readonly Connection[],
  day: string,
  { from, until }: Span,
  limit: number,
): Promise<Map<Connection, DayActivity>> {
  const credentialIds = connections.flatMap(({ credentials }) => credentials)
  if (credentialIds.length === 0) return new Map()
  const [counts, rows] = await Promise.all([
    db.all<ActivityCounts>(sql`
      select credential_id, sum(reads)::int as reads, sum(proposals)::int as proposals, sum(refusals)::int as refusals,
        sum(changed)::int as changed
      from (
        select u.credential_id, u.reads, u.proposals, u.refusals, 0 as changed from tool_uses u
        where u.tenant_id = ${db.tenant} and u.day = ${day} and u.credential_id = any(${credentialIds}::uuid[])
        union all select a.credential_id, 0, 0, 0, count(distinct a.record_id) from audit a
        where a.tenant_id = ${db.tenant} and a.at >= ${from} and a.at < ${until}
          and a.credential_id = any(${credentialIds}::uuid[])
        group by a.credential_id) w group by credential_id`),
    db.all<ChangeEntry & { credential_id: string }>(sql`
      select * from (
        select ${auditColumns}, a.credential_id,
          row_number() over (partition by c.kind, coalesce(c.client_id, c.id::text), c.user_id
            order by a.at desc, a.id desc) as place
        from audit a join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
        left join users u on u.id = a.user_id
        where a.tenant_id = ${db.tenant} and a.at >= ${from} and a.at < ${until}
          and a.credential_id = any(${credentialIds}::uuid[])) n
      where n.place <= ${limit + 1} order by n.place`),
  ])
  return new Map(
    connections.flatMap((connection) => {
      const ownCounts = counts.filter(({ credential_id }) => connection.credentials.includes(credential_id))
      const written = rows.filter(({ credential_id }) => connection.credentials.includes(credential_id))
      if (ownCounts.length === 0) return []
      const sum = (of: (count: ActivityCounts) => number): number =>
        ownCounts.reduce((total, count) => total + of(count), 0)
      return [
        [
          connection,
          {
            reads: sum(({ reads }) => reads),
            proposals: sum(({ proposals }) => proposals),
            refusals: sum(({ refusals }) => refusals),
            changed: sum(({ changed }) => changed),
            changes: groupByChange(written.slice(0, limit)),
            hasMore: written.length > limit,
          },
        ] as const,
      ]
    }),
  )
}

/** Assistant, and the number of records that it changed in a span. */
type BusyAssistant = { name: string; id: string; changed: number }

/**
 * Returns the three assistants that changed the most records in a span, without undone changes. Owners see all, others
 * their own.
 */
export const listBusyAssistants = (db: Db, { role, user }: Caller, { from, until }: Span): Promise<BusyAssistant[]> =>
  db.all<BusyAssistant>(sql`
    select max(c.name) as name, (array_agg(c.id order by a.at desc))[1] as id,
      count(distinct a.record_id)::int as changed
    from audit a join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
    where a.tenant_id = ${db.tenant} and a.at >= ${from} and a.at < ${until} and c.kind <> 'browser'
      and not exists (select 1 from tenants t where t.id = a.tenant_id and t.is_demo
        and a.at < coalesce((select min(s.first_at) from session_uses s where s.tenant_id = ${db.tenant}), now()))
      and (${role === 'owner'} or c.user_id = ${user})
      and not exists (select 1 from undone d
        where d.tenant_id = ${db.tenant} and d.change_id = a.change_id and d.stands)
    group by c.kind, coalesce(c.client_id, c.id::text), c.user_id order by changed desc, name limit 3`)

/** Days to keep counts of reads and refusals. */
const USES_RETENTION_DAYS = 90

/** Deletes counts of reads and refusals that are older than that. */
export const sweepToolUses = (db: Db, now: Temporal.Instant): Promise<number> =>
  db.run(
    sql`delete from tool_uses
      where tenant_id = ${db.tenant} and day < ${utc(now.subtract({ hours: 24 * USES_RETENTION_DAYS })).slice(0, 10)}`,
  )
