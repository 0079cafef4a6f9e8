import { insertSelected, sql, type Database } from '../../platform/db/tenant.ts'
import type { Caller } from './caller.ts'

/** Counts what the audit doesn't record: a connection's reads, proposals and refusals per tool. */
export type ToolUses = { note(caller: Caller, tool: string, kind: ToolUse): void; stop(): Promise<void> }

type ToolUse = 'read' | 'proposed' | 'refused'

/** Milliseconds between writes. The counts are accurate to a minute and cost a call nothing. */
const INTERVAL_MS = 30_000

/** Pending counts at which they are written at once. */
const MAX_PENDING = 5_000

type Use = { tenant: string; credential: string; day: string; tool: string }
type Count = Use & Record<ToolUse, number>

/** Maintains `tool_uses` by the company's day. A failed write is merged into the next one; `stop` writes the rest. */
export function openToolUses(database: Database, intervalMs = INTERVAL_MS): ToolUses {
  let counts = new Map<string, Count>()
  let pendingWrite = Promise.resolve()
  const dayIn = openDays()
  const timer = setInterval(() => void write(), intervalMs).unref()

  const write = (): Promise<void> => (pendingWrite = pendingWrite.then(writeAll))

  async function writeAll(): Promise<void> {
    const batch = [...counts.values()]
    if (batch.length === 0) return
    counts = new Map()
    try {
      await database.send(
        [...Map.groupBy(batch, ({ tenant }) => tenant)].flatMap(([tenant, tenantCounts]) => [
          sql`select enter_tenant(${tenant}, null, 0)`,
          insertToolUses(tenant, tenantCounts),
        ]),
      )
    } catch {
      for (const count of batch) add(count, count)
    }
  }

  function add(use: Use, { read, proposed, refused }: Record<ToolUse, number>): void {
    const key = `${use.credential} ${use.day} ${use.tool}`
    const existing = counts.get(key)
    if (existing === undefined) {
      if (counts.size < 2 * MAX_PENDING) counts.set(key, { ...use, read, proposed, refused })
      return
    }
    existing.read += read
    existing.proposed += proposed
    existing.refused += refused
  }

  return {
    note({ tenant, credential }, tool, kind) {
      const use = { tenant: tenant.id, credential: credential.id, day: dayIn(tenant.timezone), tool }
      add(use, { read: 0, proposed: 0, refused: 0, [kind]: 1 })
      if (counts.size === MAX_PENDING) void write()
    },
    stop: () => {
      clearInterval(timer)
      return write()
    },
  }
}

const insertToolUses = (tenant: string, counts: readonly Count[]) =>
  insertSelected(sql`
  insert into tool_uses as u (tenant_id, credential_id, day, tool, reads, proposals, refusals)
  select ${tenant}, r.credential, r.day, r.tool, r.read, r.proposed, r.refused
  from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) r(credential uuid, day date, tool text, read integer,
    proposed integer, refused integer)
    where exists (select 1 from credentials c where c.tenant_id = ${tenant} and c.id = r.credential)
  order by r.day, r.credential, r.tool
  on conflict (tenant_id, day, credential_id, tool) do update set reads = u.reads + excluded.reads,
    proposals = u.proposals + excluded.proposals, refusals = u.refusals + excluded.refusals`)

/** Returns a function for today's date in a time zone, cached per zone until the day ends. */
function openDays(): (zone: string) => string {
  const daysByZone = new Map<string, { day: string; ends: number }>()
  return (zone) => {
    const now = Date.now()
    const day = daysByZone.get(zone)
    if (day !== undefined && now < day.ends) return day.day
    const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).startOfDay()
    daysByZone.set(zone, { day: today.toPlainDate().toString(), ends: today.add({ days: 1 }).epochMilliseconds })
    return today.toPlainDate().toString()
  }
}
