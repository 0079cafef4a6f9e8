// @ts-check
// Writes down what stands at a customer's address, with photos of it.

import { newId, phone } from './field_phone.js'
import { field, input, textOf } from './field_inputs.js'
import { el, say } from '../views/field_words.js'

/** @typedef {import('./field_inputs.js').SheetRequest} SheetRequest*/
/** @typedef {import('./field_inputs.js').Sheet} Sheet */

/** Maximum photos of a device. */
const MAX_PHOTOS = 24

/**
 * Asks what a device is: a new one, the one that was tapped, or what the office refused.
 * @param {SheetRequest} asked
 * @returns {Sheet}
 */
export function equipmentSheet({ visit, before, value }) {
  const device = (visit.equipment ?? []).find(({ id }) => id === (before['equipment_id'] ?? value))
  const id = before['equipment_id'] ?? device?.id ?? newId()
  const isNew = before['is_new'] ?? device === undefined
  const photos = before['photo_ids'] ?? device?.photo_ids ?? []
  const visitPhotoIds = visit.photos.map((photo) => photo.id)
  /** @type {Record<string, any>} */
  const base = { type: device?.kind, ...device }
  const initial = { ...base, ...before }
  return {
    title: say('equipment'),
    fields: [
      field(say('device_kind'), input({ name: 'type', maxlength: 100, value: initial.type ?? '', autofocus: isNew })),
      field(say('device_model'), input({ name: 'model', maxlength: 100, value: initial.model ?? '' })),
      field(say('device_serial'), input({ name: 'serial', maxlength: 100, value: initial.serial ?? '' })),
      field(say('device_installed'), input({ name: 'installed_on', type: 'date', value: initial.installed_on ?? '' })),
      field(say('note'), el('textarea', { name: 'note', rows: 3, maxlength: 2000 }, initial.note ?? '')),
      phone.day?.may['photos'] === true &&
        field(
          say('from_camera'),
          el('input', { type: 'file', accept: 'image/*', name: 'camera', capture: 'environment' }),
        ),
      visit.photos.length > 0 &&
        el(
          'fieldset',
          { class: 'field-field' },
          el('legend', {}, say('photos')),
          ...visit.photos.map(({ id: photo, name }) =>
            el(
              'label',
              { class: 'field-tick' },
              el('input', { type: 'checkbox', name: 'photo', value: photo, checked: photos.includes(photo) }),
              name,
            ),
          ),
        ),
    ],
    read: (data) => {
      const type = textOf(data, 'type')
      if (type === '') return say('give_device')
      const camera = data.get('camera')
      const newPhotos = camera instanceof File && camera.size > 0 ? [camera] : []
      const photoIds = [
        ...photos.filter((/** @type {string} */ photo) => !visitPhotoIds.includes(photo)),
        ...data.getAll('photo'),
      ]
      const texts = { type, ...Object.fromEntries(TEXTS.map((name) => [name, textOf(data, name)])) }
      const changed = Object.entries(texts).filter(([name, text]) => isNew || text !== (base[name] ?? ''))
      return {
        fields: {
          equipment_id: id,
          ...(isNew && { is_new: true }),
          ...Object.fromEntries(changed),
          ...((newPhotos.length > 0 || photoIds.join() !== (device?.photo_ids ?? []).join()) && {
            photo_ids: photoIds.slice(0, MAX_PHOTOS - newPhotos.length),
          }),
        },
        says: type,
        photos: newPhotos,
      }
    },
  }
}

const TEXTS = ['model', 'serial', 'installed_on', 'note']
