import { sql, type Db, type Sql } from '../db/tenant.ts'

/** The chore that has storage let go of files. */
export const FILE_REMOVALS = 'file_removals'

/** Time for a file that is being put into storage to get its row. */
const UNCLAIMED_HOURS = 1

/** Written down before a file is put into storage: without a row of its own in time it is removed again. */
export const expectFile = (db: Db, key: string): Promise<number> =>
  db.run(sql`insert into file_removals (tenant_id, storage_key, due_at) values (${db.tenant}, ${key}, moment() + make_interval(hours => ${UNCLAIMED_HOURS}))`)

/** In the transaction of the file's row: it stays. A fault when it came too late, since the file may be gone by then. */
export async function claimFile(db: Db, key: string): Promise<void> {
  await db.one(sql`delete from file_removals where tenant_id = ${db.tenant} and storage_key = ${key} and due_at > moment() returning storage_key`)
}

/** For a file that gets no row: it goes soon. One that was claimed stays, even where nobody heard of the commit. */
export const giveUpFile = (db: Db, key: string): Promise<unknown> => Promise.all([
  db.run(sql`update file_removals set due_at = moment() where tenant_id = ${db.tenant} and storage_key = ${key}`),
  db.run(asking(db)),
])

/** In the transaction that takes the file's row away: it goes soon. */
export const releaseFile = (db: Db, key: string): Promise<unknown> => Promise.all([
  db.run(sql`insert into file_removals (tenant_id, storage_key, due_at) values (${db.tenant}, ${key}, moment())`),
  db.run(asking(db)),
])

const asking = (db: Db): Sql => sql`select ask_chore(${db.tenant}, ${FILE_REMOVALS})`

/** The next files to go, after a key. */
export const removableFiles = (db: Db, after: string): Promise<{ storage_key: string }[]> =>
  db.all(sql`select storage_key from file_removals where tenant_id = ${db.tenant} and due_at <= moment() and storage_key > ${after} order by storage_key limit 100`)

/** Storage has let go of it. */
export const forgetFile = (db: Db, key: string): Promise<number> =>
  db.run(sql`delete from file_removals where tenant_id = ${db.tenant} and storage_key = ${key} and due_at <= moment()`)
