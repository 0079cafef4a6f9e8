import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLoad, rollOver, startProcess } from '../../bench/restart.ts'
import { listen } from '../../src/platform/http/server.ts'
import { makeDatabase, type TestDatabase } from '../harness/harness.ts'
import { freePort } from '../harness/web_client.ts'

const opened: Socket[] = []
after(() => opened.forEach((socket) => socket.destroy()))

const requests = new EventEmitter()

/** Waits until a server has received this many requests of a path. Call it in the turn that sends them. */
const waitForRequests = (path: string, count = 1): Promise<void> =>
  new Promise((resolve) => {
    let left = count
    requests.on('begun', (one) => {
      if (one === path && --left === 0) resolve()
    })
  })

/** Starts a server that answers after the number of milliseconds in the path. */
const listening = (stopDelayMs: number) =>
  listen(
    async (req, res) => {
      requests.emit('begun', req.url)
      await sleep(Number(req.url!.slice(1)))
      res.writeHead(200, { 'Content-Length': 2 }).end('ok')
    },
    { host: '127.0.0.1', port: 0, stopDelayMs },
  )

function at(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  return socket
}

const ask = (socket: Socket, ms = 0): boolean => socket.write(`GET /${ms} HTTP/1.1\r\nHost: x\r\n\r\n`)

/** Returns the text received until the connection ends. Throws if it breaks off. */
async function toTheEnd(socket: Socket): Promise<string> {
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}

const isClosing = (answer: string): boolean =>
  answer.startsWith('HTTP/1.1 200') && /^connection: close\r$/im.test(answer)

describe('a server that is stopping', () => {
  it('accepts connections and answers with Connection: close until no more arrive', async () => {
    const { port, stop } = await listening(15_000)
    const kept = at(port)
    ask(kept)
    assert.ok(!isClosing(String(await once(kept, 'data').then(([piece]) => piece))))
    let isStopped = false
    const stopped = stop().finally(() => {
      isStopped = true
    })
    ask(kept)
    assert.ok(isClosing(await toTheEnd(kept)))
    // Without new connections it would stop after a fifth of the delay, 3 s.
    for (const end = performance.now() + 4_000; performance.now() < end; await sleep(100)) {
      const socket = at(port)
      ask(socket)
      assert.ok(isClosing(await toTheEnd(socket)))
      assert.equal(isStopped, false)
    }
    await stopped
    const late = at(port)
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNREFUSED')
  })

  it("answers clients that connected before the stop but weren't accepted yet", async () => {
    const { port, stop } = await listening(0)
    const sockets = Array.from({ length: 200 }, () => at(port))
    const answers = Promise.all(sockets.map((socket) => toTheEnd(socket)))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const stopped = stop()
    for (const socket of sockets) ask(socket)
    assert.ok((await answers).every(isClosing))
    await stopped
  })

  it("waits for a new connection's first request and for open responses, and closes idle connections", async (test) => {
    // A connection without a request for one second counts as opened in advance.
    const now = performance.now()
    test.mock.method(performance, 'now', () => now)
    const { port, stop } = await listening(0)
    const [slow, kept, fresh] = [at(port), at(port), at(port)]
    ask(slow, 700)
    ask(kept)
    await Promise.all([once(kept, 'data'), once(fresh, 'connect'), waitForRequests('/700')])
    const stopped = stop()
    assert.equal(await toTheEnd(kept), '')
    ask(fresh)
    assert.ok(isClosing(await toTheEnd(fresh)))
    assert.ok(isClosing(await toTheEnd(slow)))
    await stopped
  })

  it('stops after its time limit, or at once on a second stop', async () => {
    const [one, two] = [await listening(0), await listening(60_000)]
    const [endless, other] = [at(one.port), at(two.port)]
    ask(endless, 60_000)
    ask(other, 60_000)
    for (const socket of [endless, other]) socket.on('error', () => {})
    await waitForRequests('/60000', 2)
    await one.stop(200)
    const stopped = two.stop()
    await two.stop(0)
    await stopped
  })
})

describe('a rolling restart of two services', () => {
  for (const keepAlive of [true, false]) {
    it(`loses no request of a load balancer${keepAlive ? ', and keeps its connections' : ''}`, async () => {
      const ports = [await freePort(), await freePort()]
      const start = (i: number) =>
        startProcess(new URL('../harness/processes/listening.process.ts', import.meta.url).pathname, [
          JSON.stringify({ port: ports[i], stopDelayMs: 6_000 }),
        ])
      const running = [await start(0), await start(1)]
      const load = openLoad(
        ports,
        { method: 'POST', path: '/2', body: '{}' },
        { keepAlive, workers: 8, healthCheckMs: 50 },
      )
      while (load.tally.answered < 100) await sleep(20)
      await rollOver(start, running, 2, 500)
      const { answered, lost } = await load.end()
      assert.deepEqual(lost, {})
      assert.ok(answered > 100, String(answered))
      assert.deepEqual(await Promise.all(running.map(({ stop }) => stop())), [0, 0])
    })
  }
})

describe('the service', () => {
  let db: TestDatabase
  before(async () => {
    db = await makeDatabase()
  })
  after(() => db.drop())

  it("isn't ready after the first signal, answers until the second and exits with 0", async () => {
    const port = await freePort()
    const { user, password, host, database, port: at } = db.owner
    const url = `postgres://${user}:${encodeURIComponent(String(password ?? ''))}@localhost:${at}/${database}?host=${encodeURIComponent(host!)}`
    const env = {
      PORT: String(port),
      DATABASE_URL: url,
      NODE_ENV: 'production',
      STOP_DELAY: '600',
      LOG_LEVEL: 'silent',
    }
    const { child } = await startProcess(new URL('../../src/start/main.ts', import.meta.url).pathname, [], env)
    const look = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    // On a busy machine the database may be slow at first.
    while ((await look('/health/ready')) !== 200);
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    while ((await look('/health/ready')) === 200);
    await sleep(1_000)
    assert.deepEqual(
      [await look('/health/ready'), await look('/health/live'), await look('/sign-in'), child.exitCode],
      [503, 200, 200, null],
    )
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })
})
