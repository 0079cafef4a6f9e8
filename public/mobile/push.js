// @ts-check
// Turns notifications of this browser on and off. What its person wanted is kept here until they sign out, so that a
// new sign-in, address or key needs nothing of them.

/** @typedef {{ company: string, user: string, key: string }} PushTarget*/

/** Storage key of what is wanted: of whom, and which kinds, by company. A sign-out removes it. */
const STORAGE_KEY = 'callout-push'

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
 * @param {Pick<PushTarget, 'company' | 'user'>} place
 * @returns {string[]}
 */
export function enabledKinds({ company, user }) {
  const preference = readPreferences()[company]
  return preference?.user === user && pushProblem() === '' && Notification.permission === 'granted'
    ? preference.kinds
    : []
}

/**
 * Turns on these kinds, or all off. Returns false where the person doesn't allow it; throws where it can't be done now.
 * @param {PushTarget} target
 * @param {readonly string[]} kinds
 */
export async function setPush(target, kinds) {
  if (kinds.length > 0 && (await Notification.requestPermission()) !== 'granted') return false
  await sendKinds(target, kinds)
  const { company, user } = target
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readPreferences(), [company]: { user, kinds } }))
  return true
}

/** Subscribes again to what is wanted here, in case the session or the key is another. @param {PushTarget} target */
export async function refreshPush(target) {
  const kinds = enabledKinds(target)
  if (kinds.length > 0 && target.key !== '') await sendKinds(target, kinds).catch(() => undefined)
}

/**
 * Sends the address of this browser's push service and the wanted kinds. Throws if they aren't taken.
 * @param {PushTarget} place
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
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // A browser without storage has nothing to forget.
  }
}

/** @returns {Record<string, { user: string, kinds: string[] }>} */
function readPreferences() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Returns the browser's subscription under this key, in place of one under an earlier key. @param {string} key */
async function subscriptionFor(key) {
  const { lang } = document.documentElement
  const worker = await navigator.serviceWorker.register(`/field/worker.js?in=${lang}`, { scope: '/field/' })
  await activation(worker)
  const existing = await worker.pushManager.getSubscription()
  if (existing !== null && keyOf(existing) === key) return existing
  await existing?.unsubscribe()
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
