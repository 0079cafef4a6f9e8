// @ts-check
// Sends what waits and fetches the day: after each act, when there is a connection again, and when the page is looked
// at. A fault is tried again, later each time, while the page is open; nothing runs behind it.

import { say } from '../views/field_words.js'
import { keepCatalogPictures } from './field_pictures.js'
import { get, drop } from './field_store.js'
import {
  changed,
  forgetDays,
  hasNow,
  keepDay,
  phone,
  readActs,
  settle,
  tidy,
  waiting,
  wholeDay,
} from './field_phone.js'

/** @typedef {import('./field_phone.js').Kept} Kept */

const [PIECE, MOST_ACTS, MOST_CHARACTERS] = [256 * 1024, 50, 60_000]
const [SOON, LATEST] = [2_000, 60_000]
const OUTCOMES = ['done', 'conflict', 'refused']
/** Timeout in milliseconds. A piece gets through at 5 kB a second. */
const PATIENCE = 60_000

let isBusy = false
let isAsked = false
let tries = 0
let later = 0
let etag = ''

/** Thrown if the server can't be reached or can't answer now. */
export class Away extends Error {
  /** @param {number} seconds */
  constructor(seconds = 0) {
    super('The service is away')
    this.seconds = seconds
  }
}

/** Thrown if someone has to act first. */
class Stuck extends Error {}

/** Sends all that waits, then fetches the day; one at a time, in one page of the browser. */
export async function wake() {
  isAsked = true
  if (isBusy || phone.company === '') return
  isBusy = true
  clearTimeout(later)
  try {
    await alone(async () => {
      while (isAsked) {
        isAsked = false
        await round()
      }
    })
    tries = 0
  } catch (error) {
    if (error instanceof Away) again(error.seconds)
    else if (!(error instanceof Stuck)) {
      again(0)
      reportError(error)
    } else if (phone.trouble === '') later = window.setTimeout(wake)
  } finally {
    isBusy = false
    phone.isAnswered = true
    changed()
  }
}

/** @param {() => Promise<void>} work */
const alone = (work) => (navigator.locks === undefined ? work() : navigator.locks.request('callout-field', work))

/** @param {number} seconds */
function again(seconds) {
  phone.isOnline = false
  const wait = Math.max(seconds * 1000, Math.min(LATEST, SOON * 2 ** tries++))
  later = window.setTimeout(() => {
    if (!document.hidden) void wake()
  }, wait)
}

/** Sends until nothing can be sent any more. Whose session it is, is asked before a photo goes; acts say whose they are. */
async function round() {
  await readActs()
  if (phone.trouble !== '' || phone.day === null || waiting().length === 0) await sync()
  let sent = 0
  while (await sendSome()) sent++
  if (sent > 0) await sync()
  await tidy()
}

/** Returns whether something was settled. */
async function sendSome() {
  const batch = nextBatch()
  if (batch.length > 0) return sendActs(batch)
  const photo = nextPhoto()
  if (photo === undefined) return false
  const { owner } = phone
  await sync()
  if (phone.owner === owner) await sendPieces(photo)
  return true
}

/** Photos whose pieces have all arrived. @type {Set<string>} */
const arrived = new Set()

/** The kinds that only add to a visit, as the service lists them (src/mobile/events/kinds.ts): they wait behind no other act. */
const ADDING = ['note', 'photo']

/**
 * Returns the acts that can go now: what only adds, and of each visit the rest up to what needs its person, or up to a photo
 * with pieces to send.
 */
function nextBatch() {
  const [batch, held] = [/** @type {Kept[]} */ ([]), new Set()]
  let size = 0
  for (const kept of phone.acts) {
    const { act, state } = kept
    if (state === 'sent' || state === 'dropped') continue
    if (held.has(act.job_id) && !ADDING.includes(act.kind)) continue
    size += JSON.stringify(act).length
    const isFull = batch.length === MOST_ACTS || (batch.length > 0 && size > MOST_CHARACTERS)
    if (state !== 'waiting' || isFull || (act.kind === 'photo' && !arrived.has(act.id))) held.add(act.job_id)
    else batch.push(kept)
  }
  return batch
}

/** Returns the first photo whose pieces haven't all arrived. */
const nextPhoto = () =>
  phone.acts.find(({ act, state }) => state === 'waiting' && act.kind === 'photo' && !arrived.has(act.id))

