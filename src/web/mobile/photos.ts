import { openPicture } from '../../files/catalog_pictures.ts'
import { readWebBody } from '../../platform/http/body.ts'
import { MAX_PIECE_BYTES, savePiece, countReceivedBytes, type PhotoKey } from '../../mobile/photos/pieces.ts'
import { findAppliedEvents } from '../../mobile/events/applied.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { isId } from '../../platform/validation/id.ts'
import type { MemberContext } from '../member_context.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'
import { catchFaults } from './faults.ts'
import { NO_STORE_HEADERS, requireFieldMember, fieldRefusal, unreadableRefusal } from './member.ts'

/** Returns how much of a photo has arrived, so that the phone can resume, and whether it is already on its visit. */
export async function showUpload(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  const name = readPhotoName(context, request)
  const [received, appliedEvents] = await catchFaults(site, () =>
    context.read((db) => Promise.all([countReceivedBytes(db, name), findAppliedEvents(db, [name.eventId])])),
  )
  return request.json({ received, ...(appliedEvents.size > 0 && { taken: true }) }, 200, NO_STORE_HEADERS)
}

/** Sends the company's copy of a catalog picture, for the phone to store. */
export async function showPicture(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  if (!context.may('read:catalog_items'))
    throw fieldRefusal(403, 'insufficient_scope', say`You don’t have permission to see the catalog. Ask an owner.`)
  const opened = await openPicture(context.read, site.storage, request.req.param('id') ?? '')
  if (opened === undefined) throw unreadableRefusal(404, 'not_found')
  return new Response(opened.body, { headers: { ...opened.headers, ...NO_STORE_HEADERS } })
}

/** Stores the next chunk of a photo; its event follows once it is complete. */
export async function receiveChunk(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  if (!context.may('write:jobs'))
    throw fieldRefusal(403, 'insufficient_scope', say`You don’t have permission to add photos to visits.`)
  const from = readOffset(request)
  const bytes = await readWebBody(request.req.raw, { maxBytes: MAX_PIECE_BYTES })
  if (bytes === 'too_large') throw unreadableRefusal(413, 'too_large')
  if (typeof bytes === 'string') throw new Error('The sender of a photo left')
  if (bytes.length === 0) throw unreadableRefusal(422, 'invalid_input')
  const name = readPhotoName(context, request)
  const { received, problem } = await catchFaults(site, () => context.write((db) => savePiece(db, name, from, bytes)))
  const body = { received }
  if (problem === 'elsewhere') throw unreadableRefusal(409, 'elsewhere', { body })
  if (problem === 'too_large') throw fieldRefusal(413, 'too_large', say`A photo can be up to 10 MB.`, { body })
  if (problem === 'too_much') {
    const headers = { 'Retry-After': '60' }
    throw fieldRefusal(429, 'too_much', say`Too many photos are waiting. Send what is on this phone first.`, {
      body,
      headers,
    })
  }
  return request.json(body, 200, NO_STORE_HEADERS)
}

function readPhotoName({ user }: MemberContext, request: PageRequest): PhotoKey {
  const eventId = request.req.param('act')!
  if (!isId(eventId)) throw unreadableRefusal(422, 'invalid_input')
  return { user: user.id, eventId }
}

function readOffset({ req }: PageRequest): number {
  const from = req.query('from') ?? ''
  if (!/^\d{1,8}$/.test(from)) throw unreadableRefusal(422, 'invalid_input')
  return Number(from)
}
