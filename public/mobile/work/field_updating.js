// @ts-check
// Caches the page for use without a signal, and loads a new version: by itself in the background, or on a tap before
// that. Waiting events are in the browser's database, which every version reads.

import { showMessage } from './field_acting.js'
import { notifyChange, isStored, phone, waitingEvents } from './field_phone.js'
import { sendAndSync } from './field_sending.js'
import { say } from '../views/field_words.js'

/** Storage key that makes the next page announce that it is new. */
const RENEWED = 'callout-renewed'

/** Interval in milliseconds at which an open page checks for a new version. */
const CHECK_INTERVAL = 60 * 60_000

let checkedAt = Date.now()

/** Makes the service worker cache the page, in its language. */
export function cachePage() {
  announceRenewal()
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) return markUncacheable()
  let isControlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    phone.isOutdated = isControlled
    isControlled = true
    notifyChange()
    updateInBackground()
  })
  serviceWorker.addEventListener('message', () => void sendAndSync())
  document.addEventListener('visibilitychange', () => {
    updateInBackground()
    if (!document.hidden) void checkForUpdate()
  })
  serviceWorker
    .register(`/field/worker.js?in=${document.documentElement.lang}`, { scope: '/field/' })
    .catch(markUncacheable)
}

function markUncacheable() {
  phone.isOpenable = false
  notifyChange()
}

/** Loads the new version in the background, unless text in a sheet or data only in memory would be lost. */
function updateInBackground() {
  const hasUnstored = !isStored() && waitingEvents().length > 0
  if (phone.isOutdated && document.hidden && !hasUnstored && document.querySelector('dialog[open]') === null) renew()
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

function announceRenewal() {
  try {
    if (sessionStorage.getItem(RENEWED) !== null) showMessage(say('renewed'))
    sessionStorage.removeItem(RENEWED)
  } catch {
    // It came up without saying so.
  }
}

/** Checks for a new version when the page becomes visible. */
async function checkForUpdate() {
  if (Date.now() - checkedAt < CHECK_INTERVAL) return
  checkedAt = Date.now()
  const registration = await navigator.serviceWorker.getRegistration('/field/')
  await registration?.update().catch(() => {})
}
