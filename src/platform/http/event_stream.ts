/** Headers of a response with server-sent events. */
export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** Checks whether the client accepts server-sent events. */
export const wantsEvents = ({ headers }: Request): boolean =>
  headers.get('accept')?.includes('text/event-stream') ?? false

/** Formats a server-sent event. */
export const eventText = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Milliseconds between heartbeats: proxies end a response that is silent for 60 s. */
export const HEARTBEAT_MS = 15_000

/**
 * Opens a response of server-sent events with heartbeats. It ends once `end` is called, the reader disconnects, or more
 * than `maxWaiting` events wait.
 */
export function openEvents({ maxWaiting = Infinity, beat = HEARTBEAT_MS } = {}) {
  const encoder = new TextEncoder()
  const closing = new AbortController()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller
    },
    cancel: () => closing.abort(),
  })
  const end = (): void => {
    if (closing.signal.aborted) return
    closing.abort()
    stream?.close()
  }
  const send = (text: string): void => {
    if ((stream?.desiredSize ?? 0) < -maxWaiting) end()
    if (!closing.signal.aborted) stream?.enqueue(encoder.encode(text))
  }
  const heartbeats = setInterval(() => send(': still here\n\n'), beat)
  closing.signal.addEventListener('abort', () => clearInterval(heartbeats))
  return { send, end, closed: closing.signal, response: new Response(body, { headers: EVENT_STREAM_HEADERS }) }
}
