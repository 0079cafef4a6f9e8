// @ts-check
// Caches the mobile page, its styles and scripts, so that it opens without a signal, and shows notifications. Nobody's
// data is cached here; the pictures of a catalog are the page's. The server adds `self.kept` at the top
// (src/web/mobile/worker.ts).

/** @typedef {Event & { waitUntil(work: Promise<unknown>): void, request: Request, respondWith(answer: Promise<Response>): void }} WorkerEvent */
/** @typedef {WorkerEvent & { data: { json(): { company: string, kind: string } } }} PushEvent */
/** @typedef {WorkerEvent & { notification: Notification }} ClickEvent */
/** @typedef {{ url: string, focus(): Promise<unknown>, postMessage(message: string, transfer: never[]): void }} Page */
/** @typedef {{ type: 'window', includeUncontrolled: boolean }} Which */
/** @typedef {{ claim(): Promise<void>, matchAll(which: Which): Promise<Page[]> }} Clients */
/** @typedef {Clients & { openWindow(url: string): Promise<unknown> }} Pages */
/** @typedef {{ version: string, shell: string, keeps: string[], icon: string, titles: Record<string, string> }} Kept */
/** @typedef {{ kept: Kept, skipWaiting(): Promise<void>, clients: Pages }} Own */
/** @typedef {Own & { registration: ServiceWorkerRegistration }} Scope */

const scope = /** @type {Scope & EventTarget} */ (/** @type {unknown} */ (self))
const { version, shell, keeps, icon, titles } = scope.kept
const NAME = `field-${version}`
/** A picture of a company's catalog, which its page keeps in a cache of its own (field_pictures.js). */
const PICTURE = /^\/field\/[0-9a-f-]{36}\/pictures\//
const COMPANY = /^\/field\/[0-9a-f-]{36}\/$/

scope.addEventListener('install', (event) =>
  /** @type {WorkerEvent} */ (event).waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll([...keeps, new Request(shell, { cache: 'reload' })]))
      .then(() => scope.skipWaiting()),
  ),
)

/** Removes what older versions kept but for the last one's, of which a page may still be opening. */
scope.addEventListener('activate', (event) =>
  /** @type {WorkerEvent} */ (event).waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith('field-') && name !== NAME)
            .slice(0, -1)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => scope.clients.claim()),
  ),
)

scope.addEventListener('fetch', (event) => {
  const { request, respondWith } = /** @type {WorkerEvent} */ (event)
  const { origin, pathname } = new URL(request.url)
  const respond = respondWith.bind(event)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && COMPANY.test(pathname)) respond(fromCache(shell, request))
  else if (request.mode === 'navigate' && pathname === '/field/')
    respond(fetch(request).catch(() => fromCache(shell, request)))
  else if (pathname.startsWith('/assets/') || PICTURE.test(pathname)) respond(fromCache(pathname, request))
})

/**
 * Answers from the cache, this version's before the last one's, and from the network if neither has the address.
 * @param {string} address
 * @param {Request} request
 */
async function fromCache(address, request) {
  const cache = await caches.open(NAME)
  return (await cache.match(address)) ?? (await caches.match(address)) ?? fetch(request)
}

/** Pages of a company that tell more of a kind; phones have their own. @type {Readonly<Record<string, string>>} */
const PAGES = { messages: '/messages', quotes: '/quotes', late: '' }

/** Shows that something happened, of which the message says no more than the kind; open pages read what. */
scope.addEventListener('push', (event) => {
  const { company, kind } = /** @type {PushEvent} */ (event).data.json()
  const page = PAGES[kind]
  const data = page === undefined ? `/field/${company}/` : `/${company}${page}`
  const options = /** @type {NotificationOptions & { renotify: boolean }} */ ({
    tag: `${company} ${kind}`,
    renotify: true,
    icon,
    data,
  })
  ;/** @type {PushEvent} */ (event).waitUntil(
    Promise.all([scope.registration.showNotification(titles[kind] ?? '', options), notifyPages()]),
  )
})

const openPages = () => scope.clients.matchAll({ type: 'window', includeUncontrolled: true })

async function notifyPages() {
  for (const page of await openPages()) page.postMessage('stale', [])
}

scope.addEventListener('notificationclick', (event) => {
  const { notification } = /** @type {ClickEvent} */ (event)
  notification.close()
  ;/** @type {ClickEvent} */ (event).waitUntil(openPage(notification.data))
})

/** @param {string} path */
async function openPage(path) {
  const open = (await openPages()).find(({ url }) => new URL(url).pathname === path)
  return open === undefined ? scope.clients.openWindow(path) : open.focus()
}
