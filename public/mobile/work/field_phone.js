// @ts-check
// The phone's state: the person, their day, and their events in order. An event belongs to a person in a company, is
// stored before it is shown, and is sent only as that person.

import { all, remove, get, flushMemory, put, store } from './field_store.js'
import { localSettings } from '../views/field_words.js'

/**
 * @typedef {{ id: string, version: string, display_number: string, url: string, title: string, status: string, scheduled_start: string | null,
 *   scheduled_end: string | null, all_day: boolean, arrival_window_minutes: number, day: string | null, mine: boolean, crew: string[],
 *   priority: string, customer: { id: string, name: string }, address: { lines: string[], map_url: string } | null,
 *   access_notes: string | null, contact: { name: string, phone: string, may_text: boolean } | null, description: string | null,
 *   instructions: string | null, before: { at: string, title: string, note: string | null }[], bring: Part[], parts: PricedPart[],
 *   email: string | null, bill: import('./field_price.js').Bill | null,
 *   notes: { at: string, by: string | null, body: string }[], photos: { id: string, name: string, stage?: string | null, at: string, isHere?: boolean }[], time: Time,
 *   equipment?: Device[],
 *   checklist: Item[], signature: { name: string, at: string } | null,
 *   quote_tax?: Pick<import('./field_price.js').Bill, 'rate' | 'exempt'> | null, quotes?: Quote[],
 *   invoices: Invoice[] }} Visit
 * @typedef {Record<'model' | 'serial' | 'installed_on' | 'note', string | null> & { id: string, kind: string, photo_ids: string[] }} Device
 * @typedef {{ name: string, quantity: number, unit: string }} Part
 * @typedef {Part & { price_cents: number | null, total_cents: number | null }} PricedPart
 * @typedef {{ id: string | null, act?: string | null, display_number: string, status: string, total_cents: number, due_cents: number, receipt_to: string | null }} Invoice
 * @typedef {import('./field_price.js').Share} Share
 * @typedef {{ lines: import('./field_price.js').Line[], optional: import('./field_price.js').Line[], discount: Share | null, exempt: boolean }} QuoteBill
 * @typedef {{ act: string, option?: number, id: string | null, display_number: string, title: string, status: string, updated_at: string | null,
 *   subtotal_cents: number, discount_cents: number, tax_cents: number, total_cents: number, lines: PricedPart[], optional_lines?: PricedPart[],
 *   bill?: QuoteBill | null, terms?: string | null, deposit?: Share | null, deposit_invoice?: Invoice | null }} Quote
 * @typedef {{ catalog_item_id: string, quantity: number | string }} OfferLine
 * @typedef {{ title?: string, line_items: OfferLine[], optional_lines?: OfferLine[], discount?: Share | null, deposit?: Share | null,
 *   terms?: string | null, total_cents: number }} Offer
 * @typedef {{ id: string, text: string, kind: 'check' | 'text' | 'number', required: boolean, value: boolean | string | number | null, done_at: string | null }} Item
 * @typedef {{ state: string, since: string | null, seconds: number, entries: { id: string, started_at: string, ended_at: string | null, corrected: boolean }[] }} Time
 * @typedef {{ version: string, now: string, today: string, company: { id: string, name: string, timezone: string, currency: string, country: string },
 *   person: { user_id: string, name: string, language: string | null }, may: Record<string, boolean>, visits: Visit[],
 *   channels: string[], catalog: { id: string, name: string, unit: string, price_cents: number | null, rate?: import('./field_price.js').Rate, favorite?: boolean, picture?: string }[], templates?: { id: string, name: string, options: Offer[] }[], catalog_version: string, hold_reasons: string[], starts_clock: boolean, push_key: string | null, map?: string | null }} Day
 * @typedef {{ id: string, kind: string, job_id: string, at: string, seen: { status: string, scheduled_start: string | null, mine: boolean }, decided?: 'mine' } & Record<string, any>} FieldEvent
 * @typedef {{ seq: number, owner: string, act: FieldEvent, title: string, says: [string, string], state: 'waiting' | 'conflict' | 'refused' | 'sent' | 'dropped',
 *   isFresh?: boolean, sent_at?: number, description?: string, now?: Visit }} StoredEvent
 */

