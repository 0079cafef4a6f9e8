// @ts-check
// Sends what waits and fetches the day: after each act, when there is a connection again, and when the page is looked
// at. A fault is tried again, later each time, while the page is open; nothing runs behind it.

import { say } from '../views/field_words.js'
import { cacheCatalogPictures } from './field_pictures.js'
import { get, remove } from './field_store.js'
import {
  notifyChange,
  forgetDays,
  cachedVersions,
  storeDay,
  phone,
  readEvents,
  saveOutcome,
  pruneEvents,
  waitingEvents,
  completeDay,
} from './field_phone.js'

/** @typedef {import('./field_phone.js').StoredEvent} StoredEvent*/

const [PIECE_BYTES, MAX_EVENTS, MAX_CHARACTERS] = [256 * 1024, 50, 60_000]
const [MIN_DELAY, MAX_DELAY] = [2_000, 60_000]
const OUTCOMES = ['done', 'conflict', 'refused']
/** Timeout in milliseconds. A piece gets through at 5 kB a second. */
const TIMEOUT = 60_000

let isBusy = false
let isRequested = false
let tries = 0
let timer = 0
let etag = ''

/** Thrown if the server can't be reached or can't answer now. */
export class ServiceUnavailableError extends Error {
  /** @param {number} seconds */
  constructor(seconds = 0) {
    super('The service is away')
    this.seconds = seconds
  }
}

/** Thrown if someone has to act first. */
class ActionNeededError extends Error {}

/** Sends all that waits, then fetches the day; one at a time, in one page of the browser. */
export async function sendAndSync() {
  isRequested = true
  if (isBusy || phone.company === '') return
  isBusy = true
  clearTimeout(timer)
  try {
    await withLock(async () => {
      while (isRequested) {
        isRequested = false
        await runSync()
      }
    })
    tries = 0
  } catch (error) {
    if (error instanceof ServiceUnavailableError) scheduleRetry(error.seconds)
    else if (!(error instanceof ActionNeededError)) {
      scheduleRetry(0)
      reportError(error)
    } else if (phone.trouble === '') timer = window.setTimeout(sendAndSync)
  } finally {
    isBusy = false
    phone.isAnswered = true
    notifyChange()
  }
}

/** @param {() => Promise<void>} work */
const withLock = (work) => (navigator.locks === undefined ? work() : navigator.locks.request('callout-field', work))

/** @param {number} seconds */
function scheduleRetry(seconds) {
  phone.isOnline = false
  const wait = Math.max(seconds * 1000, Math.min(MAX_DELAY, MIN_DELAY * 2 ** tries++))
  timer = window.setTimeout(() => {
    if (!document.hidden) void sendAndSync()
  }, wait)
}

/** Sends until nothing can be sent any more. Whose session it is, is asked before a photo goes; acts say whose they are. */
async function runSync() {
  await readEvents()
  if (phone.trouble !== '' || phone.day === null || waitingEvents().length === 0) await fetchDay()
  let sent = 0
  while (await sendSome()) sent++
  if (sent > 0) await fetchDay()
  await pruneEvents()
}

/** Returns whether something was settled. */
async function sendSome() {
  const batch = nextBatch()
  if (batch.length > 0) return sendEvents(batch)
  const photo = nextPhoto()
  if (photo === undefined) return false
  const { owner } = phone
  await fetchDay()
  if (phone.owner === owner) await sendPieces(photo)
  return true
}

/** Photos whose pieces have all arrived. @type {Set<string>} */
const uploadedPhotos = new Set()

/** The kinds that only add to a visit, as the service lists them (src/mobile/events/kinds.ts): they wait behind no other act. */
const ADDITIVE_KINDS = ['note', 'photo']

/**
 * Returns the acts that can go now: what only adds, and of each visit the rest up to what needs its person, or up to a photo
 * with pieces to send.
 */
function nextBatch() {
  const [batch, blockedVisits] = [/** @type {StoredEvent[]} */ ([]), new Set()]
  let size = 0
  for (const stored of phone.events) {
    const { act, state } = stored
    if (state === 'sent' || state === 'dropped') continue
    if (blockedVisits.has(act.job_id) && !ADDITIVE_KINDS.includes(act.kind)) continue
    size += JSON.stringify(act).length
    const isFull = batch.length === MAX_EVENTS || (batch.length > 0 && size > MAX_CHARACTERS)
    if (state !== 'waiting' || isFull || (act.kind === 'photo' && !uploadedPhotos.has(act.id)))
      blockedVisits.add(act.job_id)
    else batch.push(stored)
  }
  return batch
}

/** Returns the first photo whose pieces haven't all arrived. */
const nextPhoto = () =>
  phone.events.find(({ act, state }) => state === 'waiting' && act.kind === 'photo' && !uploadedPhotos.has(act.id))

