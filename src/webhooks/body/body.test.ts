import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { readSenderBody, type WebhookBody } from './body.ts'
import { openBodyPlaces, type BodyPlaces } from './body_places.ts'

const MB = 2 ** 20
const LIMITS = { mostBytes: 40 * MB, deadlineMs: 60_000 }

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }))
afterEach(() => mock.timers.reset())

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes a sender whose bytes come when told, under a clock that moves when told. */
function sending(places: BodyPlaces, sender = '203.0.113.1', limits = LIMITS) {
  const req = Object.assign(new PassThrough({ highWaterMark: 64 * MB }), { headers: {} })
  const ended: { body?: WebhookBody | undefined; status?: number; isOver?: true } = {}
  const read = async (): Promise<void> => {
    try {
      ended.body = await readSenderBody(req as unknown as IncomingMessage, limits, places, sender, () => {})
    } catch (error) {
      ended.status = error instanceof HttpRefusal ? error.answer.status : 0
    }
    ended.isOver = true
  }
  const reading = read()
  /** Waits until what was sent is read, and on disk. */
  const settle = async (): Promise<void> => {
    do for (let i = 0; i < 5; i++) await nextTurn()
    while (!ended.isOver && (req.isPaused() || req.readableLength > 0))
  }
  return {
    ended,
    send: async (length: number, fill = 0): Promise<void> => {
      req.write(Buffer.alloc(length, fill))
      await settle()
    },
    end: async (): Promise<void> => {
      req.end()
      await reading
    },
    leave: async (): Promise<void> => {
      req.destroy()
      await reading
    },
    /** Lets so many seconds pass, with so many bytes in each. */
    pass: async (seconds: number, length: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        if (length > 0) req.write(Buffer.alloc(length))
        await settle()
        mock.timers.tick(1_000)
        await settle()
      }
    },
  }
}

const NOTHING = { held: 0, unverified: 0, verified: 0, bytes: 0 }

describe('a large body', () => {
  it('has its time, and no more, however well it keeps its pace', async () => {
    const places = openBodyPlaces()
    const { send, pass, ended } = sending(places)
    await send(MB + 1)
    await pass(59, 300_000)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 300_000)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('below 32 kB a second for 5 s gives its place up', async () => {
    const places = openBodyPlaces()
    const { send, pass, ended } = sending(places)
    await send(MB + 1)
    await pass(20, 40_000)
    await pass(4, 31_000)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 31_000)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('of a sender that is silent for 5 s gives its place up, however fast it was', async () => {
    const places = openBodyPlaces()
    const { send, pass, ended } = sending(places)
    await send(20 * MB)
    await pass(4, 0)
    await send(MB)
    await pass(5, 0)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 0)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('is past its first MiB on disk until its signature is good, then whole in memory', async () => {
    const places = openBodyPlaces()
    const { send, end, ended } = sending(places)
    await send(MB, 1)
    await send(2 * MB, 2)
    await send(5, 3)
    assert.deepEqual(places.counts(), { ...NOTHING, unverified: 1, bytes: 2 * MB + 5 })
    await end()
    assert.equal(ended.body!.bytes, undefined)
    const whole = await ended.body!.readVerified()
    assert.ok(whole.equals(Buffer.concat([Buffer.alloc(MB, 1), Buffer.alloc(2 * MB, 2), Buffer.alloc(5, 3)])))
    assert.deepEqual(places.counts(), { ...NOTHING, held: 1 })
    ended.body!.release()
    ended.body!.release()
    assert.deepEqual(places.counts(), NOTHING)
  })

  it('has a place in memory beside three others; the fifth comes back later', async () => {
    const places = openBodyPlaces()
    const bodies: WebhookBody[] = []
    for (const sender of ['a', 'b', 'c', 'd', 'e']) {
      const { send, end, ended } = sending(places, sender)
      await send(MB + 1)
      await end()
      bodies.push(ended.body!)
    }
    for (const body of bodies.slice(0, 4)) await body.readVerified()
    await assert.rejects(bodies[4]!.readVerified(), (error: HttpRefusal) => error.answer.status === 503)
    for (const body of bodies) body.release()
    assert.deepEqual(places.counts(), NOTHING)
  })

  it('of each address is one until its signature is checked', async () => {
    const places = openBodyPlaces()
    const first = sending(places, 'a')
    await first.send(MB + 1)
    const second = sending(places, 'a')
    await second.send(MB + 1)
    assert.deepEqual([second.ended.status, places.counts().unverified], [503, 1])
    await first.end()
    await first.ended.body!.readVerified()
    const third = sending(places, 'a')
    await third.send(MB + 1)
    assert.deepEqual([third.ended, places.counts().verified], [{}, 1])
    first.ended.body!.release()
    await third.leave()
    assert.deepEqual([third.ended, places.counts()], [{ body: undefined, isOver: true }, NOTHING])
  })

  it('that is too large gives its place back', async () => {
    const places = openBodyPlaces()
    const { send, ended } = sending(places, 'a', { ...LIMITS, mostBytes: 2 * MB })
    await send(MB + 1)
    await send(MB)
    assert.deepEqual([ended.status, places.counts()], [413, NOTHING])
  })
})

describe('a body that is not large', () => {
  it('has its time, and no more', async () => {
    const places = openBodyPlaces()
    const { pass, ended } = sending(places)
    await pass(59, 1)
    assert.deepEqual(ended, {})
    await pass(1, 1)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })
})
