import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'

/** Maximum bytes of one statement. */
export const PIECE_BYTES = 2 ** 20

/**
 * Runs a statement that contains bytes. Sends large ones first in pieces, one round trip each, so that the duration of
 * a round trip doesn't depend on their size.
 */
export async function runWithBytes(db: Db, bytes: Buffer, statement: (bytes: Sql) => Sql): Promise<number> {
  if (bytes.length <= PIECE_BYTES) return db.run(statement(sql`${bytes}::bytea`))
  const id = newId()
  for (let at = 0, position = 0; at < bytes.length; at += PIECE_BYTES, position++) {
    await db.run(
      sql`insert into incoming_pieces (tenant_id, id, position, bytes)
        values (${db.tenant}, ${id}, ${position}, ${bytes.subarray(at, at + PIECE_BYTES)})`,
    )
  }
  const assembled = sql`incoming_whole(${db.tenant}, ${id})`
  const [rowCount] = await Promise.all([
    db.run(statement(assembled)),
    db.run(sql`delete from incoming_pieces where tenant_id = ${db.tenant} and id = ${id}`),
  ])
  return rowCount
}
