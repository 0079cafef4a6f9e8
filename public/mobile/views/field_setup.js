// @ts-check
// Shows once how to install the page, in the words of the browser at hand, and turns notifications on and off.

import { isApple, isInstalled, pushProblem, setPush, enabledKinds } from '../push.js'
import { showMessage } from '../work/field_acting.js'
import { notifyChange, phone } from '../work/field_phone.js'
import { el, say } from './field_words.js'

/** @typedef {Event & { prompt(): Promise<unknown> }} InstallEvent */

/** Storage key of the hints that were closed. */
const CLOSED_KEY = 'callout-hints'

/** The browser's own question, where it has one. @type {InstallEvent | null} */
let installPrompt = null

/** True if the browser keeps what is stored for good; null where it doesn't say. @type {boolean | null} */
let isPersistent = null

/** Listens for what the browser says of installing, and asks whether it keeps what is stored. */
export function watchSetup() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt = /** @type {InstallEvent} */ (event)
    notifyChange()
  })
  addEventListener('appinstalled', () => closeHint('install'))
  void readPersistence()
}

async function readPersistence() {
  isPersistent = (await navigator.storage?.persisted?.().catch(() => null)) ?? null
  notifyChange()
}

/** Returns the hint that comes next: to install, then to be notified. */
function nextHint() {
  const closed = closedHints()
  const isInstallable = installPrompt !== null || installWord() !== null
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
    el('p', {}, say('install_why'), isPersistent === false && ` ${say('not_safe')}`),
    installPrompt === null && el('p', {}, el('b', {}, say(installWord() ?? ''))),
    actions(
      installPrompt !== null && actionButton('install', say('install_now'), 'main'),
      actionButton('close_install', say('close')),
    ),
  )

const pushHint = () =>
  el(
    'section',
    { class: 'field-hint', id: 'hint-push' },
    el('p', {}, el('b', {}, say('push_why'))),
    actions(actionButton('push_on', say('turn_on'), 'main'), actionButton('close_push', say('not_now'))),
  )

/** Draws at the foot of the list what no hint says already: whether what is stored is safe, and the switch. */
export function setupLines() {
  const next = nextHint()
  const problem = mayPush() ? pushProblem() : 'off'
  const action = isOn() ? 'push_off' : 'push_on'
  return [
    isPersistent !== null && next !== 'install' && el('p', { class: 'help' }, say(isPersistent ? 'safe' : 'not_safe')),
    problem === 'blocked' && el('p', { class: 'help' }, say('push_blocked')),
    problem === '' && next !== 'push' && actions(actionButton(action, say(action))),
  ]
}

/** @param {...(Node | false)} buttons */
const actions = (...buttons) => el('p', { class: 'actions' }, ...buttons)

/** @param {string} action @param {string} words */
const actionButton = (action, words, kind = 'plain') =>
  el('button', { class: `button ${kind}`, type: 'button', id: `do-${action}`, 'data-do': action }, words)

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
  await installPrompt?.prompt()
  installPrompt = null
  notifyChange()
}

/** @param {'install' | 'push'} name */
export function closeHint(name) {
  try {
    localStorage.setItem(CLOSED_KEY, JSON.stringify([...closedHints(), name]))
  } catch {
    // It is shown again the next time.
  }
  notifyChange()
}

/** @returns {string[]} */
function closedHints() {
  try {
    return JSON.parse(localStorage.getItem(CLOSED_KEY) ?? '[]')
  } catch {
    return []
  }
}

/** Returns where notifications are turned on, once it is known whose they are. */
export const pushTarget = () => ({
  company: phone.company,
  user: phone.person?.user_id ?? '',
  key: phone.day?.push_key ?? '',
})

const mayPush = () => pushTarget().key !== ''
const isOn = () => enabledKinds(pushTarget()).includes('visits')

/** Turns notifications of changed visits on or off, beside what else this browser is told. @param {boolean} shouldNotify */
export async function switchPush(shouldNotify) {
  const others = enabledKinds(pushTarget()).filter((kind) => kind !== 'visits')
  try {
    const isAllowed = await setPush(pushTarget(), shouldNotify ? [...others, 'visits'] : others)
    showMessage(say(!isAllowed ? 'push_blocked' : shouldNotify ? 'push_is_on' : 'push_is_off'))
  } catch {
    showMessage(say('push_failed'))
  }
  notifyChange()
}
