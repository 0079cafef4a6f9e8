import { sql, type Database } from '../../platform/db/tenant.ts'
import type { Caller } from './caller.ts'

/** Records the use of credentials, and writes them in batches. */
export type LastUsed = { note(caller: Caller): void; stop(): Promise<void> }

/** Milliseconds between writes. `last_used_at` is accurate to a minute and costs a request nothing. */
const INTERVAL_MS = 30_000

/** Maintains `credentials.last_used_at`. A failed write is retried with the next one; `stop` writes the rest. */
export function openLastUsed(database: Database): LastUsed {
  let used = new Map<string, string>()
  const timer = setInterval(() => void write(), INTERVAL_MS).unref()

  async function write(): Promise<void> {
    const batch = used
    if (batch.size === 0) return
    used = new Map()
    const byTenant = Map.groupBy(batch, ([, tenant]) => tenant)
    try {
      await database.send(
        [...byTenant].flatMap(([tenant, uses]) => [
          sql`select enter_tenant(${tenant}, null, 0)`,
          sql`update credentials set last_used_at = moment()
            where tenant_id = ${tenant} and id = any(${uses.map(([credential]) => credential).sort()}::uuid[])`,
        ]),
      )
    } catch {
      for (const [credential, tenant] of batch) used.set(credential, tenant)
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
