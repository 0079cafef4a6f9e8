import { setTimeout } from 'node:timers/promises'
import { disconnectSignal } from '../identity/deadline.ts'
import { isInProgress } from '../platform/html/layout.ts'
import { eventText, openEvents, wantsEvents } from '../platform/http/event_stream.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'

/** Milliseconds between checks of a page: short at first, for work that is nearly done. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 2_000]
/** Maximum milliseconds of a stream, below proxy timeouts, and delay before the browser reconnects. */
const [MAX_STREAM_MS, RETRY_MS] = [50_000, 1_000]
const MAX_STREAMS_PER_SESSION = 6

type PageRenderer = () => Promise<Response>

/** Number of open streams by session. */
const streamCounts = new Map<string, number>()

/**
 * Returns a page about running work. A script (public/live/following.js) gets it as events whenever it changes, until
 * the work is done. Each check is a request of its own, with the current session, rights and records.
 */
export async function followPage(
  site: Pick<Site, 'cookie'> & { changes: Pick<Site['changes'], 'closed'> },
  request: PageRequest,
  renderPage: PageRenderer,
): Promise<Response> {
  const page = await renderPage()
  if (page.status !== 200 || request.req.method !== 'GET' || !wantsEvents(request.req.raw)) return page
  const session = site.cookie.read(request.req.header('cookie')) ?? ''
  const count = streamCounts.get(session) ?? 0
  if (count >= MAX_STREAMS_PER_SESSION)
    return new Response('Too many pages are being followed', { status: 429, headers: { 'Retry-After': '60' } })
  streamCounts.set(session, count + 1)
  const { send, end, closed, response } = openEvents()
  const disconnected = disconnectSignal(request.env.outgoing)
  const signal = AbortSignal.any([closed, disconnected, site.changes.closed, AbortSignal.timeout(MAX_STREAM_MS)])
  send(`retry: ${RETRY_MS}\n\n`)
  // Ignore errors here; the browser's next request reports them.
  void sendPages(page, renderPage, send, signal)
    .catch(() => {})
    .finally(() => {
      const others = (streamCounts.get(session) ?? 1) - 1
      if (others > 0) streamCounts.set(session, others)
      else streamCounts.delete(session)
      end()
    })
  return response
}

/** Sends a page whenever it changes. A redirect is sent as an empty event, so that the browser reloads. */
async function sendPages(page: Response, renderPage: PageRenderer, send: (text: string) => void, signal: AbortSignal) {
  for (let [previousText, pause] = ['', MIN_PAUSE_MS]; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const text = page.status === 200 ? await page.text() : ''
    if (text !== previousText) send(eventText('page', text))
    if (!isInProgress(text)) return
    await setTimeout(pause, undefined, { signal, ref: false })
    ;[previousText, page] = [text, await renderPage()]
  }
}
