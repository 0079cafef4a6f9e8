// @ts-check
// Turns notifications of this browser on and off. What its person wanted is kept here until they sign out, so that a
// new sign-in, address or key needs nothing of them.

/** @typedef {{ company: string, user: string, key: string }} Place */

/** Storage key of what is wanted: of whom, and which kinds, by company. A sign-out removes it. */
const WANTED = 'callout-push'

/** Returns why notifications can't be turned on in this browser, if so. */
export function pushProblem() {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'blocked' : ''
  return isApple() && !isInstalled() ? 'not_installed' : 'unsupported'
}

/** iPads call themselves Macs. */
export const isApple = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Checks whether this page runs from the home screen. */
export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)

/**
 * Returns the kinds that a person wants to hear of here.
 * @param {Pick<Place, 'company' | 'user'>} place
 * @returns {string[]}
 */
export function wantedKinds({ company, user }) {
  const wanted = readWanted()[company]
  return wanted?.user === user && pushProblem() === '' && Notification.permission === 'granted' ? wanted.kinds : []
}

/**
 * Turns on these kinds, or all off. Returns false where the person doesn't allow it; throws where it can't be done now.
 * @param {Place} place
 * @param {readonly string[]} kinds
 */
export async function setPush(place, kinds) {
  if (kinds.length > 0 && (await Notification.requestPermission()) !== 'granted') return false
  await sendKinds(place, kinds)
  const { company, user } = place
  localStorage.setItem(WANTED, JSON.stringify({ ...readWanted(), [company]: { user, kinds } }))
  return true
}

/** Subscribes again to what is wanted here, in case the session or the key is another. @param {Place} place */
export async function refreshPush(place) {
  const kinds = wantedKinds(place)
  if (kinds.length > 0 && place.key !== '') await sendKinds(place, kinds).catch(() => undefined)
}

/**
 * Sends the address of this browser's push service and the wanted kinds. Throws if they aren't taken.
 * @param {Place} place
 * @param {readonly string[]} kinds
 */
async function sendKinds({ company, key }, kinds) {
  const subscription = await subscriptionFor(key)
  const { keys = {} } = subscription.toJSON()
  const answer = await fetch(`/field/${company}/push`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ endpoint: subscription.endpoint, p256dh: keys['p256dh'], auth: keys['auth'], kinds }),
  })
  if (!answer.ok) throw new Error((await answer.json()).error_description)
}

/** Forgets what was wanted here; the service ends it with the session. */
export function forgetPush() {
  try {
    localStorage.removeItem(WANTED)
  } catch {
    // A browser without storage has nothing to forget.
  }
}

/** @returns {Record<string, { user: string, kinds: string[] }>} */
function readWanted() {
  try {
    return JSON.parse(localStorage.getItem(WANTED) ?? '{}')
  } catch {
    return {}
  }
}

/** Returns the browser's subscription under this key, in place of one under an earlier key. @param {string} key */
async function subscriptionFor(key) {
  const { lang } = document.documentElement
  const worker = await navigator.serviceWorker.register(`/field/worker.js?in=${lang}`, { scope: '/field/' })
  await activation(worker)
  const before = await worker.pushManager.getSubscription()
  if (before !== null && keyOf(before) === key) return before
  await before?.unsubscribe()
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** Waits until the first version of the worker runs. @param {ServiceWorkerRegistration} registration */
const activation = ({ active, installing, waiting }) =>
  new Promise((resolve) => {
    const worker = active ?? waiting ?? installing
    if (worker === null || worker.state === 'activated') return resolve(undefined)
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve(undefined))
  })

/** @param {PushSubscription} subscription */
const keyOf = ({ options: { applicationServerKey: key } }) =>
  key === null
    ? ''
    : btoa(String.fromCharCode(...new Uint8Array(key)))
        .replace(/\+/g, '-')
        .replace(/\//g, '_')
        .replace(/=+$/, '')
