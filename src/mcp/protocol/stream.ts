import type { ServerResponse } from 'node:http'
import type { Id } from './jsonrpc.ts'
import type { Progress, ClientRequest } from './types.ts'

/** Asks the client for something beside its answer, which becomes server-sent events by it. */
export const clientAsker =
  (res: ServerResponse) =>
  (question: ClientRequest): void =>
    sendEvent(res, question)

/**
 * Reports the progress of a request to the client. The first report turns the answer into server-sent events, the
 * response last; without a report it is answered as JSON.
 */
export function progressReporter(res: ServerResponse, progressToken: Id): Progress {
  return (progress, total, message) =>
    sendEvent(res, { method: 'notifications/progress', params: { progressToken, progress, total, message } })
}

/** Sends a message before the response; the first one opens the stream. */
function sendEvent(res: ServerResponse, message: object): void {
  if (res.destroyed || res.writableEnded) return
  if (!res.headersSent)
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  res.write(eventOf(JSON.stringify({ jsonrpc: '2.0', ...message })))
}

/** Ends a stream with its response; returns how many bytes that was. */
export function endStream(res: ServerResponse, response: string): number {
  const event = eventOf(response)
  res.end(event)
  return Buffer.byteLength(event)
}

const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`
