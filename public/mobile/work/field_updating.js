// @ts-check
// Caches the page for use without a signal, and loads a new version: by itself in the background, or on a tap before
// that. Waiting events are in the browser's database, which every version reads.

import { tell } from './field_acting.js'
import { changed, isKept, phone, waiting } from './field_phone.js'
import { wake } from './field_sending.js'
import { say } from '../views/field_words.js'

/** Storage key that makes the next page announce that it is new. */
const RENEWED = 'callout-renewed'

/** Interval in milliseconds at which an open page checks for a new version. */
const ASKED_EVERY = 60 * 60_000

let askedAt = Date.now()

/** Makes the service worker cache the page, in its language. */
export function keepPage() {
  sayRenewed()
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) return refused()
  let isOfWorker = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    phone.isOutdated = isOfWorker
    isOfWorker = true
    changed()
    goOver()
  })
  serviceWorker.addEventListener('message', () => void wake())
  document.addEventListener('visibilitychange', () => {
    goOver()
    if (!document.hidden) void askAgain()
  })
  serviceWorker.register(`/field/worker.js?in=${document.documentElement.lang}`, { scope: '/field/' }).catch(refused)
}

function refused() {
  phone.isOpenable = false
  changed()
}

/** Loads the new version in the background, unless text in a sheet or data only in memory would be lost. */
function goOver() {
  const isHeld = !isKept() && waiting().length > 0
  if (phone.isOutdated && document.hidden && !isHeld && document.querySelector('dialog[open]') === null) renew()
}

/** Opens the new version in place of this one, at the same view. */
export function renew() {
  try {
    sessionStorage.setItem(RENEWED, '1')
  } catch {
    // It goes over without saying so.
  }
  location.reload()
}

function sayRenewed() {
  try {
    if (sessionStorage.getItem(RENEWED) !== null) tell(say('renewed'))
    sessionStorage.removeItem(RENEWED)
  } catch {
    // It came up without saying so.
  }
}

/** Checks for a new version when the page becomes visible. */
async function askAgain() {
  if (Date.now() - askedAt < ASKED_EVERY) return
  askedAt = Date.now()
  const kept = await navigator.serviceWorker.getRegistration('/field/')
  await kept?.update().catch(() => {})
}