/** @param {Kept[]} batch */
async function sendActs(batch) {
  const answer = await ask('acts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user_id: phone.person?.user_id,
      sent_at: new Date().toISOString(),
      acts: batch.map(({ act }) => act),
    }),
  })
  if (!answer.ok) return sendSingly(batch, answer)
  const { acts } = await bodyOf(answer)
  let isSettled = false
  for (const [i, { outcome, description, now }] of acts.entries()) {
    const kept = /** @type {Kept} */ (batch[i])
    arrived.delete(kept.act.id)
    isSettled ||= OUTCOMES.includes(outcome)
    if (outcome === 'done') await settle(kept, { state: 'sent', isFresh: true, sent_at: Date.now() })
    else if (outcome === 'conflict') await settle(kept, { state: 'conflict', now })
    else if (outcome === 'refused') await settle(kept, { state: 'refused', description })
  }
  changed()
  // A service that answers what this version doesn't know is asked again later, by a newer one.
  if (!isSettled) throw new Away()
  return true
}

/**
 * Sends acts one by one where the service can't read them together, so that one of them holds up no other.
 * @param {Kept[]} batch
 * @param {Response} answer
 */
async function sendSingly(batch, answer) {
  const [only, another] = batch
  if (another === undefined && only !== undefined) {
    const { error_description: description = say('not_taken', answer.status) } = await bodyOf(answer)
    await settle(only, { state: 'refused', description })
    return true
  }
  for (const kept of batch) await sendActs([kept])
  return true
}

/**
 * Sends the pieces of a photo from where the service has them.
 * @param {Kept} kept
 */
async function sendPieces(kept) {
  const { id } = kept.act
  /** @type {{ photo: Blob } | undefined} */
  const held = await get('photos', id)
  if (held === undefined) return settle(kept, { state: 'refused', description: say('photo_lost') })
  const before = await ask(`photos/${id}`, { headers: { accept: 'application/json' } })
  const { received = 0, taken = false } = before.ok ? await bodyOf(before) : {}
  let from = taken ? held.photo.size : received
  while (from < held.photo.size) {
    const answer = await ask(`photos/${id}?from=${from}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: held.photo.slice(from, from + PIECE),
    })
    const { received, error_description: description = say('not_taken', answer.status) } = await bodyOf(answer)
    if (typeof received === 'number' && received !== from) from = received
    else return settle(kept, { state: 'refused', description })
  }
  arrived.add(id)
}

/** Fetches the day, and lets go of what it shows by itself. */
async function sync() {
  const askedAt = Date.now()
  const answer = await askDay(hasNow())
  if (answer.status === 200) {
    const day = wholeDay(await bodyOf(answer)) ?? (await bodyOf(await askDay([])))
    etag = answer.headers.get('etag') ?? ''
    await keepDay(day, askedAt)
  } else if (answer.status !== 304) throw new Away()
  phone.trouble = ''
  phone.syncedAt = askedAt
  for (const kept of phone.acts.filter(({ isFresh }) => isFresh)) await settle(kept, { isFresh: false })
  await readActs()
  void keepCatalogPictures()
}

/** Requests the parts of the day that the phone lacks. @param {readonly string[]} has */
const askDay = (has) =>
  ask(has.length === 0 ? 'day.json' : `day.json?has=${has.join('.')}`, {
    headers: { accept: 'application/json', ...(has.length > 0 && etag !== '' && { 'if-none-match': etag }) },
  })

/**
 * Sends a request. Throws `Away` for a temporary error, and `Stuck` for one that a person must fix.
 * @param {string} path
 * @param {RequestInit} way
 */
export async function ask(path, way) {
  const answer = await fetch(`/field/${phone.company}/${path}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(PATIENCE),
    ...way,
  }).catch(() => {
    throw new Away()
  })
  if (answer.status >= 500 || answer.status === 429) throw new Away(Number(answer.headers.get('retry-after')) || 0)
  phone.isOnline = true
  if (answer.status === 401) return stuck((await bodyOf(answer)).error ?? 'signed_out')
  if (answer.status === 409) return otherPerson(answer)
  if (answer.status !== 403) return answer
  const { error } = await bodyOf(answer)
  if (error !== 'not_a_member') return answer
  await forgetDays(({ owner }) => owner === phone.owner)
  return stuck(error)
}

/**
 * @param {string} trouble
 * @returns {never}
 */
function stuck(trouble) {
  phone.trouble = trouble
  changed()
  throw new Stuck(trouble)
}

/** Another person is signed in: their day is fetched, and the acts of the one before stay. @param {Response} answer */
async function otherPerson(answer) {
  if ((await bodyOf(answer.clone())).error !== 'other_person') return answer
  await sync()
  return stuck('')
}

/** @param {Response} answer */
export const bodyOf = (answer) =>
  answer.json().catch(() => {
    throw new Away()
  })

/** Sends again when the connection is back, and when the page becomes visible. */
export function keepSending() {
  addEventListener('online', () => {
    tries = 0
    void wake()
  })
  addEventListener('offline', () => {
    phone.isOnline = false
    changed()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void wake()
  })
}

/**
 * Deletes events with their photos.
 * @param {readonly Kept[]} gone
 */
export async function letGo(gone) {
  for (const kept of gone) {
    await settle(kept, { state: 'dropped' })
    await drop('photos', kept.act.id)
  }
}