export const phone = {
  company: '',
  owner: '',
  /** @type {{ user_id: string, name: string } | null} */
  person: null,
  /** @type {Day | null} */
  day: null,
  /** Time of the last sync. `skew` is how far the server's clock is ahead of the phone's, in milliseconds. */
  syncedAt: 0,
  skew: 0,
  /** @type {StoredEvent[]} */
  events: [],
  /** Other people with events of this company on the phone. @type {{ name: string, count: number }[]} */
  others: [],
  /** Other companies with waiting events of this person. @type {{ id: string, name: string, count: number }[]} */
  elsewhere: [],
  /** Reason why nothing can be sent until someone acts. */
  trouble: '',
  isOnline: navigator.onLine,
  /** True once the service was asked for the day, whether it answered or not. */
  isAnswered: false,
  isOpenable: true,
  /** True if the service worker has a newer version of this page. */
  isOutdated: false,
}

export const changes = new EventTarget()
export const notifyChange = () => changes.dispatchEvent(new Event('change'))

/** Returns the time at the service, whatever the phone's clock says. */
export const serverNow = () => Date.now() + phone.skew

/** Returns what the phone has of its day, for the service to leave out. */
export const cachedVersions = () =>
  phone.day === null
    ? []
    : [phone.day.catalog_version, ...phone.day.visits.map(({ version }) => version)].filter(Boolean)

/**
 * Returns a day whole, with what the phone has of it, or null where it lacks some of that.
 * @param {Day & { catalog: Day['catalog'] | null, templates: Day['templates'] | null }} sent
 * @returns {Day | null}
 */
export function completeDay(sent) {
  const cachedVisits = new Map(phone.day?.visits.map((visit) => [visit.version, visit]))
  const visits = sent.visits.map((visit) => (visit.title === undefined ? cachedVisits.get(visit.version) : visit))
  const catalogSource = sent.catalog === null ? phone.day : sent
  if (catalogSource?.catalog_version !== sent.catalog_version || visits.some((visit) => visit === undefined))
    return null
  const { catalog, templates } = catalogSource
  return /** @type {Day} */ ({ ...sent, catalog, templates, visits })
}

export const waitingEvents = () => phone.events.filter(({ state }) => state === 'waiting')
export const stoppedEvents = () => phone.events.filter(({ state }) => state === 'conflict' || state === 'refused')

/** @param {string} id */
export const findVisit = (id) => phone.day?.visits.find((visit) => visit.id === id)

/**
 * Opens a company's stored data for the last person who used it.
 * @param {string} company
 */
export async function openPhone(company) {
  phone.company = company
  const stored = await get('people', company)
  phone.person = stored?.person ?? null
  phone.owner = phone.person === null ? '' : ownerOf(phone.person.user_id)
  const storedDay = phone.owner === '' ? undefined : await get('days', phone.owner)
  phone.day = storedDay?.day ?? null
  phone.skew = storedDay?.skew ?? 0
  phone.syncedAt = storedDay?.syncedAt ?? 0
  Object.assign(localSettings, phone.day?.company ?? stored?.place)
  await readEvents()
}

/** Reads the acts again, as another page of this browser may have left them. */
export async function readEvents() {
  const events = /** @type {StoredEvent[]} */ (await all('acts'))
  phone.events = events.filter(({ owner }) => owner === phone.owner).sort((a, b) => a.seq - b.seq)
  phone.others = othersIn(events)
  phone.elsewhere = elsewhereIn(events, await all('people'))
  notifyChange()
}

/** @param {readonly (StoredEvent& { name?: string })[]} events */
function othersIn(events) {
  const foreign = events.filter(
    ({ owner, state }) => owner !== phone.owner && owner.startsWith(`${phone.company}/`) && !isOver(state),
  )
  return [...new Map(foreign.map(({ owner, name = '' }) => [owner, name]))].map(([owner, name]) => ({
    name,
    count: foreign.filter((stored) => stored.owner === owner).length,
  }))
}

/**
 * Returns the other companies of the phone at which acts of the same person wait; each is sent from its own page.
 * @param {readonly StoredEvent[]} events
 * @param {readonly { company: string, name: string, person: { user_id: string } }[]} people
 */
