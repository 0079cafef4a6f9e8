// @ts-check
// Does what is tapped: each tap that acts is kept at once, shown at once, and sent when it can be.

import { addEvent, isStored, phone, findVisit } from './field_phone.js'
import { PhotoError, shrinkPhoto } from './field_photo.js'
import { sendAndSync } from './field_sending.js'
import { openItems, currentVisit } from '../views/field_shown.js'
import { money, part, say } from '../views/field_words.js'
import { priceBill } from './field_price.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_phone.js').StoredEvent} StoredEvent*/

/**
 * Stores an event of the current visit, and sends it.
 * @param {string} id
 * @param {string} kind
 * @param {Record<string, any>} fields
 * @param {{ says: string, photo?: Blob, inPlaceOf?: StoredEvent| undefined }} told
 */
export async function recordEvent(id, kind, fields, { says, photo, inPlaceOf }) {
  const visit = findVisit(id)
  if (visit === undefined) return showMessage(say('gone'))
  const wasStored = isStored()
  const eventId = await addEvent(currentVisit(visit), kind, fields, {
    says: [`act_${kind}`, says],
    ...(photo && { photo }),
    ...(inPlaceOf && { inPlaceOf }),
  })
  if (wasStored && !isStored()) showMessage(say('no_store'))
  void sendAndSync()
  return eventId
}

/**
 * Stores the photos that a form took, then its event, which names them.
 * @param {string} id
 * @param {string} kind
 * @param {{ fields: Record<string, any>, photos: readonly File[] }} given
 * @param {{ says: string, inPlaceOf?: StoredEvent| undefined }} description
 */
export async function recordWithPhotos(id, kind, { fields, photos }, description) {
  const photoIds = await storePhotos(id, photos)
  const photoFields = photoIds.length === 0 ? {} : { photo_ids: [...(fields['photo_ids'] ?? []), ...photoIds] }
  await recordEvent(id, kind, { ...fields, ...photoFields }, description)
}

/**
 * Moves the visit to its next status, or shows what has to be done first.
 * @param {string} id
 * @param {string} to
 */
export async function changeStatus(id, to) {
  const visit = findVisit(id)
  const open = to === 'done' && visit !== undefined ? openItems(currentVisit(visit)) : []
  if (open.length > 0) {
    location.hash = `#v-${id}`
    document.getElementById(`item-${open[0]?.id}`)?.scrollIntoView({ block: 'center' })
    return showMessage(`${say('open_items')} ${open.map(({ text }) => text).join(' · ')}`)
  }
  await recordEvent(id, 'status', { to }, { says: say(to) })
}

/**
 * @param {string} id
 * @param {string} what
 */
export const trackTime = (id, what) => recordEvent(id, 'time', { what }, { says: say(what) })

/** Makes the invoice of a visit, once. @param {string} id */
export async function createInvoice(id) {
  const visit = findVisit(id)
  const visitView = visit && currentVisit(visit)
  const totals = visitView?.bill == null ? null : priceBill(visitView.bill)
  if (visitView !== undefined && visitView.invoices.length === 0 && totals !== null)
    await recordEvent(id, 'invoice', {}, { says: money(totals.total_cents) })
}

/**
 * Ticks an item, or takes the tick back.
 * @param {string} id
 * @param {string} itemId
 */
export async function toggleItem(id, itemId) {
  const visit = findVisit(id)
  const item = visit && currentVisit(visit).checklist.find((one) => one.id === itemId)
  if (item !== undefined)
    await recordEvent(id, 'checklist', { item_id: itemId, value: item.value !== true }, { says: item.text })
}

/**
 * Stores photos with their caption and mark, and returns their events. Shows an error for one that can't be read.
 * @param {string} id
 * @param {readonly File[]} files
 * @param {{ caption?: string, stage?: string }} [more]
 */
export async function storePhotos(id, files, more = {}) {
  const eventIds = []
  for (const file of files) {
    try {
      const { photo, fields } = await shrinkPhoto(file)
      eventIds.push(await recordEvent(id, 'photo', { ...fields, ...more }, { says: more.caption ?? '', photo }))
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      showMessage(say(error.message))
    }
  }
  return eventIds.filter((eventId) => eventId !== undefined)
}

let messageTimer = 0

/**
 * Shows a message for as long as it takes to read.
 * @param {string} sentence
 */
export function showMessage(sentence) {
  part('told').textContent = sentence
  clearTimeout(messageTimer)
  messageTimer = window.setTimeout(() => (part('told').textContent = ''), 4_000 + sentence.length * 60)
}

/** Clears the message, once the person continues. */
export const clearMessage = () => part('told').replaceChildren()

/** @param {string} name */
export const may = (name) => phone.day?.may[name] === true
