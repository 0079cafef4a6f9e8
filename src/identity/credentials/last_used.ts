import { sql, type Database } from '../../platform/db/tenant.ts'
import type { Caller } from './caller.ts'

/** Notes that a credential was used; notes are written together, a while later. */
export type LastUsed = { note(caller: Caller): void; stop(): Promise<void> }

/** Milliseconds between two writes: `last_used_at` is accurate to a minute and costs a request nothing. */
const PAUSE = 30_000

/** Keeps `credentials.last_used_at`. What can't be written is tried again with the next; `stop` writes the rest. */
export function openLastUsed(database: Database): LastUsed {
  let used = new Map<string, string>()
  const timer = setInterval(() => void write(), PAUSE).unref()

  async function write(): Promise<void> {
    const noted = used
    if (noted.size === 0) return
    used = new Map()
    const byTenant = Map.groupBy(noted, ([, tenant]) => tenant)
    try {
      await database.send(
        [...byTenant].flatMap(([tenant, uses]) => [
          sql`select enter_tenant(${tenant}, null, 0)`,
          sql`update credentials set last_used_at = moment()
            where tenant_id = ${tenant} and id = any(${uses.map(([credential]) => credential).sort()}::uuid[])`,
        ]),
      )
    } catch {
      for (const [credential, tenant] of noted) used.set(credential, tenant)
    }
  }

  return {
    note: ({ credential, tenant }) => void used.set(credential.id, tenant.id),
    stop: () => {
      clearInterval(timer)
      return write()
    },
  }
}