const elsewhereIn = (events, people) =>
  people
    .filter(({ company, person }) => company !== phone.company && person.user_id === phone.person?.user_id)
    .map(({ company: id, name, person }) => ({ id, name, count: countOpen(events, `${id}/${person.user_id}`) }))
    .filter(({ count }) => count > 0)

/**
 * @param {readonly StoredEvent[]} events
 * @param {string} ownerId
 */
const countOpen = (events, ownerId) => events.filter(({ owner, state }) => owner === ownerId && !isOver(state)).length

/** @param {string} user */
const ownerOf = (user) => `${phone.company}/${user}`

/** @param {StoredEvent['state']} state */
const isOver = (state) => state === 'sent' || state === 'dropped'

/**
 * Stores a day and removes another person's. That person's events stay.
 * @param {Day} day
 * @param {number} requestedAt
 */
export async function storeDay(day, requestedAt) {
  const { user_id, name } = day.person
  const owner = ownerOf(user_id)
  phone.skew = Date.parse(day.now) - Date.now()
  phone.syncedAt = requestedAt
  if (owner !== phone.owner)
    await forgetDays((stored) => stored.owner !== owner && stored.owner.startsWith(`${phone.company}/`))
  await put('days', { owner, day, skew: phone.skew, syncedAt: requestedAt })
  const { timezone, currency, country } = day.company
  await put('people', {
    company: phone.company,
    name: day.company.name,
    person: { user_id, name },
    place: { timezone, currency, country },
  })
  Object.assign(phone, { person: { user_id, name }, day, owner })
  Object.assign(localSettings, day.company)
}

/** Returns the name of the cache of catalog pictures. @param {string} owner */
export const pictureCacheName = (owner) => `pictures ${owner}`

/**
 * Removes stored days, such as those of a person who signed out.
 * @param {(kept: { owner: string }) => boolean} shouldRemove
 */
export async function forgetDays(shouldRemove = () => true) {
  for (const stored of await all('days'))
    if (shouldRemove(stored)) {
      await remove('days', stored.owner)
      await globalThis.caches?.delete(pictureCacheName(stored.owner))
    }
  if (phone.owner !== '' && shouldRemove({ owner: phone.owner })) phone.day = null
}

/**
 * Stores an event after the earlier ones, and a photo before its event. `says` is its description: a text name and a
 * value.
 * @param {Visit} visit
 * @param {string} kind
 * @param {Record<string, any>} fields
 * @param {{ says: [string, string], photo?: Blob, inPlaceOf?: StoredEvent}} told
 */
export async function addEvent(visit, kind, fields, { says, photo, inPlaceOf }) {
  const id = newId()
  const seen = { status: visit.status, scheduled_start: visit.scheduled_start, mine: visit.mine }
  const event = { id, kind, job_id: visit.id, at: new Date().toISOString(), seen, ...fields }
  if (photo !== undefined) await put('photos', { id, photo })
  /** @type {any} */
  const kept = { owner: phone.owner, name: phone.person?.name, act: event, title: visit.title, says, state: 'waiting' }
  if (inPlaceOf !== undefined) kept.seq = inPlaceOf.seq
  await put('acts', kept)
  await readEvents()
  return id
}

/**
 * Stores the outcome of an event.
 * @param {StoredEvent} stored
 * @param {Partial<StoredEvent>} change
 */
export async function saveOutcome(stored, change) {
  const after = { ...stored, ...change }
  await put('acts', after)
  if (isOver(after.state)) await remove('photos', after.act.id)
  phone.events = phone.events.map((one) => (one.seq === stored.seq ? after : one))
}

/** Number of finished events to keep for display. */
const MAX_FINISHED = 60

/** Removes the oldest finished events, and stores what is only in memory if there is room again. */
export async function pruneEvents() {
  const finished = phone.events.filter(({ state }) => isOver(state))
  for (const { seq } of finished.slice(0, Math.max(0, finished.length - MAX_FINISHED))) await remove('acts', seq)
  await flushMemory()
}

/** Returns a random id (RFC 9562, version 4), also where a page without https has no `randomUUID`. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const isStored = () => store.isPersistent
