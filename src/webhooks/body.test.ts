import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { HttpRefusal } from '../http_refusal.ts'
import { newBodyBudget, takeBody, type Body, type BodyBudget } from './body.ts'

const MB = 2 ** 20
const LIMITS = { mostBytes: 40 * MB, deadlineMs: 10_000 }

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }))
afterEach(() => mock.timers.reset())

/** Makes a sender whose bytes come when told, under a clock that moves when told. */
function sending(budget: BodyBudget, sender = '203.0.113.1') {
  const req = Object.assign(new PassThrough({ highWaterMark: 64 * MB }), { headers: {} })
  const ended: { body?: Body | undefined; status?: number } = {}
  const read = async (): Promise<void> => {
    try {
      ended.body = await takeBody(req as unknown as IncomingMessage, LIMITS, budget, sender, () => {})
    } catch (error) {
      ended.status = error instanceof HttpRefusal ? error.answer.status : 0
    }
  }
  void read()
  const turn = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => process.nextTick(resolve))
  }
  return {
    ended,
    send: async (length: number): Promise<void> => {
      req.write(Buffer.alloc(length))
      await turn()
    },
    end: async (): Promise<void> => {
      req.end()
      await turn()
      await turn()
    },
    /** Lets so many seconds pass, with so many bytes in each. */
    pass: async (seconds: number, length: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        if (length > 0) req.write(Buffer.alloc(length))
        await turn()
        mock.timers.tick(1_000)
        await turn()
      }
    },
  }
}

describe('a large body', () => {
  it('that keeps its pace may take as long as it takes', async () => {
    const budget = newBodyBudget()
    const { send, pass, end, ended } = sending(budget)
    await send(MB + 1)
    await pass(300, 32_000)
    assert.deepEqual([ended, budget.taken], [{}, 1])
    await end()
    assert.equal(ended.body?.bytes.length, MB + 1 + 300 * 32_000)
    ended.body.release()
    assert.deepEqual([budget.taken, budget.unchecked.size], [0, 0])
  })

  it('below 32 kB a second for 5 s gives its place up', async () => {
    const budget = newBodyBudget()
    const { send, pass, ended } = sending(budget)
    await send(MB + 1)
    await pass(20, 40_000)
    await pass(4, 31_000)
    assert.deepEqual([ended, budget.taken], [{}, 1])
    await pass(1, 31_000)
    assert.deepEqual([ended, budget.taken, budget.unchecked.size], [{ status: 408 }, 0, 0])
  })

  it('of a sender that is silent for 5 s gives its place up, however fast it was', async () => {
    const budget = newBodyBudget()
    const { send, pass, ended } = sending(budget)
    await send(20 * MB)
    await pass(4, 0)
    await send(MB)
    await pass(5, 0)
    assert.deepEqual([ended, budget.taken], [{}, 1])
    await pass(1, 0)
    assert.deepEqual([ended, budget.taken], [{ status: 408 }, 0])
  })

  it('has a place beside three others, one of each address until its signature is checked', async () => {
    const budget = newBodyBudget()
    const first = sending(budget, 'a')
    await first.send(MB + 1)
    const second = sending(budget, 'a')
    await second.send(MB + 1)
    assert.deepEqual([second.ended, budget.taken], [{ status: 503 }, 1])
    await first.end()
    first.ended.body!.checked()
    const third = sending(budget, 'a')
    await third.send(MB + 1)
    assert.deepEqual([third.ended, budget.taken], [{}, 2])
    first.ended.body!.release()
    assert.deepEqual([budget.taken, [...budget.unchecked]], [1, ['a']])
    const others = ['b', 'c', 'd', 'e'].map((address) => sending(budget, address))
    for (const other of others) await other.send(MB + 1)
    assert.deepEqual(
      [others.map(({ ended }) => ended.status), budget.taken],
      [[undefined, undefined, undefined, 503], 4],
    )
  })
})

describe('a body that is not large', () => {
  it('has its time, and no more', async () => {
    const budget = newBodyBudget()
    const { pass, ended } = sending(budget)
    await pass(9, 1)
    assert.deepEqual(ended, {})
    await pass(1, 1)
    assert.deepEqual([ended, budget.taken], [{ status: 408 }, 0])
  })
})
