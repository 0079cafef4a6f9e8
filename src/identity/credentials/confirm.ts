import { StaleAccess, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import type { Caller } from './caller.ts'

/** Throws `StaleAccess` if the caller's rights have changed since they were read. */
export type Confirm = (caller: Caller) => Promise<void>

type PendingConfirmation = { caller: Caller; resolve: () => void; reject: (error: unknown) => void }

/**
 * Confirms callers for answers that read no tenant row. Requests that arrive during a round trip share the next one, so
 * a check never sees state older than its request and costs a fraction of a query.
 */
export function openConfirmations(database: Database): Confirm {
  let pending: PendingConfirmation[] = []
  let isRunning = false

  async function confirmPending(): Promise<void> {
    isRunning = true
    while (pending.length > 0) {
      const batch = pending
      pending = []
      try {
        const versions = await readVersions(
          database,
          batch.map(({ caller }) => caller),
        )
        for (const { caller, resolve, reject } of batch) {
          if (versions.get(caller.credential.id) === caller.credential.version) resolve()
          else reject(new StaleAccess())
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }

  return (caller) =>
    new Promise((resolve, reject) => {
      pending.push({ caller, resolve, reject })
      if (!isRunning) void confirmPending()
    })
}

type VersionRow = { id: string; access_version: number }

async function readVersions(database: Database, callers: readonly Caller[]): Promise<Map<string, number>> {
  const byTenant = Map.groupBy(callers, ({ tenant }) => tenant.id)
  const statements = [...byTenant].flatMap(([tenant, members]): Sql<Partial<VersionRow>>[] => [
    sql`select enter_tenant(${tenant}, null, 0)`,
    sql`select id, access_version from credentials
      where tenant_id = ${tenant}
        and id = any(${[...new Set(members.map(({ credential }) => credential.id))]}::uuid[])`,
  ])
  const answers = await database.send(statements)
  return new Map(answers.flatMap(({ rows }) => rows).map(({ id = '', access_version = -1 }) => [id, access_version]))
}
