// @ts-check
// Shows the photos that wait on this phone, from where they are kept; those at the office are opened from there.

import { changed, phone } from './field_phone.js'
import { get } from './field_store.js'
import { el, moment, say } from './field_words.js'

/** @typedef {import('./field_phone.js').Visit} Visit */

/** Holds the addresses of kept photos, by act; one that is being read has none yet. @type {Map<string, string>} */
const addresses = new Map()

/**
 * Draws the photos of a visit, each with when it was taken.
 * @param {Visit} visit
 */
export const photoLines = ({ id: visit, photos }) =>
  photos.map(({ id, name, stage, at, isHere }) => [
    isHere && kept(id),
    stage && el('b', {}, `${say(`stage_${stage}`)}: `),
    isHere ? name : el('a', { href: `/${phone.company}/jobs/${visit}/media/${id}` }, name),
    ' ',
    el('span', { class: 'help' }, moment(at)),
  ])

/** @param {string} id */
function kept(id) {
  const address = addresses.get(id)
  if (address === undefined) void read(id)
  return el('img', { class: 'field-photo', alt: '', ...(address && { src: address }) })
}

/** @param {string} id */
async function read(id) {
  addresses.set(id, '')
  const held = await get('photos', id)
  if (held === undefined) return
  addresses.set(id, URL.createObjectURL(held.photo))
  changed()
}
