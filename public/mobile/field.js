// @ts-check
// The technician's mobile page: opens stored data, draws it, handles taps, and sends.

import {
  createInvoice,
  trackTime,
  clearMessage,
  changeStatus,
  storePhotos,
  showMessage,
  toggleItem,
} from './work/field_acting.js'
import { showCode } from './work/field_code.js'
import { draw } from './views/field_drawing.js'
import { openSheet } from './work/field_forms.js'
import { changes, forgetDays, isStored, openPhone, waitingEvents } from './work/field_phone.js'
import { cacheCatalogPictures } from './work/field_pictures.js'
import { startSending, sendAndSync } from './work/field_sending.js'
import { saveFile } from './work/field_saving.js'
import { all, openStore } from './work/field_store.js'
import { cachePage, renew } from './work/field_updating.js'
import { closeHint, install, pushTarget, switchPush, watchSetup } from './views/field_setup.js'
import { forgetPush, refreshPush } from './push.js'
import { convertToNote, storedEvent, retry, useMine, useTheirs } from './views/field_waiting.js'
import { el, part, say } from './views/field_words.js'

/** Storage key that a sign-out on any page sets (public/shell.js). */
const SIGNED_OUT_KEY = 'callout-left'

/** Interval in milliseconds at which the running time is redrawn, without a request. */
const REDRAW_INTERVAL = 15_000

void start()

async function start() {
  await openStore()
  if (takeSignOut()) await forgetDays()
  const company = /^\/field\/([0-9a-f-]{36})\/$/.exec(location.pathname)?.[1]
  if (company === undefined) return choose()
  changes.addEventListener('change', draw)
  addEventListener('hashchange', draw)
  document.addEventListener('click', onTap)
  document.addEventListener('change', onPick)
  document.addEventListener('submit', onLeave)
  addEventListener('beforeunload', onClose)
  setInterval(() => document.hidden || draw(), REDRAW_INTERVAL)
  cachePage()
  watchSetup()
  await openPhone(company)
  void cacheCatalogPictures()
  startSending()
  await sendAndSync()
  void refreshPush(pushTarget())
}

/** Leads to the company whose day is kept, where the address names none and the service can't be asked. */
async function choose() {
  const people = await all('people')
  const [only, another] = people
  if (only !== undefined && another === undefined) return location.replace(`/field/${only.company}/`)
  part('main').replaceChildren(
    ...people.map(({ company, name }) =>
      el('p', {}, el('a', { class: 'button plain', href: `/field/${company}/` }, name)),
    ),
  )
}

/** @typedef {(visit: string, value: string) => unknown} Tap */

/**
 * Leaves out taps on a button until the phone has kept and shown the first one.
 * @param {(visit: string, value: string) => Promise<unknown>} tap
 * @returns {Tap}
 */
function ignoreRepeats(tap) {
  const pending = new Set()
  return async (visit, value) => {
    const key = `${visit} ${value}`
    if (pending.has(key)) return
    pending.add(key)
    await tap(visit, value).finally(() => pending.delete(key))
  }
}

/** @type {Readonly<Record<string, Tap>>} */
const TAPS = {
  step: ignoreRepeats(changeStatus),
  time: ignoreRepeats(trackTime),
  tick: ignoreRepeats(toggleItem),
  invoice: ignoreRepeats(createInvoice),
  code: showCode,
  device: (visit, value) => openSheet('equipment', visit, { value }),
  send: sendAndSync,
  save: saveFile,
  renew,
  install,
  streets: (_, script) => import(script).catch(() => showMessage(say('offline'))),
  close_install: () => closeHint('install'),
  close_push: () => closeHint('push'),
  push_on: () => switchPush(true),
  push_off: () => switchPush(false),
  correct: (_, seq) => {
    const stored = storedEvent(seq)
    if (stored !== undefined) openSheet(stored.act.kind, stored.act.job_id, { inPlaceOf: stored })
  },
  ...Object.fromEntries(
    Object.entries({ mine: useMine, theirs: useTheirs, again: retry, as_note: convertToNote }).map(([name, decide]) => [
      name,
      (/** @type {string} */ _, /** @type {string} */ seq) => {
        const stored = storedEvent(seq)
        if (stored !== undefined) void decide(stored)
      },
    ]),
  ),
}

/** @param {MouseEvent} event */
function onTap({ target }) {
  clearMessage()
  const button = target instanceof Element ? target.closest('[data-do]') : null
  if (!(button instanceof HTMLElement)) return
  const { do: action = '', visit = '', value = '' } = button.dataset
  const tap = TAPS[action]
  if (tap === undefined) openSheet(action, visit, { value })
  else void tap(visit, value)
}

/** @param {Event} event */
function onPick({ target }) {
  if (!(target instanceof HTMLInputElement) || target.id !== 'photo') return
  const files = [...(target.files ?? [])]
  target.value = ''
  void storePhotos(target.dataset['visit'] ?? '', files)
}

/** Forgets the days before the session ends; what waits is kept for its person. @param {SubmitEvent} event */
function onLeave(event) {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || form.id !== 'leaving') return
  event.preventDefault()
  forgetPush()
  void forgetDays().then(() => form.submit())
}

/** Makes the browser ask before the page closes, if events exist only in memory. @param {BeforeUnloadEvent} event */
function onClose(event) {
  if (!isStored() && waitingEvents().length > 0) event.preventDefault()
}

function takeSignOut() {
  try {
    const isSignedOut = localStorage.getItem(SIGNED_OUT_KEY) !== null
    localStorage.removeItem(SIGNED_OUT_KEY)
    return isSignedOut
  } catch {
    return false
  }
}
