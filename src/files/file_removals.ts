import { sql, type Db, type Sql } from '../platform/db/tenant.ts'

/** Task that removes files from storage. */
export const FILE_REMOVAL_TASK = 'file_removals'

/** Hours within which a stored file must get its row. */
const UNCLAIMED_HOURS = 1

/** Records that a file is about to be stored. It is removed again unless a row claims it in time. */
export const reserveFile = (db: Db, key: string): Promise<number> =>
  db.run(
    sql`insert into file_removals (tenant_id, storage_key, due_at)
      values (${db.tenant}, ${key}, moment() + make_interval(hours => ${UNCLAIMED_HOURS}))`,
  )

/**
 * Claims a file in the transaction that adds its row, so that it stays. Throws if it is too late, because the file may
 * be gone.
 */
export async function claimFile(db: Db, key: string): Promise<void> {
  await db.one(
    sql`delete from file_removals where tenant_id = ${db.tenant} and storage_key = ${key} and due_at > moment()
      returning storage_key`,
  )
}

/**
 * Gives up a file that gets no row, so that it is removed soon. A claimed file stays, even if its commit was never
 * confirmed.
 */
export const abandonFile = (db: Db, key: string): Promise<unknown> =>
  Promise.all([
    db.run(sql`update file_removals set due_at = moment() where tenant_id = ${db.tenant} and storage_key = ${key}`),
    db.run(requestRemovals(db)),
  ])

/** Releases a file in the transaction that removes its row, so that it is removed soon. */
export const releaseFile = (db: Db, key: string): Promise<unknown> =>
  Promise.all([
    db.run(sql`insert into file_removals (tenant_id, storage_key, due_at) values (${db.tenant}, ${key}, moment())`),
    db.run(requestRemovals(db)),
  ])

const requestRemovals = (db: Db): Sql => sql`select ask_chore(${db.tenant}, ${FILE_REMOVAL_TASK})`

/** Returns the next files to remove, after a key. */
export const listRemovableFiles = (db: Db, after: string): Promise<{ storage_key: string }[]> =>
  db.all(
    sql`select storage_key from file_removals
      where tenant_id = ${db.tenant} and due_at <= moment() and storage_key > ${after} order by storage_key limit 100`,
  )

/** Removes the entry of a file that storage has removed. */
export const deleteRemoval = (db: Db, key: string): Promise<number> =>
  db.run(sql`delete from file_removals where tenant_id = ${db.tenant} and storage_key = ${key} and due_at <= moment()`)
