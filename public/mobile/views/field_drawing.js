// @ts-check
// Draws the page anew from what the phone knows; only what differs is touched.

import { patch } from '../../patch.js'
import { listView } from './field_list.js'
import { isStored, phone, stoppedEvents, findVisit, waitingEvents } from '../work/field_phone.js'
import { currentVisit } from './field_shown.js'
import { visitView } from './field_visit.js'
import { actionButton, waitingView } from './field_waiting.js'
import { formatTime, el, part, say } from './field_words.js'

let shownHash = ''

/** Draws the view that the address names, and the state of what waits. */
export function draw() {
  // Until the first day is here, the list that came with the page stays, so that nothing moves twice.
  if (phone.day === null && !phone.isAnswered && phone.events.length === 0) return
  const main = part('main')
  const fresh = /** @type {HTMLElement} */ (main.cloneNode(false))
  const { hash } = location
  fresh.append(
    el(
      'div',
      { class: 'field-view', id: `view${hash.replace(/\W/g, '-')}` },
      troubleLine(),
      unkeptLine(),
      outdatedLine(),
      viewOf(hash),
    ),
  )
  fresh.classList.add('alive')
  patch(main, fresh)
  drawState()
  if (shownHash === hash) return
  if (shownHash !== '' || hash !== '') scrollTo(0, 0)
  shownHash = hash
}

/** @param {string} hash */
function viewOf(hash) {
  if (hash === '#waiting') return waitingView()
  const visit = hash.startsWith('#v-') ? findVisit(hash.slice(3)) : undefined
  return visit === undefined ? listView() : visitView(currentVisit(visit))
}

/** Returns a message about what someone has to do before anything can be sent, with a link. */
function troubleLine() {
  if (phone.trouble === '') return null
  const to = encodeURIComponent(location.pathname)
  const links = /** @type {Readonly<Record<string, string>>} */ ({
    signed_out: `/sign-in?to=${to}`,
    second_factor: `/${phone.company}`,
    provider: `/${phone.company}/sign-in?to=${to}`,
  })
  const link = links[phone.trouble]
  return el(
    'p',
    { class: 'field-warning' },
    say(phone.trouble),
    link !== undefined && [' ', el('a', { href: link, class: 'button plain' }, say('sign_in'))],
    ...saveForOffice(),
  )
}

/** Offers to save unsent work, where there is any; the page of what waits has the button already. */
const saveForOffice = () =>
  phone.trouble !== 'not_a_member' || stoppedEvents().length + waitingEvents().length === 0
    ? []
    : [` ${say('save_for_office')}`, location.hash !== '#waiting' && actionButton('save', say('save_file'), 'plain')]

/** Returns a warning that waiting events are lost when the page closes. */
const unkeptLine = () =>
  !isStored() && waitingEvents().length > 0 && el('p', { class: 'field-warning' }, say('no_store'))

/** Offers the new version of the page. It loads by itself when the page is in the background. */
const outdatedLine = () =>
  phone.isOutdated &&
  el(
    'p',
    { class: 'field-news' },
    el('span', {}, say('outdated')),
    el('button', { class: 'button plain', type: 'button', id: 'do-renew', 'data-do': 'renew' }, say('renew')),
  )

/** Shows how many events wait, or when the last one was sent, at a place that is always visible. */
function drawState() {
  const [stoppedCount, waitingCount] = [stoppedEvents().length, waitingEvents().length]
  const last = Math.max(0, ...phone.events.map(({ sent_at = 0 }) => sent_at))
  const [kind, words] = stateOf(stoppedCount, waitingCount, last)
  const state = part('state')
  state.hidden = false
  state.className = `field-state ${kind}`
  if (state.textContent !== words) state.textContent = words
  document.title = `${stoppedCount + waitingCount > 0 ? `(${stoppedCount + waitingCount}) ` : ''}${say('visits')} · Callout`
}

/**
 * @param {number} stoppedCount
 * @param {number} waitingCount
 * @param {number} last
 * @returns {[string, string]}
 */
function stateOf(stoppedCount, waitingCount, last) {
  if (stoppedCount > 0 || phone.trouble !== '') return ['needs', say('needs_you')]
  if (waitingCount > 0) return ['waits', waitingCount === 1 ? say('one_waits') : say('many_wait', waitingCount)]
  if (!phone.isOnline) return ['offline', say('offline')]
  return ['sent', last > 0 ? say('sent_at', formatTime(last + phone.skew)) : say('all_sent')]
}
