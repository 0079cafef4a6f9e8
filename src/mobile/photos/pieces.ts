import { sql, type Db } from '../../platform/db/tenant.ts'
import { MAX_BYTES } from '../../files/screening/screening.ts'

/**
 * Maximum bytes of a chunk of a photo, and of all chunks of a user that wait for their events, with their maximum
 * count.
 */
export const MAX_PIECE_BYTES = 512 * 1024
const MAX_WAITING_BYTES = 200 * 2 ** 20
const MAX_WAITING_PIECES = 5_000

/** Key of a photo: its user, and the event it comes with. */
export type PhotoKey = { user: string; eventId: string }

/** Result of storing a chunk, and the bytes of its photo received so far. */
type PieceResult = { kept: boolean; received: number; problem?: 'elsewhere' | 'too_large' | 'too_much' }

/** Returns how many contiguous bytes of a photo have arrived, from its start. */
export const countReceivedBytes = async (db: Db, { user, eventId }: PhotoKey): Promise<number> =>
  (
    await db.one<{ received: number }>(sql`select coalesce(sum(length(bytes)), 0)::integer as received from field_pieces
      where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${eventId}`)
  ).received

/**
 * Stores the next chunk of a photo. A chunk that doesn't start where the last one ended is rejected; `received` is
 * where to resume.
 */
export async function savePiece(db: Db, key: PhotoKey, from: number, bytes: Buffer): Promise<PieceResult> {
  const [received, { waiting, pieces }] = await Promise.all([
    countReceivedBytes(db, key),
    db.one<{ waiting: number; pieces: number }>(sql`
      select coalesce(sum(length(bytes)), 0)::bigint as waiting, count(*)::integer as pieces from field_pieces
      where tenant_id = ${db.tenant} and user_id = ${key.user}`),
  ])
  if (from !== received) return { kept: false, received, problem: 'elsewhere' }
  if (from + bytes.length > MAX_BYTES) return { kept: false, received, problem: 'too_large' }
  if (waiting + bytes.length > MAX_WAITING_BYTES || pieces >= MAX_WAITING_PIECES)
    return { kept: false, received, problem: 'too_much' }
  const kept = await db.maybe(sql`
    insert into field_pieces (tenant_id, user_id, act_id, from_byte, bytes)
    values (${db.tenant}, ${key.user}, ${key.eventId}, ${from}, ${bytes}) on conflict do nothing returning act_id`)
  return kept === undefined
    ? { kept: false, received: await countReceivedBytes(db, key), problem: 'elsewhere' }
    : { kept: true, received: received + bytes.length }
}

/** Returns the complete photo. */
export async function readPhoto(db: Db, { user, eventId }: PhotoKey): Promise<Buffer> {
  const pieces = await db.all<{ bytes: Buffer }>(sql`select bytes from field_pieces
    where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${eventId} order by from_byte`)
  return Buffer.concat(pieces.map(({ bytes }) => bytes))
}

/** Deletes the chunks of a photo that is now a file, or must be sent again from the start. */
export const deletePieces = (db: Db, { user, eventId }: PhotoKey): Promise<number> =>
  db.run(sql`delete from field_pieces where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${eventId}`)
