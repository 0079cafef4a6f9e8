import { auditChange, type Actor } from '../identity/audit.ts'
import { requireOwner } from '../identity/permissions/rights.ts'
import { sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { notFound } from '../platform/errors/refusal.ts'

/**
 * Holds a connection that removed too much in a short time: its further removals wait for a person
 * (docs/spec/proposals.md#burst-limit). Notifications to the owner about this belong here.
 */
export async function holdConnection(db: Db, credential: string): Promise<void> {
  await db.run(sql`update credentials set held_at = moment()
    where tenant_id = ${db.tenant} and id = ${credential} and held_at is null`)
}

/** Ends the hold of a connection and resets its count. */
export async function releaseConnection(db: Db, credential: string): Promise<boolean> {
  const [released] = await Promise.all([
    db.run(sql`update credentials set held_at = null
      where tenant_id = ${db.tenant} and id = ${credential} and held_at is not null`),
    db.run(sql`delete from removal_marks where tenant_id = ${db.tenant} and credential_id = ${credential}`),
  ])
  return released > 0
}

export type HeldConnection = {
  id: string
  name: string
  kind: string
  user_id: string
  client_id: string | null
  held_at: string
}

export const listHeldConnections = (db: Db): Promise<HeldConnection[]> =>
  db.all<HeldConnection>(sql`select id, name, kind, user_id, client_id, held_at from credentials
    where tenant_id = ${db.tenant} and held_at is not null and revoked_at is null order by held_at desc`)

/** Ends the hold of a connection, on an owner's decision. */
export async function liftBurstLimit(database: Database, tenant: string, credential: string, by: Actor): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      if (!(await releaseConnection(db, credential))) throw notFound('held connection')
    },
    () => [auditChange(tenant, by, 'keys.release', credential, { held: [true, false] })],
  )
}
