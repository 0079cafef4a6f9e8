// @ts-check
// Shows once how to install the page, in the words of the browser at hand, and turns notifications on and off.

import { isApple, isInstalled, pushProblem, setPush, wantedKinds } from '../push.js'
import { tell } from '../work/field_acting.js'
import { changed, phone } from '../work/field_phone.js'
import { el, say } from './field_words.js'

/** @typedef {Event & { prompt(): Promise<unknown> }} InstallEvent */

/** Storage key of the hints that were closed. */
const CLOSED = 'callout-hints'

/** The browser's own question, where it has one. @type {InstallEvent | null} */
let asking = null

/** True if the browser keeps what is stored for good; null where it doesn't say. @type {boolean | null} */
let isSafe = null

/** Listens for what the browser says of installing, and asks whether it keeps what is stored. */
export function watchSetup() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    asking = /** @type {InstallEvent} */ (event)
    changed()
  })
  addEventListener('appinstalled', () => closeHint('install'))
  void readSafety()
}

async function readSafety() {
  isSafe = (await navigator.storage?.persisted?.().catch(() => null)) ?? null
  changed()
}

/** Returns the hint that comes next: to install, then to be notified. */
function nextHint() {
  const closed = closedHints()
  const isInstallable = asking !== null || installWord() !== null
  if (isInstallable && !isInstalled() && !closed.includes('install')) return 'install'
  return mayPush() && !isOn() && !closed.includes('push') && pushProblem() === '' ? 'push' : null
}

/** Draws that hint. */
export const hint = () => ({ install: installHint, push: pushHint, none: () => null })[nextHint() ?? 'none']()

const installHint = () =>
  el(
    'section',
    { class: 'field-hint', id: 'hint-install' },
    el('h2', {}, say('install')),
    el('p', {}, say('install_why'), isSafe === false && ` ${say('not_safe')}`),
    asking === null && el('p', {}, el('b', {}, say(installWord() ?? ''))),
    actions(asking !== null && choice('install', say('install_now'), 'main'), choice('close_install', say('close'))),
  )

const pushHint = () =>
  el(
    'section',
    { class: 'field-hint', id: 'hint-push' },
    el('p', {}, el('b', {}, say('push_why'))),
    actions(choice('push_on', say('turn_on'), 'main'), choice('close_push', say('not_now'))),
  )

/** Draws at the foot of the list what no hint says already: whether what is stored is safe, and the switch. */
export function setupLines() {
  const next = nextHint()
  const problem = mayPush() ? pushProblem() : 'off'
  const turn = isOn() ? 'push_off' : 'push_on'
  return [
    isSafe !== null && next !== 'install' && el('p', { class: 'help' }, say(isSafe ? 'safe' : 'not_safe')),
    problem === 'blocked' && el('p', { class: 'help' }, say('push_blocked')),
    problem === '' && next !== 'push' && actions(choice(turn, say(turn))),
  ]
}

/** @param {...(Node | false)} buttons */
const actions = (...buttons) => el('p', { class: 'actions' }, ...buttons)

/** @param {string} does @param {string} words */
const choice = (does, words, kind = 'plain') =>
  el('button', { class: `button ${kind}`, type: 'button', id: `do-${does}`, 'data-do': does }, words)

/** Returns the text that names this browser's own menu; null on a desktop, where nobody needs it. */
function installWord() {
  const { userAgent } = navigator
  if (isApple()) return /CriOS|FxiOS|EdgiOS/.test(userAgent) ? 'install_ios_other' : 'install_ios'
  if (!/Android/.test(userAgent)) return null
  if (/SamsungBrowser/.test(userAgent)) return 'install_samsung'
  return /Firefox/.test(userAgent) ? 'install_firefox' : 'install_chrome'
}

/** Opens the browser's own question. */
export async function install() {
  await asking?.prompt()
  asking = null
  changed()
}

/** @param {'install' | 'push'} name */
export function closeHint(name) {
  try {
    localStorage.setItem(CLOSED, JSON.stringify([...closedHints(), name]))
  } catch {
    // It is shown again the next time.
  }
  changed()
}

/** @returns {string[]} */
function closedHints() {
  try {
    return JSON.parse(localStorage.getItem(CLOSED) ?? '[]')
  } catch {
    return []
  }
}

/** Returns where notifications are turned on, once it is known whose they are. */
export const pushPlace = () => ({
  company: phone.company,
  user: phone.person?.user_id ?? '',
  key: phone.day?.push_key ?? '',
})

const mayPush = () => pushPlace().key !== ''
const isOn = () => wantedKinds(pushPlace()).includes('visits')

/** Turns notifications of changed visits on or off, beside what else this browser is told. @param {boolean} isWanted */
export async function switchPush(isWanted) {
  const others = wantedKinds(pushPlace()).filter((kind) => kind !== 'visits')
  try {
    const isAllowed = await setPush(pushPlace(), isWanted ? [...others, 'visits'] : others)
    tell(say(!isAllowed ? 'push_blocked' : isWanted ? 'push_is_on' : 'push_is_off'))
  } catch {
    tell(say('push_failed'))
  }
  changed()
}
