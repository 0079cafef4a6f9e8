// @ts-check
// Asks for what an act needs beyond a tap, in a sheet over the page: one question, one button.

import { recordEvent, recordWithPhotos, storePhotos, showMessage } from './field_acting.js'
import { equipmentSheet } from './field_equipment.js'
import {
  favoriteButtons,
  field,
  input,
  findItemByName,
  itemList,
  readSignature,
  signatureFields,
  textOf,
} from './field_inputs.js'
import { paymentSheet, receiptSheet } from './field_money.js'
import { phone, findVisit } from './field_phone.js'
import { itemPicture, photoFields, readPhotos } from './field_pictures.js'
import { quoteSheet } from '../quotes/field_quotes.js'
import { quoteSignatureSheet } from '../quotes/field_signing.js'
import { currentCatalog, currentVisit } from '../views/field_shown.js'
import { formatTime, formatDate, el, parseNumber, part, localSettings, say } from '../views/field_words.js'

/** @typedef {import('./field_phone.js').StoredEvent} StoredEvent*/
/** @typedef {import('./field_inputs.js').SheetRequest} SheetRequest*/
/** @typedef {import('./field_inputs.js').Sheet} Sheet */

/**
 * Opens the sheet of an act; one that was refused is corrected with what it said.
 * @param {string} sheetName
 * @param {string} id
 * @param {{ inPlaceOf?: StoredEvent, value?: string }} [more]
 */
export function openSheet(sheetName, id, { inPlaceOf, value = '' } = {}) {
  const visit = findVisit(id)
  const make = SHEETS[sheetName]
  if (visit === undefined || make === undefined) return showMessage(say('gone'))
  show(sheetName, make({ visit: currentVisit(visit), before: inPlaceOf?.act ?? {}, inPlaceOf, value }), id, inPlaceOf)
}

/** @param {string} sheetName @param {Sheet} sheet @param {string} id @param {StoredEvent| undefined} inPlaceOf */
function show(sheetName, { title, button = say('save'), fields, read }, id, inPlaceOf) {
  const dialog = /** @type {HTMLDialogElement} */ (part('sheet'))
  const problem = el('p', { class: 'field-problem', role: 'alert' })
  const form = el(
    'form',
    {
      method: 'dialog',
      novalidate: true,
      submit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault()
        const pressed = event.submitter instanceof HTMLButtonElement ? event.submitter.value : ''
        const result = read(new FormData(/** @type {HTMLFormElement} */ (form)), pressed)
        if (typeof result === 'string') return problem.replaceChildren(result)
        dialog.close()
        const { photos, fields: sent, says } = result
        const kind = result.kind ?? KINDS[sheetName] ?? sheetName
        if (photos === undefined) return void recordEvent(id, kind, sent, { says, inPlaceOf })
        void (sheetName === 'photos'
          ? storePhotos(id, photos, sent)
          : recordWithPhotos(id, kind, { fields: sent, photos }, { says, inPlaceOf }))
      },
    },
    el('h2', { id: 'sheet-title', tabindex: -1, autofocus: true }, title),
    ...fields,
    problem,
    el(
      'p',
      { class: 'actions' },
      button !== '' && el('button', { class: 'button main', value: '' }, button),
      el('button', { class: 'button plain', type: 'button', click: () => dialog.close() }, say('cancel')),
    ),
  )
  dialog.replaceChildren(form)
  dialog.showModal()
  const first = form.querySelector(':is(input, textarea)[autofocus]')
  if (first instanceof HTMLElement) first.focus()
}

/** Event kind of a button, if the two differ. @type {Readonly<Record<string, string>>} */
const KINDS = { hold: 'status', item: 'checklist' }

