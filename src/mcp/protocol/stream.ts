import type { ServerResponse } from 'node:http'
import type { Id } from './jsonrpc.ts'
import type { Progress, ClientRequest } from './types.ts'

/** Sends the client a request before its answer. This turns the response into server-sent events. */
export const clientRequestSender =
  (res: ServerResponse) =>
  (request: ClientRequest): void =>
    sendEvent(res, request)

/**
 * Reports the progress of a request to the client. The first report turns the response into server-sent events, with
 * the answer last; without a report, the answer is JSON.
 */
export function progressReporter(res: ServerResponse, progressToken: Id): Progress {
  return (progress, total, message) =>
    sendEvent(res, { method: 'notifications/progress', params: { progressToken, progress, total, message } })
}

/** Sends a message before the response. The first one opens the stream. */
function sendEvent(res: ServerResponse, message: object): void {
  if (res.destroyed || res.writableEnded) return
  if (!res.headersSent)
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  res.write(eventOf(JSON.stringify({ jsonrpc: '2.0', ...message })))
}

/** Ends a stream with its response. Returns the number of bytes written. */
export function endStream(res: ServerResponse, response: string): number {
  const event = eventOf(response)
  res.end(event)
  return Buffer.byteLength(event)
}

const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`
