import { createHash } from 'node:crypto'
import { readTenant, sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { Unavailable } from '../../../platform/errors/refusal.ts'
import { entryOf, type Caller } from '../caller.ts'

/** What a client can do for its person: open pages, show forms. */
type Abilities = { opensPages: boolean; fillsForms: boolean }

/** A client's software, from its `User-Agent`, and its abilities. */
type ClientIntroduction = Abilities & { software: string }

/**
 * Keeps what the client of a connection said of itself in its handshake; its later requests don't say it again. A
 * company that can't be written at the moment is no reason to refuse a handshake.
 */
export async function recordAbilities(
  database: Database,
  caller: Caller,
  { software, opensPages, fillsForms }: ClientIntroduction,
): Promise<void> {
  const earlier = await findAbilities(database, caller, software)
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
 * Returns the abilities of this software of a connection, if it was the last that said it has them. It judges no
 * access: it is asked after a call, which may have changed what its connection may do.
 */
export const findAbilities = (
  database: Database,
  { tenant, credential }: Caller,
  software: string,
): Promise<Abilities> =>
  readTenant(database, { tenant: tenant.id }, async (db) => {
    const digest = digestOf(software)
    const row = await db.maybe<Abilities>(sql`
      select coalesce(opens_pages = ${digest}, false) as "opensPages",
        coalesce(fills_forms = ${digest}, false) as "fillsForms"
      from credentials where tenant_id = ${db.tenant} and id = ${credential.id}`)
    return row ?? { opensPages: false, fillsForms: false }
  })

const digestOf = (software: string): Buffer => createHash('sha256').update(software).digest()
