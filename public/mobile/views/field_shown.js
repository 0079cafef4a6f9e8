// @ts-check
// Returns a visit as its person left it: the kept day, with what they did since and has yet to be sent.

import { billWith, invoicesOf, itemOf, partOf, quotesOf, quotesSigned } from '../quotes/field_offers.js'
import { ourNow, phone } from '../work/field_phone.js'
import { priceBill } from '../work/field_price.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */
/** @typedef {import('../work/field_phone.js').Act} Act */

/** Returns all visits as they are shown. */
export const visitsShown = () => (phone.day?.visits ?? []).map(visitShown)

/**
 * @param {Visit} visit
 * @returns {Visit}
 */
export const visitShown = (visit) =>
  phone.acts
    .filter(
      ({ act, state, isFresh }) => act.job_id === visit.id && (state === 'waiting' || (state === 'sent' && isFresh)),
    )
    .reduce((before, { act }) => (CHANGES[act.kind] ?? same)(before, act), visit)

/** @param {Visit} visit */
const same = (visit) => visit

/** Returns the catalog with the favorites that were chosen here and have yet to be sent. */
export const catalogShown = () => {
  const chosen = new Map(
    phone.acts
      .filter(({ act, state, isFresh }) => 'favorite' in act && (state === 'waiting' || (state === 'sent' && isFresh)))
      .map(({ act }) => [act['catalog_item_id'], act['favorite']]),
  )
  return (phone.day?.catalog ?? []).map((item) => ({ ...item, favorite: chosen.get(item.id) ?? item.favorite }))
}

/** Returns when an act was done by the service's clock. @param {Act} act */
const doneAt = ({ at }) => new Date(Date.parse(at) + phone.skew).toISOString()

/** @type {Readonly<Record<string, (visit: Visit, act: Act) => Visit>>} */
const CHANGES = {
  status: (visit, act) => ({ ...visit, status: act['to'], time: timeAtStep(visit.time, act) }),
  note: (visit, act) => ({
    ...visit,
    notes: [{ at: doneAt(act), by: phone.person?.name ?? null, body: act['body'] }, ...visit.notes],
  }),
  photo: (visit, act) => ({
    ...visit,
    photos: [
      ...visit.photos,
      { id: act.id, name: act['caption'] ?? act['name'], stage: act['stage'] ?? null, at: doneAt(act), isHere: true },
    ],
  }),
  part: (visit, act) => {
    const [item, quantity] = [itemOf(act['catalog_item_id']), Number(act['quantity'])]
    return { ...visit, parts: [...visit.parts, partOf(item, quantity)], bill: billWith(visit.bill, quantity, item) }
  },
  time: (visit, act) => ({ ...visit, time: timeAfter(visit.time, act) }),
  time_correction: (visit, act) => ({ ...visit, time: timeCorrected(visit.time, act) }),
  checklist: (visit, act) => ({
    ...visit,
    checklist: visit.checklist.map((item) =>
      item.id === act['item_id']
        ? { ...item, value: act['value'], done_at: isOpen(act['value']) ? null : doneAt(act) }
        : item,
    ),
  }),
  equipment: (visit, act) => {
    const devices = visit.equipment ?? []
    const before = devices.find(({ id }) => id === act['equipment_id'])
    /** @param {'model' | 'serial' | 'installed_on' | 'note'} name */
    const textOf = (name) => (act[name] ?? before?.[name]) || null
    const after = {
      id: act['equipment_id'],
      kind: act['type'] ?? before?.kind ?? '',
      model: textOf('model'),
      serial: textOf('serial'),
      installed_on: textOf('installed_on'),
      note: textOf('note'),
      photo_ids: act['photo_ids'] ?? before?.photo_ids ?? [],
    }
    return {
      ...visit,
      equipment: before === undefined ? [...devices, after] : devices.map((one) => (one === before ? after : one)),
    }
  },
  signature: (visit, act) => ({ ...visit, signature: { name: act['name'], at: doneAt(act) } }),
  invoice: (visit, act) => {
    const total_cents = (visit.bill === null ? null : priceBill(visit.bill))?.total_cents
    if (total_cents === undefined) return visit
    const made = { id: null, act: act.id, display_number: '', status: 'draft', receipt_to: null }
    return { ...visit, bill: null, invoices: [...visit.invoices, { ...made, total_cents, due_cents: total_cents }] }
  },
  payment: (visit, act) =>
    withInvoice(visit, act, (one) => ({ ...one, due_cents: one.due_cents - act['amount_cents'], receipt_to: null })),
  quote: (visit, act) => ({ ...visit, quotes: [...quotesOf(visit, act), ...(visit.quotes ?? [])] }),
  quote_signature: (visit, act) => ({ ...visit, quotes: quotesSigned(visit.quotes ?? [], act) }),
  receipt: (visit, act) => withInvoice(visit, act, (one) => ({ ...one, receipt_to: act['to'] })),
}

