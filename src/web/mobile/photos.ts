import { readWebBody } from '../../platform/http/body.ts'
import { MAX_PIECE_BYTES, savePiece, countReceivedBytes, type PhotoName } from '../../mobile/photos/pieces.ts'
import { findAppliedEvents } from '../../mobile/events/applied.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { isId } from '../../platform/validation/id.ts'
import type { MemberContext } from '../member_context.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'
import { catchFaults } from './faults.ts'
import { NO_STORE_HEADERS, requireFieldMember, fieldRefusal } from './member.ts'

/** Says how much of a photo is here, so that its phone goes on from there, and whether it is on its visit already. */
export async function showUpload(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, visit)
  const name = readPhotoName(context, visit)
  const [received, taken] = await catchFaults(site, () =>
    context.read((db) => Promise.all([countReceivedBytes(db, name), findAppliedEvents(db, [name.act])])),
  )
  return visit.json({ received, ...(taken.size > 0 && { taken: true }) }, 200, NO_STORE_HEADERS)
}

/** Keeps the next piece of a photo, whose act comes when it is whole. */
export async function receiveChunk(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, visit)
  if (!context.may('write:jobs'))
    throw fieldRefusal(403, 'insufficient_scope', say`You don’t have permission to add photos to visits.`)
  const from = readOffset(visit)
  const bytes = await readWebBody(visit.req.raw, { maxBytes: MAX_PIECE_BYTES })
  if (bytes === 'too_large') throw fieldRefusal(413, 'too_large', `A piece has at most ${MAX_PIECE_BYTES / 1024} kB`)
  if (typeof bytes === 'string') throw new Error('The sender of a photo left')
  if (bytes.length === 0) throw fieldRefusal(422, 'invalid_input', 'A piece has at least one byte')
  const name = readPhotoName(context, visit)
  const { received, problem } = await catchFaults(site, () => context.write((db) => savePiece(db, name, from, bytes)))
  const body = { received }
  if (problem === 'elsewhere')
    throw fieldRefusal(409, 'elsewhere', `The next byte is ${received} (got ${from}); go on from there`, { body })
  if (problem === 'too_large') throw fieldRefusal(413, 'too_large', say`A photo can be up to 10 MB.`, { body })
  if (problem === 'too_much') {
    const headers = { 'Retry-After': '60' }
    throw fieldRefusal(429, 'too_much', say`Too many photos are waiting. Send what is on this phone first.`, {
      body,
      headers,
    })
  }
  return visit.json(body, 200, NO_STORE_HEADERS)
}

function readPhotoName({ user }: MemberContext, visit: PageRequest): PhotoName {
  const act = visit.req.param('act')!
  if (!isId(act)) throw fieldRefusal(422, 'invalid_input', 'A photo has the id of its act, a UUID')
  return { user: user.id, act }
}

function readOffset({ req }: PageRequest): number {
  const from = req.query('from') ?? ''
  if (!/^\d{1,8}$/.test(from))
    throw fieldRefusal(422, 'invalid_input', 'from must be the number of bytes before this piece')
  return Number(from)
}
