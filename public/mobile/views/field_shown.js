// @ts-check
// Returns a visit as its person left it: the kept day, with what they did since and has yet to be sent.

import { billWith, invoicesOf, itemById, toPart, quotesOf, withSignedQuote } from '../quotes/field_offers.js'
import { serverNow, phone } from '../work/field_phone.js'
import { priceBill } from '../work/field_price.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */
/** @typedef {import('../work/field_phone.js').FieldEvent} FieldEvent*/

/** Returns all visits as they are shown. */
export const currentVisits = () => (phone.day?.visits ?? []).map(currentVisit)

/**
 * @param {Visit} visit
 * @returns {Visit}
 */
export const currentVisit = (visit) =>
  phone.events
    .filter(
      ({ act, state, isFresh }) => act.job_id === visit.id && (state === 'waiting' || (state === 'sent' && isFresh)),
    )
    .reduce((before, { act }) => (CHANGES[act.kind] ?? unchanged)(before, act), visit)

/** @param {Visit} visit */
const unchanged = (visit) => visit

/** Returns the catalog with the favorites that were chosen here and have yet to be sent. */
export const currentCatalog = () => {
  const chosen = new Map(
    phone.events
      .filter(({ act, state, isFresh }) => 'favorite' in act && (state === 'waiting' || (state === 'sent' && isFresh)))
      .map(({ act }) => [act['catalog_item_id'], act['favorite']]),
  )
  return (phone.day?.catalog ?? []).map((item) => ({ ...item, favorite: chosen.get(item.id) ?? item.favorite }))
}

/** Returns when an act was done by the service's clock. @param {FieldEvent} act */
const eventTime = ({ at }) => new Date(Date.parse(at) + phone.skew).toISOString()

/** @type {Readonly<Record<string, (visit: Visit, act: FieldEvent) => Visit>>} */
const CHANGES = {
  status: (visit, event) => ({ ...visit, status: event['to'], time: timeAfterStatus(visit.time, event) }),
  note: (visit, event) => ({
    ...visit,
    notes: [{ at: eventTime(event), by: phone.person?.name ?? null, body: event['body'] }, ...visit.notes],
  }),
  photo: (visit, event) => ({
    ...visit,
    photos: [
      ...visit.photos,
      {
        id: event.id,
        name: event['caption'] ?? event['name'],
        stage: event['stage'] ?? null,
        at: eventTime(event),
        isHere: true,
      },
    ],
  }),
  part: (visit, event) => {
    const [item, quantity] = [itemById(event['catalog_item_id']), Number(event['quantity'])]
    return { ...visit, parts: [...visit.parts, toPart(item, quantity)], bill: billWith(visit.bill, quantity, item) }
  },
  time: (visit, event) => ({ ...visit, time: timeAfter(visit.time, event) }),
  time_correction: (visit, event) => ({ ...visit, time: correctedTime(visit.time, event) }),
  checklist: (visit, event) => ({
    ...visit,
    checklist: visit.checklist.map((item) =>
      item.id === event['item_id']
        ? { ...item, value: event['value'], done_at: isOpen(event['value']) ? null : eventTime(event) }
        : item,
    ),
  }),
  equipment: (visit, event) => {
    const devices = visit.equipment ?? []
    const before = devices.find(({ id }) => id === event['equipment_id'])
    /** @param {'model' | 'serial' | 'installed_on' | 'note'} name */
    const fieldText = (name) => (event[name] ?? before?.[name]) || null
    const after = {
      id: event['equipment_id'],
      kind: event['type'] ?? before?.kind ?? '',
      model: fieldText('model'),
      serial: fieldText('serial'),
      installed_on: fieldText('installed_on'),
      note: fieldText('note'),
      photo_ids: event['photo_ids'] ?? before?.photo_ids ?? [],
    }
    return {
      ...visit,
      equipment: before === undefined ? [...devices, after] : devices.map((one) => (one === before ? after : one)),
    }
  },
  signature: (visit, event) => ({ ...visit, signature: { name: event['name'], at: eventTime(event) } }),
  invoice: (visit, event) => {
    const total_cents = (visit.bill === null ? null : priceBill(visit.bill))?.total_cents
    if (total_cents === undefined) return visit
    const invoice = { id: null, act: event.id, display_number: '', status: 'draft', receipt_to: null }
    return { ...visit, bill: null, invoices: [...visit.invoices, { ...invoice, total_cents, due_cents: total_cents }] }
  },
  payment: (visit, event) =>
    withInvoice(visit, event, (one) => ({
      ...one,
      due_cents: one.due_cents - event['amount_cents'],
      receipt_to: null,
    })),
  quote: (visit, event) => ({ ...visit, quotes: [...quotesOf(visit, event), ...(visit.quotes ?? [])] }),
  quote_signature: (visit, event) => ({ ...visit, quotes: withSignedQuote(visit.quotes ?? [], event) }),
  receipt: (visit, event) => withInvoice(visit, event, (one) => ({ ...one, receipt_to: event['to'] })),
}

