import { setTimeout } from 'node:timers/promises'
import { disconnectSignal } from '../identity/deadline.ts'
import { isUnderWay } from '../platform/html/layout.ts'
import { eventText, openEvents, wantsEvents } from '../platform/http/event_stream.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'

/** Milliseconds between checks of a page: short at first, for work that is nearly done. */
const [FIRST_PAUSE, MAX_PAUSE] = [250, 2_000]
/** Maximum milliseconds of a stream, below proxy timeouts, and delay before the browser reconnects. */
const [MAX_STREAM, RETRY] = [50_000, 1_000]
const MAX_OF_SESSION = 6

type PageView = () => Promise<Response>

/** Number of open streams by session. */
const counts = new Map<string, number>()

/**
 * Returns a page about running work. A script (public/live/following.js) gets it as events whenever it changes, until
 * the work is done. Each check is a request of its own, with the current session, rights and records.
 */
export async function followPage(
  site: Pick<Site, 'cookie'> & { changes: Pick<Site['changes'], 'closed'> },
  visit: PageRequest,
  show: PageView,
): Promise<Response> {
  const page = await show()
  if (page.status !== 200 || visit.req.method !== 'GET' || !wantsEvents(visit.req.raw)) return page
  const session = site.cookie.read(visit.req.header('cookie')) ?? ''
  const count = counts.get(session) ?? 0
  if (count >= MAX_OF_SESSION)
    return new Response('Too many pages are followed', { status: 429, headers: { 'Retry-After': '60' } })
  counts.set(session, count + 1)
  const { send, end, over, response } = openEvents()
  const disconnected = disconnectSignal(visit.env.outgoing)
  const signal = AbortSignal.any([over, disconnected, site.changes.closed, AbortSignal.timeout(MAX_STREAM)])
  send(`retry: ${RETRY}\n\n`)
  // Ignore errors here; the browser's next request reports them.
  void sendPages(page, show, send, signal)
    .catch(() => {})
    .finally(() => {
      const others = (counts.get(session) ?? 1) - 1
      if (others > 0) counts.set(session, others)
      else counts.delete(session)
      end()
    })
  return response
}

/** Sends a page whenever it changes. A redirect is sent as an empty event, so that the browser reloads. */
async function sendPages(page: Response, show: PageView, send: (text: string) => void, signal: AbortSignal) {
  for (let [before, pause] = ['', FIRST_PAUSE]; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
    const text = page.status === 200 ? await page.text() : ''
    if (text !== before) send(eventText('page', text))
    if (!isUnderWay(text)) return
    await setTimeout(pause, undefined, { signal, ref: false })
    ;[before, page] = [text, await show()]
  }
}
