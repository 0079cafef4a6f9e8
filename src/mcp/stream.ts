import type { ServerResponse } from 'node:http'
import type { Id } from './jsonrpc.ts'
import type { Progress } from './types.ts'

/**
 * Tells the client how far its request is. The first report turns the answer into server-sent events, the response
 * last; without a report it is answered as JSON.
 */
export function progressOn(res: ServerResponse, progressToken: Id): Progress {
  return (progress, total, message) => {
    if (res.destroyed || res.writableEnded) return
    if (!res.headersSent)
      res.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      })
    res.write(
      eventOf(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress, total, message },
        }),
      ),
    )
  }
}

/** Ends a stream with its response; returns how many bytes that was. */
export function endStream(res: ServerResponse, response: string): number {
  const event = eventOf(response)
  res.end(event)
  return Buffer.byteLength(event)
}

const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`
