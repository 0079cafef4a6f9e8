import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { readSenderBody, type WebhookBody } from './body.ts'
import { openBodySlots, type BodySlots } from './body_slots.ts'

const MB = 2 ** 20
const LIMITS = { maxBytes: 40 * MB, deadlineMs: 60_000 }

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }))
afterEach(() => mock.timers.reset())

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes a sender whose bytes and clock advance on command. */
function sending(places: BodySlots, sender = '203.0.113.1', limits = LIMITS) {
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
  /** Waits until the sent bytes are read and on disk. */
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
    /** Lets this many seconds pass, with this many bytes in each. */
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

describe('a large webhook body', () => {
  it('is answered with 408 after its deadline, even at a good pace', async () => {
    const places = openBodySlots()
    const { send, pass, ended } = sending(places)
    await send(MB + 1)
    await pass(59, 300_000)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 300_000)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('loses its slot with 408 below 32 kB per second for 5 seconds', async () => {
    const places = openBodySlots()
    const { send, pass, ended } = sending(places)
    await send(MB + 1)
    await pass(20, 40_000)
    await pass(4, 31_000)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 31_000)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('loses its slot with 408 after 5 silent seconds, regardless of earlier speed', async () => {
    const places = openBodySlots()
    const { send, pass, ended } = sending(places)
    await send(20 * MB)
    await pass(4, 0)
    await send(MB)
    await pass(5, 0)
    assert.deepEqual([ended, places.counts().unverified], [{}, 1])
    await pass(1, 0)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })

  it('is on disk past its first MiB until its signature is verified, then in memory', async () => {
    const places = openBodySlots()
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

  it('is held in memory with up to three others; a fifth gets 503', async () => {
    const places = openBodySlots()
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

  it('is limited to one per address until its signature is verified', async () => {
    const places = openBodySlots()
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

  it('releases its slot with 413 when it is too large', async () => {
    const places = openBodySlots()
    const { send, ended } = sending(places, 'a', { ...LIMITS, maxBytes: 2 * MB })
    await send(MB + 1)
    await send(MB)
    assert.deepEqual([ended.status, places.counts()], [413, NOTHING])
  })
})

describe('a small webhook body', () => {
  it('is answered with 408 after its deadline', async () => {
    const places = openBodySlots()
    const { pass, ended } = sending(places)
    await pass(59, 1)
    assert.deepEqual(ended, {})
    await pass(1, 1)
    assert.deepEqual([ended.status, places.counts()], [408, NOTHING])
  })
})
