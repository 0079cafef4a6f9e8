import { createHash } from 'node:crypto'
import { readTenant, sql, writeTenant, type Database } from '../../platform/db/tenant.ts'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { entryOf, type Caller } from './caller.ts'

/** A client's software, from its `User-Agent`, and whether it opens pages for its person. */
type ClientIntroduction = { software: string; opensPages: boolean }

/**
 * Keeps what the client of a connection said of itself in its handshake; its later requests don't say it again. A
 * company that can't be written at the moment is no reason to refuse a handshake.
 */
export async function recordPageOpener(
  database: Database,
  caller: Caller,
  { software, opensPages }: ClientIntroduction,
): Promise<void> {
  if ((await isPageOpener(database, caller, software)) === opensPages) return
  const digest = opensPages ? digestOf(software) : null
  const noted = writeTenant(database, entryOf(caller), (db) =>
    db.run(
      sql`update credentials set opens_pages = ${digest}
        where tenant_id = ${db.tenant} and id = ${caller.credential.id}`,
    ),
  )
  await noted.catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error
  })
}

/**
 * Checks whether this software of a connection was the last that said it opens pages. It judges no access: it is asked
 * after a call, which may have changed what its connection may do.
 */
export const isPageOpener = (database: Database, { tenant, credential }: Caller, software: string): Promise<boolean> =>
  readTenant(database, { tenant: tenant.id }, async (db) => {
    const row = await db.maybe<{ opens: boolean }>(sql`
      select coalesce(opens_pages = ${digestOf(software)}, false) as opens from credentials
      where tenant_id = ${db.tenant} and id = ${credential.id}`)
    return row?.opens === true
  })

const digestOf = (software: string): Buffer => createHash('sha256').update(software).digest()
