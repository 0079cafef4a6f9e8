import { createHash } from 'node:crypto'
import { readTenant, sql, writeTenant, type Database } from '../../db/tenant.ts'
import { entryOf, type Caller } from './caller.ts'

/** Says what software a client is, by its `User-Agent`, and whether it opens pages for its person. */
export type Introduced = { software: string; opensPages: boolean }

/** Keeps what the client of a connection said of itself in its handshake; its later requests don't say it again. */
export async function noteOpener(
  database: Database,
  caller: Caller,
  { software, opensPages }: Introduced,
): Promise<void> {
  const digest = digestOf(software)
  const mine = sql`tenant_id = ${caller.tenant.id} and id = ${caller.credential.id}`
  await writeTenant(database, entryOf(caller), (db) =>
    db.run(
      opensPages
        ? sql`update credentials set opens_pages = ${digest} where ${mine} and opens_pages is distinct from ${digest}`
        : sql`update credentials set opens_pages = null where ${mine} and opens_pages = ${digest}`,
    ),
  )
}

/** Tells whether this software of a connection was the last that said it opens pages. */
export const isOpener = (database: Database, caller: Caller, software: string): Promise<boolean> =>
  readTenant(database, entryOf(caller), async (db) => {
    const found = await db.maybe<{ opens: boolean }>(sql`
      select coalesce(opens_pages = ${digestOf(software)}, false) as opens from credentials
      where tenant_id = ${db.tenant} and id = ${caller.credential.id}`)
    return found?.opens === true
  })

const digestOf = (software: string): Buffer => createHash('sha256').update(software).digest()