/**
 * Changes the invoice that an act names, by its id or by the act that made it, which the day may show already.
 * @param {Visit} visit
 * @param {Act} act
 * @param {(one: Visit['invoices'][number]) => Visit['invoices'][number]} change
 */
function withInvoice(visit, { invoice_id, invoice_act }, change) {
  const { invoices, quotes = [] } = visit
  const named =
    invoicesOf(visit).find((one) => (invoice_id === undefined ? one.act === invoice_act : one.id === invoice_id)) ??
    (invoice_id === undefined && invoices.length === 1 ? invoices[0] : undefined)
  const after = (/** @type {Visit['invoices'][number]} */ one) => (one === named ? change(one) : one)
  return {
    ...visit,
    invoices: invoices.map(after),
    quotes: quotes.map((quote) =>
      quote.deposit_invoice ? { ...quote, deposit_invoice: after(quote.deposit_invoice) } : quote,
    ),
  }
}

/** @param {unknown} value */
const isOpen = (value) => value === null || value === false || value === ''

/**
 * Returns one's time after a step of the visit: "In progress" starts it where the company wants that, a hold pauses it, Done ends it.
 * @param {Visit['time']} time
 * @param {Act} act
 */
function timeAtStep(time, act) {
  if (act['to'] === 'in_progress' && time.state !== 'running' && phone.day?.starts_clock)
    return timeAfter(time, { ...act, what: 'started' })
  if (act['to'] === 'on_hold' && time.state === 'running') return timeAfter(time, { ...act, what: 'paused' })
  if (act['to'] === 'done' && (time.state === 'running' || time.state === 'paused'))
    return timeAfter(time, { ...act, what: 'ended' })
  return time
}

/**
 * @param {Visit['time']} time
 * @param {Act} act
 */
function timeAfter(time, act) {
  const at = doneAt(act)
  if (act['what'] === 'started') return { ...time, state: 'running', since: at }
  const run = time.state === 'running' && time.since !== null ? (Date.parse(at) - Date.parse(time.since)) / 1000 : 0
  return { ...time, state: act['what'], since: null, seconds: time.seconds + Math.max(0, run) }
}

/**
 * Replaces the entry that a correction is about, or adds a new one.
 * @param {Visit['time']} time
 * @param {Act} act
 * @returns {Visit['time']}
 */
function timeCorrected(time, { id, entry_id, started_at, ended_at }) {
  const before = time.entries.find((entry) => entry.id === entry_id)
  const entry = { id: entry_id ?? id, started_at, ended_at, corrected: true }
  const entries =
    before === undefined ? [...time.entries, entry] : time.entries.map((one) => (one === before ? entry : one))
  const runs = before !== undefined && before.ended_at === null
  const seconds = time.seconds - (before === undefined ? 0 : secondsIn(before)) + secondsIn(entry)
  return { ...time, entries, seconds, ...(runs && { state: 'ended', since: null }) }
}

/** Returns the whole seconds of an entry that ended. @param {{ started_at: string, ended_at: string | null }} entry */
const secondsIn = ({ started_at, ended_at }) =>
  ended_at === null ? 0 : Math.floor((Date.parse(ended_at) - Date.parse(started_at)) / 1000)

/**
 * Returns the seconds of work on a visit until now.
 * @param {Visit['time']} time
 */
export const secondsOf = ({ state, since, seconds }) =>
  seconds + (state === 'running' && since !== null ? Math.max(0, (ourNow() - Date.parse(since)) / 1000) : 0)

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
