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
const QUIET = 1 / 5

/** Maximum milliseconds of an event loop turn in which no request can have arrived. */
const SHORT_TURN_MS = 0.1
const MAX_TURNING_MS = 2_000

/** Time in milliseconds that a new connection may send nothing before it counts as preconnected. */
const FRESH_MS = 1_000

/** Requests in progress, and connections that may bring one. */
type Traffic = {
  readonly underWay: Set<ServerResponse>
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
  const traffic: Traffic = { underWay: new Set(), waiting: new Map(), count: 0, lastAt: 0, isStopping: false }
  const server = newServer(handler, headers, traffic)
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port, host, ...(cluster.isWorker ? OF_SEVERAL : {}) }, () => resolve()),
  )
  const hurry = new AbortController()
  let stopped: Promise<void> | undefined
  return {
    port: portOf(server),
    stop: (graceMs = 10_000) => {
      if (graceMs === 0) hurry.abort()
      return (stopped ??= stop(server, traffic, { stopDelayMs, graceMs, hurry: hurry.signal }))
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
  const { underWay, waiting } = traffic
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000, requireHostHeader: false },
    (req, res) => {
      for (const [name, value] of headerPairs) res.setHeader(name, value)
      if (req.headers.host === undefined && req.httpVersion === '1.1') return refuse(res, 400)
      traffic.count++
      traffic.lastAt = performance.now()
      if (traffic.isStopping) res.setHeader('Connection', 'close')
      underWay.add(res)
      res.once('close', () => {
        underWay.delete(res)
        if (waiting.has(req.socket)) waiting.set(req.socket, { since: performance.now(), read: req.socket.bytesRead })
      })
      void handler(req, res)
    },
  )
  server.on('checkExpectation', (_, res) => {
    for (const [name, value] of headerPairs) res.setHeader(name, value)
    refuse(res, 417)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = [...underWay].some((res) => res.socket === socket && res.headersSent)
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
  hurry: AbortSignal
}

async function stop(server: Server, traffic: Traffic, { stopDelayMs, graceMs, hurry }: StopOptions): Promise<void> {
  traffic.isStopping = true
  for (const res of traffic.underWay) if (!res.headersSent) res.setHeader('Connection', 'close')
  await waitForQuiet(traffic, stopDelayMs, hurry)
  const ended = once(server, 'close')
  await inStillness(traffic, hurry, () => endIdle(traffic))
  // The server's own close() would end connections whose first request is on its way.
  await inStillness(traffic, hurry, () => Listener.prototype.close.call(server))
  const ending = setInterval(() => endIdle(traffic), 50)
  await Promise.race([ended, sleep(graceMs, undefined, { signal: hurry, ref: false }).catch(() => {})])
  clearInterval(ending)
  server.closeAllConnections()
  await ended
  server.close()
}

/** Waits until no request has arrived for a while. */
async function waitForQuiet(traffic: Traffic, stopDelayMs: number, hurry: AbortSignal): Promise<void> {
  const began = performance.now()
  for (let remaining = 1; remaining > 0 && !hurry.aborted;) {
    remaining = Math.min(began + stopDelayMs, Math.max(began, traffic.lastAt) + stopDelayMs * QUIET) - performance.now()
    await sleep(Math.max(remaining, 0), undefined, { signal: hurry }).catch(() => {})
  }
}

/**
 * Runs `act` at the end of a short event loop turn in which nothing arrived: then no connection waits to be accepted,
 * and no request to be read.
 */
const inStillness = (traffic: Traffic, hurry: AbortSignal, act: () => void): Promise<void> =>
  new Promise((resolve) => {
    const began = performance.now()
    let [before, turn] = [-1, began]
    const look = (): void => {
      const now = performance.now()
      if ((traffic.count === before && now - turn < SHORT_TURN_MS) || hurry.aborted || now - began > MAX_TURNING_MS)
        return resolve(act())
      before = traffic.count
      turn = now
      setImmediate(look)
    }
    setImmediate(look)
  })

/** Ends idle connections without new data. */
function endIdle({ underWay, waiting }: Traffic): void {
  const busy = new Set([...underWay].map(({ req }) => req.socket))
  const opened = performance.now() - FRESH_MS
  for (const [socket, { since, read }] of waiting) {
    if (!busy.has(socket) && socket.bytesRead === read && (read > 0 || since < opened)) socket.destroySoon()
  }
}

/**
 * Options that give each of several processes its own socket at the same address, so that a stopping process loses no
 * connection. Only Linux has such sockets; elsewhere the processes share one.
 */
const OF_SEVERAL = process.platform === 'linux' ? { exclusive: true, reusePort: true } : {}

const refuse = (res: ServerResponse, status: number): void =>
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