/** @param {StoredEvent[]} batch */
async function sendEvents(batch) {
  const answer = await request('acts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user_id: phone.person?.user_id,
      sent_at: new Date().toISOString(),
      acts: batch.map(({ act }) => act),
    }),
  })
  if (!answer.ok) return sendSingly(batch, answer)
  const { acts } = await readBody(answer)
  let isSettled = false
  for (const [i, { outcome, description, now }] of acts.entries()) {
    const stored = /** @type {StoredEvent} */ (batch[i])
    uploadedPhotos.delete(stored.act.id)
    isSettled ||= OUTCOMES.includes(outcome)
    if (outcome === 'done') await saveOutcome(stored, { state: 'sent', isFresh: true, sent_at: Date.now() })
    else if (outcome === 'conflict') await saveOutcome(stored, { state: 'conflict', now })
    else if (outcome === 'refused') await saveOutcome(stored, { state: 'refused', description })
  }
  notifyChange()
  // A service that answers what this version doesn't know is asked again later, by a newer one.
  if (!isSettled) throw new ServiceUnavailableError()
  return true
}

/**
 * Sends acts one by one where the service can't read them together, so that one of them holds up no other.
 * @param {StoredEvent[]} batch
 * @param {Response} answer
 */
async function sendSingly(batch, answer) {
  const [only, another] = batch
  if (another === undefined && only !== undefined) {
    const { error_description: description = say('not_taken', answer.status) } = await readBody(answer)
    await saveOutcome(only, { state: 'refused', description })
    return true
  }
  for (const stored of batch) await sendEvents([stored])
  return true
}

/**
 * Sends the pieces of a photo from where the service has them.
 * @param {StoredEvent} stored
 */
async function sendPieces(stored) {
  const { id } = stored.act
  /** @type {{ photo: Blob } | undefined} */
  const photoRecord = await get('photos', id)
  if (photoRecord === undefined) return saveOutcome(stored, { state: 'refused', description: say('photo_lost') })
  const before = await request(`photos/${id}`, { headers: { accept: 'application/json' } })
  const { received = 0, taken = false } = before.ok ? await readBody(before) : {}
  let from = taken ? photoRecord.photo.size : received
  while (from < photoRecord.photo.size) {
    const answer = await request(`photos/${id}?from=${from}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: photoRecord.photo.slice(from, from + PIECE_BYTES),
    })
    const { received, error_description: description = say('not_taken', answer.status) } = await readBody(answer)
    if (typeof received === 'number' && received !== from) from = received
    else return saveOutcome(stored, { state: 'refused', description })
  }
  uploadedPhotos.add(id)
}

/** Fetches the day, and lets go of what it shows by itself. */
async function fetchDay() {
  const requestedAt = Date.now()
  const answer = await requestDay(cachedVersions())
  if (answer.status === 200) {
    const day = completeDay(await readBody(answer)) ?? (await readBody(await requestDay([])))
    etag = answer.headers.get('etag') ?? ''
    await storeDay(day, requestedAt)
  } else if (answer.status !== 304) throw new ServiceUnavailableError()
  phone.trouble = ''
  phone.syncedAt = requestedAt
  for (const stored of phone.events.filter(({ isFresh }) => isFresh)) await saveOutcome(stored, { isFresh: false })
  await readEvents()
  void cacheCatalogPictures()
}

/** Requests the parts of the day that the phone lacks. @param {readonly string[]} versions */
const requestDay = (versions) =>
  request(versions.length === 0 ? 'day.json' : `day.json?has=${versions.join('.')}`, {
    headers: { accept: 'application/json', ...(versions.length > 0 && etag !== '' && { 'if-none-match': etag }) },
  })

/**
 * Sends a request. Throws `ServiceUnavailableError` for a temporary error, and `ActionNeededError` for one that a person must fix.
 * @param {string} path
 * @param {RequestInit} options
 */
export async function request(path, options) {
  const answer = await fetch(`/field/${phone.company}/${path}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT),
    ...options,
  }).catch(() => {
    throw new ServiceUnavailableError()
  })
  if (answer.status >= 500 || answer.status === 429)
    throw new ServiceUnavailableError(Number(answer.headers.get('retry-after')) || 0)
  phone.isOnline = true
  if (answer.status === 401) return requireAction((await readBody(answer)).error ?? 'signed_out')
  if (answer.status === 409) return otherPerson(answer)
  if (answer.status !== 403) return answer
  const { error } = await readBody(answer)
  if (error !== 'not_a_member') return answer
  await forgetDays(({ owner }) => owner === phone.owner)
  return requireAction(error)
}

/**
 * @param {string} trouble
 * @returns {never}
 */
function requireAction(trouble) {
  phone.trouble = trouble
  notifyChange()
  throw new ActionNeededError(trouble)
}

/** Another person is signed in: their day is fetched, and the acts of the one before stay. @param {Response} answer */
async function otherPerson(answer) {
  if ((await readBody(answer.clone())).error !== 'other_person') return answer
  await fetchDay()
  return requireAction('')
}

/** @param {Response} answer */
export const readBody = (answer) =>
  answer.json().catch(() => {
    throw new ServiceUnavailableError()
  })

/** Sends again when the connection is back, and when the page becomes visible. */
export function startSending() {
  addEventListener('online', () => {
    tries = 0
    void sendAndSync()
  })
  addEventListener('offline', () => {
    phone.isOnline = false
    notifyChange()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void sendAndSync()
  })
}

/**
 * Deletes events with their photos.
 * @param {readonly StoredEvent[]} events
 */
export async function dropEvents(events) {
  for (const stored of events) {
    await saveOutcome(stored, { state: 'dropped' })
    await remove('photos', stored.act.id)
  }
}
