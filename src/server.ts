import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as Listener, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Holds a listening server. `stop(0)` ends at once, even a stop that has begun; otherwise requests under way have
 * `graceMs` to finish.
 */
export type Listening = { port: number; stop(graceMs?: number): Promise<void> }

/** Is the part of the longest wait that must be without a new request. */
const QUIET = 1 / 5

/** Is the longest turn of the event loop in which nothing can have come meanwhile. */
const SHORT_TURN_MS = 0.1
const MAX_TURNING_MS = 2_000

/** Is how long a new connection may bring nothing before it counts as opened in advance. */
const FRESH_MS = 1_000

/**
 * Listens. Stopping loses no request: it continues to listen, and to answer with `Connection: close`, until no request
 * has come for a while, at most `stopDelayMs`. Then it accepts nobody more, and finishes what is under way.
 */
export async function listen(
  handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  { host, port, stopDelayMs = 0 }: { host: string; port: number; stopDelayMs?: number },
): Promise<Listening> {
  const underWay = new Set<ServerResponse>()
  /** Holds for every connection since when it waits for a request, and how many bytes were read of it by then. */
  const waiting = new Map<Socket, { since: number; read: number }>()
  const hurry = new AbortController()
  let [come, lastCame, isStopping] = [0, 0, false]
  let stopped: Promise<void> | undefined

  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 },
    (req, res) => {
      come++
      lastCame = performance.now()
      if (isStopping) res.setHeader('Connection', 'close')
      underWay.add(res)
      res.once('close', () => {
        underWay.delete(res)
        if (waiting.has(req.socket)) waiting.set(req.socket, { since: performance.now(), read: req.socket.bytesRead })
      })
      void handler(req, res)
    },
  )
  server.on('connection', (socket) => {
    come++
    waiting.set(socket, { since: performance.now(), read: 0 })
    socket.once('close', () => waiting.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve()))

  async function stop(graceMs: number): Promise<void> {
    isStopping = true
    for (const res of underWay) if (!res.headersSent) res.setHeader('Connection', 'close')
    await quiet()
    const ended = once(server, 'close')
    await inStillness(endIdle)
    // The server's own close() would end connections whose first request is on its way.
    await inStillness(() => Listener.prototype.close.call(server))
    const ending = setInterval(endIdle, 50)
    await Promise.race([ended, sleep(graceMs, undefined, { signal: hurry.signal, ref: false }).catch(() => {})])
    clearInterval(ending)
    server.closeAllConnections()
    await ended
    server.close()
  }

  /** Waits until no request came for a while. */
  async function quiet(): Promise<void> {
    const began = performance.now()
    for (let left = 1; left > 0 && !hurry.signal.aborted;) {
      left = Math.min(began + stopDelayMs, Math.max(began, lastCame) + stopDelayMs * QUIET) - performance.now()
      await sleep(Math.max(left, 0), undefined, { signal: hurry.signal }).catch(() => {})
    }
  }

  /**
   * Acts at the end of a short turn of the loop in which nothing came: then no connection waits to be accepted, and no
   * request to be read.
   */
  const inStillness = (act: () => void): Promise<void> =>
    new Promise((resolve) => {
      const began = performance.now()
      let [before, turn] = [-1, began]
      const look = (): void => {
        const now = performance.now()
        if ((come === before && now - turn < SHORT_TURN_MS) || hurry.signal.aborted || now - began > MAX_TURNING_MS)
          return resolve(act())
        before = come
        turn = now
        setImmediate(look)
      }
      setImmediate(look)
    })

  /** Ends idle connections on which nothing has come since. */
  function endIdle(): void {
    const busy = new Set([...underWay].map(({ req }) => req.socket))
    const opened = performance.now() - FRESH_MS
    for (const [socket, { since, read }] of waiting) {
      if (!busy.has(socket) && socket.bytesRead === read && (read > 0 || since < opened)) socket.destroySoon()
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = 10_000) => {
      if (graceMs === 0) hurry.abort()
      return (stopped ??= stop(graceMs))
    },
  }
}
