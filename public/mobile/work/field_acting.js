// @ts-check
// Does what is tapped: each tap that acts is kept at once, shown at once, and sent when it can be.

import { addAct, isKept, phone, visitOf } from './field_phone.js'
import { NoPhoto, smallPhoto } from './field_photo.js'
import { wake } from './field_sending.js'
import { openItems, visitShown } from '../views/field_shown.js'
import { money, part, say } from '../views/field_words.js'
import { priceBill } from './field_price.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_phone.js').Kept} Kept */

/**
 * Stores an event of the current visit, and sends it.
 * @param {string} id
 * @param {string} kind
 * @param {Record<string, any>} fields
 * @param {{ says: string, photo?: Blob, inPlaceOf?: Kept | undefined }} told
 */
export async function act(id, kind, fields, { says, photo, inPlaceOf }) {
  const visit = visitOf(id)
  if (visit === undefined) return tell(say('gone'))
  const wasKept = isKept()
  const made = await addAct(visitShown(visit), kind, fields, {
    says: [`act_${kind}`, says],
    ...(photo && { photo }),
    ...(inPlaceOf && { inPlaceOf }),
  })
  if (wasKept && !isKept()) tell(say('no_store'))
  void wake()
  return made
}

/**
 * Stores the photos that a form took, then its event, which names them.
 * @param {string} id
 * @param {string} kind
 * @param {{ fields: Record<string, any>, photos: readonly File[] }} given
 * @param {{ says: string, inPlaceOf?: Kept | undefined }} told
 */
export async function actWithPhotos(id, kind, { fields, photos }, told) {
  const taken = await keepPhotos(id, photos)
  const named = taken.length === 0 ? {} : { photo_ids: [...(fields['photo_ids'] ?? []), ...taken] }
  await act(id, kind, { ...fields, ...named }, told)
}

/**
 * Moves the visit to its next status, or shows what has to be done first.
 * @param {string} id
 * @param {string} to
 */
export async function step(id, to) {
  const visit = visitOf(id)
  const open = to === 'done' && visit !== undefined ? openItems(visitShown(visit)) : []
  if (open.length > 0) {
    location.hash = `#v-${id}`
    document.getElementById(`item-${open[0]?.id}`)?.scrollIntoView({ block: 'center' })
    return tell(`${say('open_items')} ${open.map(({ text }) => text).join(' · ')}`)
  }
  await act(id, 'status', { to }, { says: say(to) })
}

/**
 * @param {string} id
 * @param {string} what
 */
export const clockIn = (id, what) => act(id, 'time', { what }, { says: say(what) })

/** Makes the invoice of a visit, once. @param {string} id */
export async function bill(id) {
  const visit = visitOf(id)
  const visitView = visit && visitShown(visit)
  const totals = visitView?.bill == null ? null : priceBill(visitView.bill)
  if (visitView !== undefined && visitView.invoices.length === 0 && totals !== null)
    await act(id, 'invoice', {}, { says: money(totals.total_cents) })
}

/**
 * Ticks an item, or takes the tick back.
 * @param {string} id
 * @param {string} itemId
 */
export async function tick(id, itemId) {
  const visit = visitOf(id)
  const item = visit && visitShown(visit).checklist.find((one) => one.id === itemId)
  if (item !== undefined)
    await act(id, 'checklist', { item_id: itemId, value: item.value !== true }, { says: item.text })
}

/**
 * Stores photos with their caption and mark, and returns their events. Shows an error for one that can't be read.
 * @param {string} id
 * @param {readonly File[]} files
 * @param {{ caption?: string, stage?: string }} [more]
 */
export async function keepPhotos(id, files, more = {}) {
  const made = []
  for (const file of files) {
    try {
      const { photo, fields } = await smallPhoto(file)
      made.push(await act(id, 'photo', { ...fields, ...more }, { says: more.caption ?? '', photo }))
    } catch (error) {
      if (!(error instanceof NoPhoto)) throw error
      tell(say(error.message))
    }
  }
  return made.filter((act) => act !== undefined)
}

let telling = 0

/**
 * Shows a message for as long as it takes to read.
 * @param {string} sentence
 */
export function tell(sentence) {
  part('told').textContent = sentence
  clearTimeout(telling)
  telling = window.setTimeout(() => (part('told').textContent = ''), 4_000 + sentence.length * 60)
}

/** Clears the message, once the person continues. */
export const hush = () => part('told').replaceChildren()

/** @param {string} name */
export const may = (name) => phone.day?.may[name] === true