/** @type {Readonly<Record<string, (asked: SheetRequest) => Sheet>>} */
const SHEETS = {
  photos: () => ({ title: say('photos'), fields: photoFields(), read: readPhotos }),
  note: ({ before }) => ({
    title: say('what_note'),
    fields: [
      field(
        say('note'),
        el('textarea', { name: 'body', rows: 4, maxlength: 5000, autofocus: true }, before['body'] ?? ''),
      ),
    ],
    read: (data) => {
      const body = textOf(data, 'body')
      return body === '' ? say('give_text') : { fields: { body }, says: body.slice(0, 60) }
    },
  }),
  hold: ({ before }) => ({
    title: say('why_hold'),
    fields: [
      el(
        'div',
        { class: 'field-choices' },
        ...(phone.day?.hold_reasons ?? []).map((reason) =>
          el('button', { class: 'button plain', value: reason }, reason),
        ),
      ),
      field(say('reason'), input({ name: 'reason', maxlength: 500, value: before['reason'] ?? '' })),
    ],
    read: (data, pressed) => {
      const reason = pressed || textOf(data, 'reason')
      return reason === ''
        ? say('give_text')
        : { fields: { to: 'on_hold', reason }, says: `${say('on_hold')}, ${reason}` }
    },
  }),
  part: ({ before }) => {
    const catalog = currentCatalog()
    const favoriteBox = input({ type: 'checkbox', name: 'favorite', checked: before['favorite'] === true })
    const value = catalog.find(({ id }) => id === before['catalog_item_id'])?.name ?? ''
    const preview = el('div')
    const showItem = () => {
      const item = findItemByName(catalog, itemInput.value)
      favoriteBox.checked = item?.favorite === true
      preview.replaceChildren(itemPicture(item) || '')
    }
    const itemInput = input({ name: 'item', list: 'items', value, autofocus: true, input: showItem })
    const add = (/** @type {string} */ name) => {
      itemInput.value = name
      favoriteBox.checked = true
      itemInput.form?.requestSubmit()
    }
    return {
      title: say('part'),
      button: say('add'),
      fields: [
        field(say('which_part'), itemInput),
        itemList(catalog),
        preview,
        field(say('quantity'), input({ name: 'quantity', inputmode: 'decimal', value: before['quantity'] ?? 1 })),
        el('label', { class: 'field-tick' }, favoriteBox, say('favorite')),
        favoriteButtons(catalog, add),
      ],
      read: (data) => {
        const item = findItemByName(catalog, textOf(data, 'item'))
        if (item === undefined) return say('not_listed')
        const quantity = parseNumber(textOf(data, 'quantity'))
        if (!(quantity > 0)) return say('above_zero')
        const favorite = data.has('favorite')
        const isChanged = favorite !== (item.favorite ?? false)
        const fields = { catalog_item_id: item.id, quantity, ...(isChanged && { favorite }) }
        return { fields, says: `${quantity} × ${item.name}` }
      },
    }
  },
  item: ({ visit, value }) => {
    const item = visit.checklist.find(({ id }) => id === value)
    const isNumber = item?.kind === 'number'
    return {
      title: say('checklist'),
      fields: [
        field(
          item?.text ?? '',
          input({
            name: 'value',
            autofocus: true,
            maxlength: 500,
            inputmode: isNumber ? 'decimal' : 'text',
            value: item?.value ?? '',
          }),
        ),
      ],
      read: (data) => {
        const typed = textOf(data, 'value')
        const answer = isNumber ? parseNumber(typed.replace(/^-/, '')) * (typed.startsWith('-') ? -1 : 1) : typed
        if (answer === '' || Number.isNaN(answer)) return say(isNumber ? 'above_zero' : 'give_text')
        return { fields: { item_id: value, value: answer }, says: `${item?.text ?? ''}: ${answer}` }
      },
    }
  },
  signature: (asked) => ({ title: say('signature'), fields: signatureFields(asked), read: readSignature }),
  quote: quoteSheet,
  quote_signature: quoteSignatureSheet,
  equipment: equipmentSheet,
  payment: paymentSheet,
  receipt: receiptSheet,
  late: () => ({
    title: say('how_late'),
    button: '',
    fields: [
      el(
        'div',
        { class: 'field-choices' },
        ...[10, 15, 30, 45, 60, 90].map((minutes) =>
          el('button', { class: 'button plain', value: minutes }, say('minutes', minutes)),
        ),
      ),
      el('label', { class: 'field-tick' }, el('input', { type: 'checkbox', name: 'tell', checked: true }), say('tell')),
      el('p', { class: 'help' }, say('told_office')),
    ],
    read: (data, pressed) => {
      const minutes = Number(pressed)
      return minutes > 0
        ? { fields: { minutes, tell_customers: data.has('tell') }, says: String(minutes) }
        : say('how_late')
    },
  }),
  time_correction: ({ visit, before }) => {
    const last = visit.time.entries.at(-1)
    const showTimes = (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => {
      const chosen = visit.time.entries.find(({ id }) => id === target.value)
      if (target.form === null || chosen === undefined) return
      for (const [name, at] of [
        ['from', chosen.started_at],
        ['until', chosen.ended_at],
      ])
        /** @type {HTMLInputElement} */ (target.form.elements.namedItem(String(name))).value = toLocalInput(at)
    }
    return {
      title: say('time_correction'),
      fields: [
        field(
          say('entry'),
          el(
            'select',
            { name: 'entry', change: showTimes },
            ...visit.time.entries
              .toReversed()
              .map(({ id, started_at, ended_at }) =>
                el(
                  'option',
                  { value: id },
                  `${formatDate(started_at)}, ${formatTime(started_at)}${ended_at === null ? '' : ` – ${formatTime(ended_at)}`}`,
                ),
              ),
            el('option', { value: '' }, say('forgotten')),
          ),
        ),
        field(
          say('from'),
          input({
            name: 'from',
            type: 'datetime-local',
            value: toLocalInput(before['started_at'] ?? last?.started_at),
          }),
        ),
        field(
          say('until'),
          input({ name: 'until', type: 'datetime-local', value: toLocalInput(before['ended_at'] ?? last?.ended_at) }),
        ),
        field(say('reason'), input({ name: 'reason', maxlength: 500, value: before['reason'] ?? '' })),
      ],
      read: (data) => {
        const [from, until] = [parseLocal(textOf(data, 'from')), parseLocal(textOf(data, 'until'))]
        const [entry, reason] = [textOf(data, 'entry'), textOf(data, 'reason')]
        if (!(from < until) || until > Date.now() + phone.skew) return say('wrong_times')
        if (reason === '') return say('give_text')
        const times = { started_at: new Date(from).toISOString(), ended_at: new Date(until).toISOString() }
        return { fields: { ...(entry !== '' && { entry_id: entry }), ...times, reason }, says: '' }
      },
    }
  },
}

/** Returns a time as a field of the company's wall clock shows it. @param {string | null | undefined} at */
function toLocalInput(at) {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: localSettings.timezone,
  })
  return parts.format(at ? new Date(at) : new Date(Date.now() + phone.skew)).replace(' ', 'T')
}

/** Returns the instant of the company's wall clock, in milliseconds, or NaN. @param {string} local */
function parseLocal(local) {
  const wallTime = Date.parse(`${local}Z`)
  const guess = (/** @type {number} */ at) => at + wallTime - Date.parse(`${toLocalInput(new Date(at).toISOString())}Z`)
  return Number.isNaN(wallTime) ? NaN : guess(guess(wallTime))
}
