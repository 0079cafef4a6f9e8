// @ts-check
// Draws a visit as it is worked through: how to get there, what to know, what to do, and the next step under the thumb.

import { phone } from '../work/field_phone.js'
import { billSection, moneyStep, quoteSection } from './field_bill.js'
import { invoicesOf } from '../quotes/field_offers.js'
import { photoLines } from '../work/field_pictures.js'
import { contactLinks, statusMark, stepButton, timeOf } from './field_parts.js'
import { workedSeconds } from './field_shown.js'
import { formatDate, formatDuration, el, icon, formatMoment, money, formatDay, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */

/** @param {Visit} visit */
export const visitView = (visit) => [
  el(
    'p',
    { class: 'field-back' },
    el('a', { class: 'button quiet', href: '#', id: 'back' }, icon('back'), say('back')),
  ),
  el('p', { class: 'field-head' }, el('b', { class: 'field-time' }, timeOf(visit)), statusMark(visit)),
  el('h1', {}, visit.title),
  el(
    'p',
    { class: 'field-for' },
    el('b', {}, visit.customer.name),
    visit.address && [el('br'), visit.address.lines.join(', ')],
    ['urgent', 'high'].includes(visit.priority) && el('strong', { class: 'field-priority' }, say(visit.priority)),
  ),
  visit.access_notes && textBlock('getting_in', visit.access_notes, 'field-way-in'),
  visit.instructions && textBlock('crew', visit.instructions, 'field-way-in'),
  visit.description && textBlock('description', visit.description),
  visit.status === 'done' && billSection(visit),
  toolbar(visit),
  checklist(visit),
  visit.status !== 'done' && section('bring', visit.bring.map(partLine)),
  visit.status !== 'done' && billSection(visit),
  quoteSection(visit),
  section(
    'notes',
    visit.notes.map(({ at, by, body }) => [
      el('span', { class: 'help' }, `${formatMoment(at)}${by === null ? '' : ` · ${by}`}`),
      body,
    ]),
  ),
  section('photos', photoLines(visit)),
  section(
    'equipment',
    (visit.equipment ?? []).map((device) => deviceLine(visit, device)),
  ),
  section(
    'before',
    visit.before.map(({ at, title, note }) => [
      el('b', {}, title),
      ` · ${formatDate(at)}`,
      note && el('span', { class: 'help' }, note),
    ]),
  ),
  el('p', {}, el('a', { href: visit.url }, say('office_page'))),
  dock(visit),
]

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [kind]
 */
const textBlock = (name, text, kind = '') =>
  el('div', { class: `field-told-text ${kind}` }, el('b', {}, say(name)), el('p', {}, text))

/**
 * @param {string} name
 * @param {readonly import('./field_words.js').Child[]} lines
 */
const section = (name, lines) =>
  lines.length > 0 &&
  el(
    'section',
    { class: 'field-part' },
    el('h2', {}, say(name)),
    el('ul', {}, ...lines.map((line) => el('li', {}, line))),
  )

/** @param {Visit} visit @param {NonNullable<Visit['equipment']>[number]} device */
const deviceLine = (visit, { id, kind, model, serial, installed_on, note, photo_ids }) => [
  el('b', {}, kind),
  ...[model, serial && say('serial', serial), installed_on && say('installed', formatDay(installed_on))].map(
    (text) => text && ` · ${text}`,
  ),
  note && el('span', { class: 'help' }, note),
  ...photoLines({ ...visit, photos: visit.photos.filter((photo) => photo_ids?.includes(photo.id)) }).map((line) =>
    el('span', { class: 'help' }, line),
  ),
  phone.day?.may['equipment'] &&
    id !== undefined &&
    el(
      'button',
      {
        class: 'button quiet',
        type: 'button',
        id: `device-${id}`,
        'data-do': 'device',
        'data-visit': visit.id,
        'data-value': id,
      },
      say('edit'),
      el('span', { class: 'unseen' }, ` ${kind}`),
    ),
]

/** @param {Visit['bring'][number]} part */
const partLine = ({ name, quantity, unit }) => `${quantity} ${['', 'each'].includes(unit) ? '×' : unit} ${name}`

/** Draws what can be done beside the next step, each a tap. @param {Visit} visit */
function toolbar(visit) {
  const { may } = /** @type {NonNullable<typeof phone.day>} */ (phone.day)
  const { state } = visit.time
  const isUnderWay = visit.status === 'en_route' || visit.status === 'in_progress'
  const isOver = visit.status === 'done' || visit.status === 'cancelled'
  const due = invoicesOf(visit).filter(({ due_cents }) => due_cents > 0)
  return el(
    'section',
    { class: 'field-doing', 'aria-label': say('visits') },
    may['status'] && [timer(visit)],
    el(
      'div',
      { class: 'field-tools' },
      may['photos'] && photoButton(visit),
      may['photos'] && tool('photos', 'new', visit, '', 'more_photos'),
      may['notes'] && tool('note', 'pen', visit),
      may['parts'] && !isOver && tool('part', 'catalog', visit),
      may['equipment'] && visit.address !== null && tool('equipment', 'new', visit),
      may['status'] && tool('signature', 'sign', visit),
      may['payments'] &&
        due.length > 0 &&
        tool('payment', 'money', visit, due.length === 1 ? money(due[0]?.due_cents ?? 0) : ''),
      may['quotes'] &&
        (visit.quote_tax
          ? tool('quote', 'note', visit)
          : pageTool('quote', 'note', `quotes/new?customer_id=${visit.customer.id}`)),
      may['charges'] && due[0]?.id != null && pageTool('charge', 'money', `invoices/${due[0].id}/charge`),
      may['late'] && !isOver && visit.mine && tool('late', 'late', visit),
      may['status'] && isUnderWay && tool('hold', 'hold', visit, '', 'to_on_hold'),
      may['status'] && state !== 'none' && tool('time_correction', 'clock', visit),
    ),
    visit.signature && el('p', { class: 'help' }, say('signed', visit.signature.name)),
  )
}

/** @param {Visit} visit */
function timer(visit) {
  const { state } = visit.time
  const isOpen = state === 'running' || state === 'paused'
  return el(
    'div',
    { class: `field-timer ${state}` },
    icon('clock'),
    el(
      'span',
      {},
      el('b', { class: 'field-seconds' }, formatDuration(workedSeconds(visit.time))),
      isOpen && el('span', { class: 'help' }, say(`time_${state}`)),
    ),
    el(
      'span',
      { class: 'field-clocks' },
      state === 'running' ? timeButton(visit, 'paused') : timeButton(visit, 'started'),
      isOpen && timeButton(visit, 'ended'),
    ),
  )
}

/**
 * @param {Visit} visit
 * @param {string} what
 */
const timeButton = ({ id }, what) =>
  el(
    'button',
    {
      class: 'button plain',
      type: 'button',
      id: `time-${what}`,
      'data-do': 'time',
      'data-visit': id,
      'data-value': what,
    },
    say(what),
  )

/**
 * @param {string} action
 * @param {string} iconName
 * @param {Visit} visit
 * @param {string} [more]
 * @param {string} [word]
 */
const tool = (action, iconName, { id }, more = '', word = action) =>
  el(
    'button',
    { class: 'field-tool', type: 'button', id: `do-${action}`, 'data-do': action, 'data-visit': id },
    icon(iconName),
    el('span', {}, say(word), more !== '' && el('span', { class: 'help' }, more)),
  )

/**
 * Draws what is done on a page of the office, which needs a signal.
 * @param {string} word
 * @param {string} iconName
 * @param {string} path
 */
const pageTool = (word, iconName, path) =>
  el(
    'a',
    { class: 'field-tool', id: `do-${word}`, href: `/${phone.company}/${path}` },
    icon(iconName),
    el('span', {}, say(word)),
  )

/** @param {Visit} visit */
const photoButton = ({ id }) =>
  el(
    'label',
    { class: 'field-tool', id: 'do-photo' },
    icon('camera'),
    el('span', {}, say('photo')),
    el('input', {
      type: 'file',
      accept: 'image/*',
      capture: 'environment',
      class: 'unseen',
      id: 'photo',
      'data-visit': id,
    }),
  )

/** @param {Visit} visit */
const checklist = ({ id, checklist: items }) =>
  items.length > 0 &&
  el(
    'section',
    { class: 'field-part' },
    el('h2', {}, say('checklist')),
    el('ul', { class: 'field-checks' }, ...items.map((item) => el('li', {}, checkButton(id, item)))),
  )

/**
 * @param {string} visit
 * @param {Visit['checklist'][number]} item
 */
function checkButton(visit, { id, kind, text, required, value }) {
  const isDone = kind === 'check' ? value === true : value !== null && value !== ''
  const role = kind === 'check' ? { role: 'checkbox', 'aria-checked': String(isDone) } : {}
  return el(
    'button',
    {
      class: `field-check${isDone ? ' is-done' : ''}`,
      type: 'button',
      id: `item-${id}`,
      ...role,
      'data-do': kind === 'check' ? 'tick' : 'item',
      'data-visit': visit,
      'data-value': id,
    },
    el('span', { class: 'field-box', 'aria-hidden': 'true' }, isDone && icon('done')),
    el(
      'span',
      {},
      text,
      required && !isDone && el('span', { class: 'help' }, say('required')),
      kind !== 'check' && isDone && el('b', { class: 'help' }, String(value)),
    ),
  )
}

/** Draws the buttons within reach of the thumb. @param {Visit} visit */
const dock = (visit) =>
  el(
    'div',
    { class: 'field-dock' },
    contactLinks(visit),
    phone.day?.may['status'] === true && stepButton(visit, 'dock'),
    moneyStep(visit, 'dock'),
  )
