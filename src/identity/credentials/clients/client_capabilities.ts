import { createHash } from 'node:crypto'
import { readTenant, sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { Unavailable } from '../../../platform/errors/refusal.ts'
import { entryOf, type Caller } from '../caller.ts'

type ClientCapabilities = { opensPages: boolean; fillsForms: boolean }

/** Client's software, from its `User-Agent`, and its capabilities. */
type DeclaredCapabilities = ClientCapabilities & { software: string }

/**
 * Saves the capabilities that a client declared in its handshake, because later requests don't repeat them. A company
 * that can't be written to at the moment doesn't fail the handshake.
 */
export async function saveClientCapabilities(
  database: Database,
  caller: Caller,
  { software, opensPages, fillsForms }: DeclaredCapabilities,
): Promise<void> {
  const earlier = await findClientCapabilities(database, caller, software)
  if (earlier.opensPages === opensPages && earlier.fillsForms === fillsForms) return
  const digest = digestOf(software)
  const [pages, forms] = [opensPages ? digest : null, fillsForms ? digest : null]
  const written = writeTenant(database, entryOf(caller), (db) =>
    db.run(sql`update credentials set opens_pages = ${pages}, fills_forms = ${forms}
      where tenant_id = ${db.tenant} and id = ${caller.credential.id}`),
  )
  await written.catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error
  })
}

/**
 * Returns the capabilities of a connection's software, if it was the last to declare them. Makes no access check: it
 * runs after a call that may have changed the connection's rights.
 */
export const findClientCapabilities = (
  database: Database,
  { tenant, credential }: Caller,
  software: string,
): Promise<ClientCapabilities> =>
  readTenant(database, { tenant: tenant.id }, async (db) => {
    const digest = digestOf(software)
    const row = await db.maybe<ClientCapabilities>(sql`
      select coalesce(opens_pages = ${digest}, false) as "opensPages",
        coalesce(fills_forms = ${digest}, false) as "fillsForms"
      from credentials where tenant_id = ${db.tenant} and id = ${credential.id}`)
    return row ?? { opensPages: false, fillsForms: false }
  })

const digestOf = (software: string): Buffer => createHash('sha256').update(software).digest()
