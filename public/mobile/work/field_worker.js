// @ts-check
// Caches the mobile page, its styles and scripts, so that it opens without a signal. A person's data is never cached
// here. The server adds `self.kept` at the top (src/web/mobile/worker.ts).

/** @typedef {Event & { waitUntil(work: Promise<unknown>): void, request: Request, respondWith(answer: Promise<Response>): void }} WorkerEvent */
/** @typedef {{ kept: { version: string, shell: string, keeps: string[] }, skipWaiting(): Promise<void>, clients: { claim(): Promise<void> } }} Scope */

const scope = /** @type {Scope & EventTarget} */ (/** @type {unknown} */ (self))
const { version, shell, keeps } = scope.kept
const NAME = `field-${version}`
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
  const answer = respondWith.bind(event)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && COMPANY.test(pathname)) answer(keptOr(shell, request))
  else if (request.mode === 'navigate' && pathname === '/field/')
    answer(fetch(request).catch(() => keptOr(shell, request)))
  else if (pathname.startsWith('/assets/')) answer(keptOr(pathname, request))
})

/**
 * Answers from the cache, this version's before the last one's, and from the network if neither has the address.
 * @param {string} address
 * @param {Request} request
 */
async function keptOr(address, request) {
  const cache = await caches.open(NAME)
  return (await cache.match(address)) ?? (await caches.match(address)) ?? fetch(request)
}
