import { sql, asTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { networkOf } from '../addresses.ts'
import type { Origin } from '../security/account_events.ts'
import { deviceIn } from '../security/device.ts'
import type { AnySession } from './sessions.ts'

/** Days that a session's networks and devices are kept after their last use. */
const RETENTION_DAYS = 90

const HOUR_MS = 3_600_000

/** Maximum uses that a process remembers as recorded; the oldest are recorded again. */
const MAX_REMEMBERED = 10_000

/** Times this process last recorded each use. */
const recordedAt = new Map<string, number>()

/** Records, at most once an hour, the use of a session in a company from a network and a browser. */
export async function recordSessionUse(
  database: Database,
  { id, user }: Pick<AnySession, 'id' | 'user'>,
  tenant: string,
  origin: Origin,
): Promise<void> {
  const { network, device } = deviceOf(origin)
  const key = [tenant, id, network, device].join(' ')
  if (Date.now() - (recordedAt.get(key) ?? -Infinity) < HOUR_MS) return
  const oldest = recordedAt.keys().next().value
  if (recordedAt.size >= MAX_REMEMBERED && oldest !== undefined) recordedAt.delete(oldest)
  recordedAt.set(key, Date.now())
  await database.send(
    asTenant(
      tenant,
      sql`insert into session_uses (tenant_id, session_id, user_id, network, device)
        values (${tenant}, ${id}, ${user.id}, ${network}, ${device})
        on conflict (tenant_id, session_id, network, device) do update set last_at = excluded.last_at`,
    ),
    { of: tenant },
  )
}

/** Checks whether a member of the company recently used its pages from this network and browser. */
export async function isOfficeDevice(db: Db, origin: Origin): Promise<boolean> {
  const { network, device } = deviceOf(origin)
  return (
    (await db.maybe(
      sql`select from session_uses where tenant_id = ${db.tenant} and network = ${network} and device = ${device}
        limit 1`,
    )) !== undefined
  )
}

/** Removes networks and devices without recent use. */
export const sweepSessionUses = (db: Db, now: Temporal.Instant): Promise<number> =>
  db.run(
    sql`delete from session_uses
      where tenant_id = ${db.tenant} and last_at < ${utc(now.subtract({ hours: 24 * RETENTION_DAYS }))}`,
  )

const deviceOf = ({ address, agent }: Origin): { network: string; device: string } => ({
  network: networkOf(address),
  device: deviceIn(agent) ?? '',
})
