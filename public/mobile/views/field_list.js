// @ts-check
// Draws the list: what comes next with its step at hand, then the rest of today, tomorrow, and the visits of others.

import { elsewhereLines, contactLinks, statusMark, stepButton, timeOf } from './field_parts.js'
import { isStored, phone, waitingEvents } from '../work/field_phone.js'
import { hint, setupLines } from './field_setup.js'
import { nextStep, currentVisits } from './field_shown.js'
import { formatTime, el, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */

const OPEN_STATUSES = ['en_route', 'in_progress', 'on_hold', 'scheduled', 'unscheduled']

/** Draws all visits, or why there are none. */
export function listView() {
  const { day } = phone
  if (day === null) return [phone.trouble === '' && el('p', { class: 'empty' }, say('nothing_kept')), footer()]
  const visits = currentVisits()
  const own = visits.filter(({ mine }) => mine)
  const today = own.filter((visit) => !isLater(visit))
  const next = [...today].filter(({ status }) => OPEN_STATUSES.includes(status)).sort(compareVisits)[0]
  return [
    el('div', { class: 'field-top' }, el('h1', {}, say('today')), el('span', { class: 'eyebrow' }, day.company.name)),
    ...elsewhereLines(),
    hint(),
    next === undefined ? el('p', { class: 'empty' }, say(today.length > 0 ? 'all_done' : 'no_visits')) : nextCard(next),
    list(today.filter((visit) => visit !== next)),
    dayMap(),
    ...group('tomorrow', own.filter(isLater)),
    ...group(
      'others',
      visits.filter(({ mine }) => !mine),
    ),
    footer(),
  ]
}

/** Draws the way through today's visits, as it is with what was done since; the list has the same. */
function dayMap() {
  const { map = null } = phone.day ?? {}
  if (map === null) return null
  const mapBody = new DOMParser().parseFromString(map, 'text/html').body
  for (const { id, status } of currentVisits())
    mapBody.querySelector(`[data-job="${id}"]`)?.classList.toggle('done', status === 'done')
  return el('figure', { class: 'map-room', id: 'map' }, ...mapBody.children)
}

/** Returns the place of a visit on the map; 0 for one that isn't of it. @param {Visit} visit */
function stopNumber({ id }) {
  const { visits = [], today = '', map = null } = phone.day ?? {}
  return map === null
    ? 0
    : visits.filter(({ mine, day }) => mine && day === today).findIndex((visit) => visit.id === id) + 1
}

/** Checks whether a visit is after today. One that began earlier counts as today. @param {Visit} visit */
const isLater = ({ day }) => day !== null && day > (phone.day?.today ?? '')

/**
 * Sorts visits: in progress first, then by time, on hold last.
 * @param {Visit} a
 * @param {Visit} b
 */
const compareVisits = (a, b) => rank(a) - rank(b) || (a.scheduled_start ?? '').localeCompare(b.scheduled_start ?? '')

/** @param {Visit} visit */
const rank = ({ status }) => ['in_progress', 'en_route'].indexOf(status) + 1 || (status === 'on_hold' ? 4 : 3)

/** @param {Visit} visit */
const nextCard = (visit) =>
  el(
    'section',
    { class: `field-next ${visit.status}`, 'aria-label': say('next') },
    cardLink(visit),
    visit.access_notes && el('p', { class: 'field-way-in' }, el('b', {}, say('getting_in')), ' ', visit.access_notes),
    contactLinks(visit),
    nextStep(visit) && phone.day?.may['status'] === true && stepButton(visit, 'list'),
  )

/**
 * @param {string} name
 * @param {Visit[]} visits
 */
const group = (name, visits) => (visits.length === 0 ? [] : [el('h2', {}, say(name)), list(visits)])

/** @param {Visit[]} visits */
const list = (visits) => el('ol', { class: 'field-list' }, ...visits.map((visit) => el('li', {}, cardLink(visit))))

/** @param {Visit} visit */
const cardLink = (visit) =>
  el(
    'a',
    { class: `field-card ${visit.status}`, href: `#v-${visit.id}`, id: `card-${visit.id}` },
    el(
      'span',
      { class: 'field-head' },
      stopNumber(visit) > 0 && el('span', { class: 'field-turn' }, String(stopNumber(visit))),
      el('b', { class: 'field-time' }, timeOf(visit)),
      visit.status !== 'scheduled' && statusMark(visit),
    ),
    el('b', { class: 'field-title' }, visit.title),
    el('span', {}, visit.customer.name),
    visit.address && el('span', { class: 'field-soft' }, visit.address.lines.join(', ')),
    !visit.mine && el('span', { class: 'field-soft' }, visit.crew.join(', ')),
  )

const footer = () =>
  el(
    'footer',
    { class: 'field-foot' },
    phone.syncedAt > 0 && el('p', { class: 'help' }, say('updated', formatTime(phone.syncedAt + phone.skew))),
    !isStored() && waitingEvents().length === 0 && el('p', { class: 'field-warning' }, say('no_store')),
    isStored() && !phone.isOpenable && el('p', { class: 'field-warning' }, say('no_worker')),
    ...setupLines(),
    el(
      'p',
      { class: 'actions' },
      el('a', { class: 'button plain', href: `/${phone.company}` }, say('whole_office')),
      el('a', { class: 'button plain', href: `/${phone.company}/time` }, say('time_sheets')),
      el('a', { class: 'button quiet', href: '/field/' }, say('other_company')),
      el(
        'form',
        { method: 'post', action: '/sign-out', id: 'leaving' },
        el('button', { class: 'button quiet' }, say('sign_out')),
      ),
    ),
  )
