import { sql, visiting, type Database, type Db } from '../../platform/db/tenant.ts'
import { networkOf } from '../addresses.ts'
import type { Origin } from '../security/account_events.ts'
import { deviceIn } from '../security/device.ts'
import type { AnySession } from './sessions.ts'

/** Is in days: for so long after its last use it is known where a session was used. */
export const SESSION_USES_KEPT_DAYS = 90

const HOUR_MS = 3_600_000

/** Limits the uses that a process remembers having noted; the oldest are noted again. */
const MAX_NOTED = 10_000

/** Holds when this process last noted a use. */
const noted = new Map<string, number>()

/** Notes, once an hour, that a session was used in a company from a network and a browser. */
export async function noteUse(
  database: Database,
  { id, user }: Pick<AnySession, 'id' | 'user'>,
  tenant: string,
  origin: Origin,
): Promise<void> {
  const { network, device } = placeOf(origin)
  const key = [tenant, id, network, device].join(' ')
  if (Date.now() - (noted.get(key) ?? -Infinity) < HOUR_MS) return
  if (noted.size >= MAX_NOTED) noted.delete(noted.keys().next().value!)
  noted.set(key, Date.now())
  await database.send(
    visiting(
      tenant,
      sql`insert into session_uses (tenant_id, session_id, user_id, network, device) values (${tenant}, ${id}, ${user.id}, ${network}, ${device})
        on conflict (tenant_id, session_id, network, device) do update set last_at = excluded.last_at`,
    ),
    { of: tenant },
  )
}

/** Tells whether members of the company used its pages from this network and browser lately. */
export async function isOffice(db: Db, origin: Origin): Promise<boolean> {
  const { network, device } = placeOf(origin)
  return (
    (await db.maybe(
      sql`select from session_uses where tenant_id = ${db.tenant} and network = ${network} and device = ${device} limit 1`,
    )) !== undefined
  )
}

const placeOf = ({ address, agent }: Origin): { network: string; device: string } => ({
  network: networkOf(address),
  device: deviceIn(agent) ?? '',
})
