import cluster from 'node:cluster'
import { once } from 'node:events'
import { STATUS_CODES, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Listening server. `stop(0)` ends at once, even if a stop has begun; otherwise running requests have `graceMs` to
 * finish.
 */
type HttpServer = { port: number; stop(graceMs?: number): Promise<void> }

/** Address to listen on, maximum time that a stopping server accepts requests, and headers of every response. */
type ListenOptions = { host: string; port: number; stopDelayMs?: number; headers?: Readonly<Record<string, string>> }

/** Share of the maximum wait that must pass without a new request. */
const QUIET_SHARE = 1 / 5

/** Maximum milliseconds of an event loop turn in which no request can have arrived. */
const SHORT_TURN_MS = 0.1
const MAX_TURNING_MS = 2_000

/** Time in milliseconds that a new connection may send nothing before it counts as preconnected. */
const PRECONNECT_MS = 1_000

/** Requests in progress, and connections that may bring one. */
type Traffic = {
  readonly active: Set<ServerResponse>
  /** Connections that wait for a request, with the time since then and the number of bytes read by then. */
  readonly waiting: Map<Socket, { since: number; read: number }>
  /** Number of connections and requests so far. */
  count: number
  /** Time of the last request. */
  lastAt: number
  isStopping: boolean
}

/**
 * Starts the server. A stop loses no request: the server continues to listen, and to answer with `Connection: close`,
 * until no request has come for a while, at most `stopDelayMs`. Then it accepts no more connections and finishes the
 * running requests.
 */
export async function listen(
  handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  { host, port, stopDelayMs = 0, headers = {} }: ListenOptions,
): Promise<HttpServer> {
  const traffic: Traffic = { active: new Set(), waiting: new Map(), count: 0, lastAt: 0, isStopping: false }
  const server = newServer(handler, headers, traffic)
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port, host, ...(cluster.isWorker ? OWN_SOCKET : {}) }, () => resolve()),
  )
  const force = new AbortController()
  let stopped: Promise<void> | undefined
  return {
    port: portOf(server),
    stop: (graceMs = 10_000) => {
      if (graceMs === 0) force.abort()
      return (stopped ??= stop(server, traffic, { stopDelayMs, graceMs, force: force.signal }))
    },
  }
}

/** Returns the port on which a server listens. */
export function portOf(server: Listener): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

function newServer(
  handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  headers: Readonly<Record<string, string>>,
  traffic: Traffic,
): Server {
  const headerPairs = Object.entries(headers)
  const { active, waiting } = traffic
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000, requireHostHeader: false },
    (req, res) => {
      for (const [name, value] of headerPairs) res.setHeader(name, value)
      if (req.headers.host === undefined && req.httpVersion === '1.1') return sendRefusal(res, 400)
      traffic.count++
      traffic.lastAt = performance.now()
      if (traffic.isStopping) res.setHeader('Connection', 'close')
      active.add(res)
      res.once('close', () => {
        active.delete(res)
        if (waiting.has(req.socket)) waiting.set(req.socket, { since: performance.now(), read: req.socket.bytesRead })
      })
      void handler(req, res)
    },
  )
  server.on('checkExpectation', (_, res) => {
    for (const [name, value] of headerPairs) res.setHeader(name, value)
    sendRefusal(res, 417)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = [...active].some((res) => res.socket === socket && res.headersSent)
    if (socket.writable && !isAnswered) socket.write(parseErrorResponse(error.code, headers))
    socket.destroySoon()
  })
  server.on('connection', (socket) => {
    traffic.count++
    waiting.set(socket, { since: performance.now(), read: 0 })
    socket.once('close', () => waiting.delete(socket))
  })
  return server
}

type StopOptions = {
  stopDelayMs: number
  graceMs: number
  /** Signal that a stop must not wait any longer. */
  force: AbortSignal
}

async function stop(server: Server, traffic: Traffic, { stopDelayMs, graceMs, force }: StopOptions): Promise<void> {
  traffic.isStopping = true
  for (const res of traffic.active) if (!res.headersSent) res.setHeader('Connection', 'close')
  await waitForQuiet(traffic, stopDelayMs, force)
  const ended = once(server, 'close')
  await runWhenQuiet(traffic, force, () => endIdle(traffic))
  // The server's own close() would end connections whose first request is on its way.
  await runWhenQuiet(traffic, force, () => Listener.prototype.close.call(server))
  const idleTimer = setInterval(() => endIdle(traffic), 50)
  await Promise.race([ended, sleep(graceMs, undefined, { signal: force, ref: false }).catch(() => {})])
  clearInterval(idleTimer)
  server.closeAllConnections()
  await ended
  server.close()
}

/** Waits until no request has arrived for a while. */
async function waitForQuiet(traffic: Traffic, stopDelayMs: number, force: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  for (let remaining = 1; remaining > 0 && !force.aborted;) {
    remaining =
      Math.min(startedAt + stopDelayMs, Math.max(startedAt, traffic.lastAt) + stopDelayMs * QUIET_SHARE) -
      performance.now()
    await sleep(Math.max(remaining, 0), undefined, { signal: force }).catch(() => {})
  }
}

/**
 * Runs `action` at the end of a short event loop turn in which nothing arrived: then no connection waits to be
 * accepted, and no request to be read.
 */
const runWhenQuiet = (traffic: Traffic, force: AbortSignal, action: () => void): Promise<void> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    let [before, turnStartedAt] = [-1, startedAt]
    const check = (): void => {
      const now = performance.now()
      if (
        (traffic.count === before && now - turnStartedAt < SHORT_TURN_MS) ||
        force.aborted ||
        now - startedAt > MAX_TURNING_MS
      )
        return resolve(action())
      before = traffic.count
      turnStartedAt = now
      setImmediate(check)
    }
    setImmediate(check)
  })

/** Ends idle connections without new data. */
function endIdle({ active, waiting }: Traffic): void {
  const busy = new Set([...active].map(({ req }) => req.socket))
  const newestPreconnect = performance.now() - PRECONNECT_MS
  for (const [socket, { since, read }] of waiting) {
    if (!busy.has(socket) && socket.bytesRead === read && (read > 0 || since < newestPreconnect)) socket.destroySoon()
  }
}

/**
 * Options that give each of several processes its own socket at the same address, so that a stopping process loses no
 * connection. Only Linux has such sockets; elsewhere the processes share one.
 */
const OWN_SOCKET = process.platform === 'linux' ? { exclusive: true, reusePort: true } : {}

const sendRefusal = (res: ServerResponse, status: number): void =>
  void res.writeHead(status, { Connection: 'close', 'Content-Length': 0 }).end()

/** Returns the response to bytes that aren't a valid request (RFC 9112). */
function parseErrorResponse(code: string | undefined, headers: Readonly<Record<string, string>>): string {
  const status = UNPARSED[code ?? ''] ?? 400
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' })
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map((line) => line.join(': ')), '', ''].join('\r\n')
}

const UNPARSED: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}
