// @ts-check
// Draws the page anew from what the phone knows; only what differs is touched.

import { patch } from '../../patch.js'
import { listView } from './field_list.js'
import { isKept, phone, stopped, visitOf, waiting } from '../work/field_phone.js'
import { visitShown } from './field_shown.js'
import { visitView } from './field_visit.js'
import { doButton, waitingView } from './field_waiting.js'
import { clock, el, part, say } from './field_words.js'

let shownAt = ''

/** Draws the view that the address names, and the state of what waits. */
export function draw() {
  // Until the first day is here, the list that came with the page stays, so that nothing moves twice.
  if (phone.day === null && !phone.isAnswered && phone.acts.length === 0) return
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
  if (shownAt === hash) return
  if (shownAt !== '' || hash !== '') scrollTo(0, 0)
  shownAt = hash
}

/** @param {string} hash */
function viewOf(hash) {
  if (hash === '#waiting') return waitingView()
  const visit = hash.startsWith('#v-') ? visitOf(hash.slice(3)) : undefined
  return visit === undefined ? listView() : visitView(visitShown(visit))
}

/** Returns a message about what someone has to do before anything can be sent, with a link. */
function troubleLine() {
  if (phone.trouble === '') return null
  const to = encodeURIComponent(location.pathname)
  const ways = /** @type {Readonly<Record<string, string>>} */ ({
    signed_out: `/sign-in?to=${to}`,
    second_factor: `/${phone.company}`,
    provider: `/${phone.company}/sign-in?to=${to}`,
  })
  const way = ways[phone.trouble]
  return el(
    'p',
    { class: 'field-warning' },
    say(phone.trouble),
    way !== undefined && [' ', el('a', { href: way, class: 'button plain' }, say('sign_in'))],
    ...saveForOffice(),
  )
}

/** Offers to save unsent work, where there is any; the page of what waits has the button already. */
const saveForOffice = () =>
  phone.trouble !== 'not_a_member' || stopped().length + waiting().length === 0
    ? []
    : [` ${say('save_for_office')}`, location.hash !== '#waiting' && doButton('save', say('save_file'), 'plain')]

/** Returns a warning that waiting events are lost when the page closes. */
const unkeptLine = () => !isKept() && waiting().length > 0 && el('p', { class: 'field-warning' }, say('no_store'))

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
  const [needs, waits] = [stopped().length, waiting().length]
  const last = Math.max(0, ...phone.acts.map(({ sent_at = 0 }) => sent_at))
  const [kind, words] = stateOf(needs, waits, last)
  const state = part('state')
  state.hidden = false
  state.className = `field-state ${kind}`
  if (state.textContent !== words) state.textContent = words
  document.title = `${needs + waits > 0 ? `(${needs + waits}) ` : ''}${say('visits')} · Callout`
}

/**
 * @param {number} needs
 * @param {number} waits
 * @param {number} last
 * @returns {[string, string]}
 */
function stateOf(needs, waits, last) {
  if (needs > 0 || phone.trouble !== '') return ['needs', say('needs_you')]
  if (waits > 0) return ['waits', waits === 1 ? say('one_waits') : say('many_wait', waits)]
  if (!phone.isOnline) return ['offline', say('offline')]
  return ['sent', last > 0 ? say('sent_at', clock(last + phone.skew)) : say('all_sent')]
}
