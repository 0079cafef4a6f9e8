// @ts-check
// Makes the fields of sheets, and reads them.

import { el } from '../views/field_words.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_phone.js').Kept} Kept */
/** @typedef {{ visit: Visit, before: Record<string, any>, inPlaceOf?: Kept | undefined, value: string }} Asked */
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