/**
 * Changes the invoice that an act names, by its id or by the act that made it, which the day may show already.
 * @param {Visit} visit
 * @param {FieldEvent} act
 * @param {(one: Visit['invoices'][number]) => Visit['invoices'][number]} change
 */
function withInvoice(visit, { invoice_id, invoice_act }, change) {
  const { invoices, quotes = [] } = visit
  const namedInvoice =
    invoicesOf(visit).find((one) => (invoice_id === undefined ? one.act === invoice_act : one.id === invoice_id)) ??
    (invoice_id === undefined && invoices.length === 1 ? invoices[0] : undefined)
  const applyChange = (/** @type {Visit['invoices'][number]} */ one) => (one === namedInvoice ? change(one) : one)
  return {
    ...visit,
    invoices: invoices.map(applyChange),
    quotes: quotes.map((quote) =>
      quote.deposit_invoice ? { ...quote, deposit_invoice: applyChange(quote.deposit_invoice) } : quote,
    ),
  }
}

/** @param {unknown} value */
const isOpen = (value) => value === null || value === false || value === ''

/**
 * Returns one's time after a step of the visit: "In progress" starts it where the company wants that, a hold pauses it, Done ends it.
 * @param {Visit['time']} time
 * @param {FieldEvent} event
 */
function timeAfterStatus(time, event) {
  if (event['to'] === 'in_progress' && time.state !== 'running' && phone.day?.starts_clock)
    return timeAfter(time, { ...event, what: 'started' })
  if (event['to'] === 'on_hold' && time.state === 'running') return timeAfter(time, { ...event, what: 'paused' })
  if (event['to'] === 'done' && (time.state === 'running' || time.state === 'paused'))
    return timeAfter(time, { ...event, what: 'ended' })
  return time
}

/**
 * @param {Visit['time']} time
 * @param {FieldEvent} event
 */
function timeAfter(time, event) {
  const at = eventTime(event)
  if (event['what'] === 'started') return { ...time, state: 'running', since: at }
  const elapsed = time.state === 'running' && time.since !== null ? (Date.parse(at) - Date.parse(time.since)) / 1000 : 0
  return { ...time, state: event['what'], since: null, seconds: time.seconds + Math.max(0, elapsed) }
}

/**
 * Replaces the entry that a correction is about, or adds a new one.
 * @param {Visit['time']} time
 * @param {FieldEvent} act
 * @returns {Visit['time']}
 */
function correctedTime(time, { id, entry_id, started_at, ended_at }) {
  const before = time.entries.find((entry) => entry.id === entry_id)
  const entry = { id: entry_id ?? id, started_at, ended_at, corrected: true }
  const entries =
    before === undefined ? [...time.entries, entry] : time.entries.map((one) => (one === before ? entry : one))
  const wasRunning = before !== undefined && before.ended_at === null
  const seconds = time.seconds - (before === undefined ? 0 : entrySeconds(before)) + entrySeconds(entry)
  return { ...time, entries, seconds, ...(wasRunning && { state: 'ended', since: null }) }
}

/** Returns the whole seconds of an entry that ended. @param {{ started_at: string, ended_at: string | null }} entry */
const entrySeconds = ({ started_at, ended_at }) =>
  ended_at === null ? 0 : Math.floor((Date.parse(ended_at) - Date.parse(started_at)) / 1000)

/**
 * Returns the seconds of work on a visit until now.
 * @param {Visit['time']} time
 */
export const workedSeconds = ({ state, since, seconds }) =>
  seconds + (state === 'running' && since !== null ? Math.max(0, (serverNow() - Date.parse(since)) / 1000) : 0)

/**
 * Returns what has to be done before a visit is done.
 * @param {Visit} visit
 */
export const openItems = ({ checklist }) => checklist.filter(({ required, value }) => required && isOpen(value))

/**
 * Returns the one step that usually comes next.
 * @param {Visit} visit
 * @returns {{ to: string, word: string } | null}
 */
export const nextStep = ({ status }) => STEPS[status] ?? null

/** @type {Readonly<Record<string, { to: string, word: string }>>} */
const STEPS = {
  unscheduled: { to: 'en_route', word: 'to_en_route' },
  scheduled: { to: 'en_route', word: 'to_en_route' },
  en_route: { to: 'in_progress', word: 'to_in_progress' },
  on_hold: { to: 'in_progress', word: 'to_again' },
  in_progress: { to: 'done', word: 'to_done' },
}
