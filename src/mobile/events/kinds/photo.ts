import { createHash } from 'node:crypto'
import { z } from 'zod'
import { sql } from '../../../platform/db/tenant.ts'
import { MEDIA_STAGES } from '../../../records/jobs/index.ts'
import { MAX_BYTES } from '../../../files/screening/screening.ts'
import { claimMedia, discardMedia, storeMedia } from '../../../files/job_media.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { choice, wholeNumber } from '../../../platform/validation/fields.ts'
import { deletePieces, readPhoto, countReceivedBytes } from '../../photos/pieces.ts'
import { phoneOwner, definePreparedKind, type PhoneContext } from '../kind.ts'
import { refusals } from '../refusals.ts'

/** Adds a photo to its visit, even a canceled one, once all its chunks are there: it is verified and stored first. */
export const photo = definePreparedKind(
  {
    name: z.string().min(1).max(300),
    type: z.string().max(100),
    bytes: wholeNumber(1, MAX_BYTES),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 hexadecimal digits'),
    caption: z.string().max(1_000).optional(),
    stage: choice(...MEDIA_STAGES).optional(),
  },
  async (context, { id, job_id, name, type, bytes, sha256, caption, stage }) => {
    const content = await readWholePhoto(context, id, { bytes, sha256 })
    const upload = { name, type, content, caption, stage }
    const stored = await context.asCaller((caller) => storeMedia(context, caller, job_id, upload))
    return {
      apply: async ({ db, caller }) => {
        await claimMedia(db, caller, job_id, stored, { evenCancelled: true })
        await deletePieces(db, { ...phoneOwner(caller), eventId: id })
        await db.run(sql`update field_acts set record_id = ${stored.id} where tenant_id = ${db.tenant} and id = ${id}`)
      },
      discard: () => discardMedia(context, stored),
    }
  },
)

/** Returns the photo once it is complete. Chunks with a wrong checksum are deleted, so that it can be sent again. */
async function readWholePhoto(
  context: PhoneContext,
  eventId: string,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<Buffer> {
  const key = { ...phoneOwner(context.caller), eventId }
  const received = await context.read((db) => countReceivedBytes(db, key))
  if (received < bytes) throw invalidField('bytes', refusals.photoIncomplete({ received, bytes }))
  const content = await context.read((db) => readPhoto(db, key))
  if (content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256) return content
  await context.write((db) => deletePieces(db, key))
  throw invalidField('sha256', refusals.photoDamaged())
}
