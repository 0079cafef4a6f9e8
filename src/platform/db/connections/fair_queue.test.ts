import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { Unavailable } from '../../errors/refusal.ts'
import { newFairQueue, type FairQueueLimits } from './fair_queue.ts'

/** Makes a queue whose work ends on command, with the order in which it began. */
function makeQueue(limits: Partial<FairQueueLimits> = {}) {
  const queue = newFairQueue({ maxRunning: 1, maxPerCompany: 3, maxTotal: 5, refusal: 'Full', ...limits })
  const begun: string[] = []
  const ends: PromiseWithResolvers<void>[] = []
  return {
    begun,
    bring: (company: string, name: string): Promise<string> =>
      queue(company, async () => {
        begun.push(name)
        const end = Promise.withResolvers<void>()
        ends.push(end)
        await end.promise
        return name
      }),
    endNext: async (error?: Error): Promise<void> => {
      await setImmediate()
      const end = ends.shift()!
      if (error === undefined) end.resolve()
      else end.reject(error)
      await setImmediate()
    },
  }
}

describe('a fair queue', () => {
  it('serves companies in turn, each in its own order', async () => {
    const { bring, endNext, begun } = makeQueue()
    const all = [bring('a', 'a1'), bring('a', 'a2'), bring('a', 'a3'), bring('b', 'b1'), bring('c', 'c1')]
    for (let i = 0; i < all.length; i++) await endNext()
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'c1'])
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('runs up to maxRunning tasks at once', async () => {
    const { bring, endNext, begun } = makeQueue({ maxRunning: 2 })
    const all = [bring('a', 'a1'), bring('a', 'a2'), bring('a', 'a3'), bring('b', 'b1')]
    await setImmediate()
    assert.deepEqual(begun, ['a1', 'a2'])
    await endNext()
    await endNext()
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1'])
    await endNext()
    await endNext()
    await Promise.all(all)
  })

  it('refuses tasks beyond the limits per company and in total', async () => {
    const { bring, endNext, begun } = makeQueue()
    const all = ['a1', 'a2', 'a3'].map((name) => bring('a', name))
    await assert.rejects(bring('a', 'a4'), Unavailable)
    all.push(bring('b', 'b1'), bring('c', 'c1'))
    await assert.rejects(bring('d', 'd1'), Unavailable)
    await endNext()
    all.push(bring('d', 'd2'))
    for (let i = 0; i < 5; i++) await endNext()
    await Promise.all(all)
    assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'b1', 'c1', 'd2'])
  })

  it('continues after failed work', async () => {
    const { bring, endNext } = makeQueue()
    const [first, second] = [bring('a', 'a1'), bring('a', 'a2')]
    const failing = assert.rejects(first, /broken/)
    await endNext(new Error('broken'))
    await failing
    await endNext()
    assert.equal(await second, 'a2')
  })
})
