import { sql, type Db } from '../../platform/db/tenant.ts'
import { MAX_BYTES } from '../../files/screening/screening.ts'

/**
 * Limits a piece of a photo, and the bytes and pieces that all photos of a person may have while they wait for their
 * acts.
 */
export const MAX_PIECE_BYTES = 512 * 1024
const MAX_WAITING_BYTES = 200 * 2 ** 20
const MAX_WAITING_PIECES = 5_000

/** Names a photo: whose it is, and the act that it comes with. */
export type PhotoName = { user: string; act: string }

/** Outcome of storing a piece, and the bytes of its photo received so far. */
type PieceResult = { kept: boolean; received: number; problem?: 'elsewhere' | 'too_large' | 'too_much' }

/** Returns how many bytes of a photo are here, from its first one without a gap. */
export const countReceivedBytes = async (db: Db, { user, act }: PhotoName): Promise<number> =>
  (
    await db.one<{ received: number }>(sql`select coalesce(sum(length(bytes)), 0)::integer as received from field_pieces
      where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${act}`)
  ).received

/**
 * Keeps the next piece of a photo. One that doesn't go on where the last one ended is not kept, and it is said where to
 * go on.
 */
export async function savePiece(db: Db, name: PhotoName, from: number, bytes: Buffer): Promise<PieceResult> {
  const [received, { waiting, pieces }] = await Promise.all([
    countReceivedBytes(db, name),
    db.one<{ waiting: number; pieces: number }>(sql`
      select coalesce(sum(length(bytes)), 0)::bigint as waiting, count(*)::integer as pieces from field_pieces
      where tenant_id = ${db.tenant} and user_id = ${name.user}`),
  ])
  if (from !== received) return { kept: false, received, problem: 'elsewhere' }
  if (from + bytes.length > MAX_BYTES) return { kept: false, received, problem: 'too_large' }
  if (waiting + bytes.length > MAX_WAITING_BYTES || pieces >= MAX_WAITING_PIECES)
    return { kept: false, received, problem: 'too_much' }
  const kept = await db.maybe(sql`
    insert into field_pieces (tenant_id, user_id, act_id, from_byte, bytes)
    values (${db.tenant}, ${name.user}, ${name.act}, ${from}, ${bytes}) on conflict do nothing returning act_id`)
  return kept === undefined
    ? { kept: false, received: await countReceivedBytes(db, name), problem: 'elsewhere' }
    : { kept: true, received: received + bytes.length }
}

/** Returns a photo whole. */
export async function readPhoto(db: Db, { user, act }: PhotoName): Promise<Buffer> {
  const pieces = await db.all<{ bytes: Buffer }>(sql`select bytes from field_pieces
    where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${act} order by from_byte`)
  return Buffer.concat(pieces.map(({ bytes }) => bytes))
}

/** Forgets the pieces of a photo, which is a file now or is to be sent from its beginning. */
export const deletePieces = (db: Db, { user, act }: PhotoName): Promise<number> =>
  db.run(sql`delete from field_pieces where tenant_id = ${db.tenant} and user_id = ${user} and act_id = ${act}`)
