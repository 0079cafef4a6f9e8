// @ts-check
// Shows the photos that wait on this phone, from where they are kept; those at the office are opened from there. Keeps
// the pictures of the catalog.

import { notifyChange, phone, pictureCacheName } from './field_phone.js'
import { get } from './field_store.js'
import { el, formatMoment, say } from '../views/field_words.js'

/** @typedef {import('./field_phone.js').Visit} Visit */

/** URLs of stored photos, by event. A photo that is being read has none yet. @type {Map<string, string>} */
const addresses = new Map()

/**
 * Draws the photos of a visit, each with when it was taken.
 * @param {Visit} visit
 */
export const photoLines = ({ id: visit, photos }) =>
  photos.map(({ id, name, stage, at, isHere }) => [
    isHere && storedPhoto(id),
    stage && el('b', {}, `${say(`stage_${stage}`)}: `),
    isHere ? name : el('a', { href: `/${phone.company}/jobs/${visit}/media/${id}` }, name),
    ' ',
    el('span', { class: 'help' }, formatMoment(at)),
  ])

/** @param {string} id */
function storedPhoto(id) {
  const address = addresses.get(id)
  if (address === undefined) void loadPhoto(id)
  return el('img', { class: 'field-photo', alt: '', ...(address && { src: address }) })
}

/** @param {string} id */
async function loadPhoto(id) {
  addresses.set(id, '')
  const stored = await get('photos', id)
  if (stored === undefined) return
  addresses.set(id, URL.createObjectURL(stored.photo))
  notifyChange()
}

/** Maximum pictures of the catalog that are kept, and their bytes. */
const [MAX_PICTURES, MAX_PICTURE_BYTES] = [100, 10 * 2 ** 20]

/** Version of the catalog whose pictures are kept, and the addresses of those that are here. */
let version = ''
const cachedUrls = new Set()

/** @param {string} picture */
const addressOf = (picture) => `/field/${phone.company}/pictures/${picture}`

/** Fetches the pictures of the catalog that the phone lacks, the first items' first, and drops those that left it. */
export async function cacheCatalogPictures() {
  const { owner, day } = phone
  if (globalThis.caches === undefined || day === null || day.catalog_version === version) return
  version = day.catalog_version
  const urls = day.catalog.flatMap(({ picture }) => (picture === undefined ? [] : addressOf(picture)))
  const cache = await caches.open(pictureCacheName(owner))
  let remainingBytes = MAX_PICTURE_BYTES
  cachedUrls.clear()
  for (const address of urls.slice(0, MAX_PICTURES)) {
    const cached = await cache.match(address)
    const answer = cached ?? (await fetch(address).catch(() => null))
    // Without a signal the rest is fetched with the next day.
    if (answer === null) version = ''
    if (answer === null || phone.owner !== owner) break
    remainingBytes -= Number(answer.headers.get('content-length'))
    if (remainingBytes < 0) break
    if (cached === undefined && answer.ok) await cache.put(address, answer)
    if (answer.ok) cachedUrls.add(address)
  }
  for (const { url } of await cache.keys()) if (!urls.includes(new URL(url).pathname)) await cache.delete(url)
}

/** Draws the picture of an item, unless it has none or none is here. @param {{ picture?: string } | undefined} item */
export function itemPicture(item) {
  const address = addressOf(item?.picture ?? '')
  return cachedUrls.has(address) && el('img', { class: 'field-item', alt: '', src: address })
}

/** Maximum photos that are chosen at once. */
const MAX_PHOTOS = 20

/** Draws the photo form: camera or gallery, caption, and before or after the work. */
export const photoFields = () => [
  field('from_camera', { type: 'file', accept: 'image/*', name: 'camera', capture: 'environment' }),
  field('from_gallery', { type: 'file', accept: 'image/*', name: 'gallery', multiple: true }),
  field('caption', { name: 'caption', autocomplete: 'off', maxlength: 200 }),
  el(
    'fieldset',
    { class: 'field-field' },
    el('legend', {}, say('stage')),
    ...['', 'before', 'after'].map((stage) =>
      el(
        'label',
        {},
        el('input', { type: 'radio', name: 'stage', value: stage, checked: stage === '' }),
        ` ${say(stage === '' ? 'stage_none' : `stage_${stage}`)}`,
      ),
    ),
  ),
]

/** @param {string} word @param {Record<string, any>} properties */
const field = (word, properties) => el('label', { class: 'field-field' }, say(word), el('input', properties))

/** Returns the chosen photos with their caption and mark, or an error. @param {FormData} data */
export function readPhotos(data) {
  const photos = ['camera', 'gallery']
    .flatMap((name) => data.getAll(name))
    .filter((one) => one instanceof File && one.size > 0)
  if (photos.length === 0) return say('choose_photos')
  if (photos.length > MAX_PHOTOS) return say('too_many_photos', MAX_PHOTOS)
  const [caption, stage] = ['caption', 'stage'].map((name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  })
  const fields = { ...(caption !== '' && { caption }), ...(stage !== '' && { stage }) }
  return { fields, says: caption ?? '', photos: /** @type {File[]} */ (photos) }
}
