// @ts-check
// Makes the fields of sheets, and reads them.

import { itemPicture } from './field_pictures.js'
import { el, money, say } from '../views/field_words.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_phone.js').StoredEvent} StoredEvent*/
/** @typedef {NonNullable<typeof import('./field_phone.js').phone.day>['catalog']} Catalog */
/** @typedef {{ visit: Visit, before: Record<string, any>, inPlaceOf?: StoredEvent| undefined, value: string }} SheetRequest*/
/** @typedef {{ title: string, button?: string, fields: import('../views/field_words.js').Child[], read(data: FormData, pressed: string): { fields: Record<string, any>, says: string, kind?: string, photos?: File[] } | string }} Sheet */

/** @param {FormData} data @param {string} name */
export function textOf(data, name) {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * @param {string} label
 * @param {HTMLElement} input
 */
export const field = (label, input) => el('label', { class: 'field-field' }, label, input)

/** @param {Record<string, any>} properties */
export const input = (properties) =>
  /** @type {HTMLInputElement} */ (el('input', { autocomplete: 'off', maxlength: 200, ...properties }))

/**
 * Returns the item that a text names, or the only one whose name contains it.
 * @param {Catalog} catalog
 * @param {string} text
 */
export function findItemByName(catalog, text) {
  const typed = text.trim().toLowerCase()
  const matches = catalog.filter(({ name }) => typed !== '' && name.toLowerCase().includes(typed))
  return matches.find(({ name }) => name.toLowerCase() === typed) ?? (matches.length === 1 ? matches[0] : undefined)
}

/** @param {Catalog} catalog */
export const itemList = (catalog) =>
  el(
    'datalist',
    { id: 'items' },
    ...catalog.map(({ name, price_cents: price }) => el('option', { value: name }, price === null ? '' : money(price))),
  )

/** @param {Catalog} catalog @param {(name: string) => void} add */
export function favoriteButtons(catalog, add) {
  const favorites = catalog.filter(({ favorite }) => favorite)
  return (
    favorites.length > 0 &&
    el(
      'div',
      { class: 'field-choices', role: 'group', 'aria-label': say('favorites') },
      ...favorites.map((item) =>
        el(
          'button',
          { class: 'button plain', type: 'button', click: () => add(item.name) },
          itemPicture(item),
          item.name,
        ),
      ),
    )
  )
}

/** Draws the fields of a signature: who signs, and what it is drawn on. @param {SheetRequest} asked */
export const signatureFields = ({ visit, before }) => [
  field(say('signer'), input({ name: 'name', value: before['name'] ?? visit.contact?.name ?? visit.customer.name })),
  el(
    'signature-pad',
    { class: 'field-field' },
    say('draw'),
    el('input', { type: 'hidden', name: 'drawing' }),
    signatureBoard(),
    el('button', { class: 'button quiet', type: 'button' }, say('clear')),
  ),
]

/** @param {FormData} data */
export function readSignature(data) {
  const [name, drawing] = [textOf(data, 'name'), textOf(data, 'drawing')]
  return name === '' || drawing === '' ? say('give_signature') : { fields: { name, drawing }, says: name }
}

const SVG = 'http://www.w3.org/2000/svg'

/** Draws what a signature is drawn on, as `public/records/signature.js` expects it. */
function signatureBoard() {
  const svg = document.createElementNS(SVG, 'svg')
  for (const [name, value] of [
    ['class', 'signature'],
    ['viewBox', '0 0 600 200'],
    ['role', 'img'],
    ['aria-label', say('draw')],
  ])
    svg.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value))
  svg.append(document.createElementNS(SVG, 'path'))
  return svg
}
