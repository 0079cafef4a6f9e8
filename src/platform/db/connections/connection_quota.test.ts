import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Unavailable } from '../../errors/refusal.ts'
import { SERVICE, openConnectionQuota, quotasOf, type StartTimer, type ConnectionRequest } from './connection_quota.ts'

/** Makes a clock that moves on command. */
function makeClock() {
  const due = new Set<{ at: number; call: () => void }>()
  let now = 0
  const after: StartTimer = (ms, call) => {
    const timer = { at: now + ms, call }
    due.add(timer)
    return () => due.delete(timer)
  }
  return {
    after,
    now: () => now,
    pending: () => due.size,
    advance(ms: number): void {
      now += ms
      for (const timer of [...due].sort((a, b) => a.at - b.at)) if (timer.at <= now && due.delete(timer)) timer.call()
    },
  }
}

type Task = ConnectionRequest & { state: 'waiting' | 'holding' | 'done' | 'refused'; left: AbortController; by: number }

/** Runs tasks of several parties on one pool, each with a visible state. */
function makeOffice(most: number) {
  const clock = makeClock()
  const shares = openConnectionQuota(most, clock.after)
  const tasks: Task[] = []
  const listHolders = (): Task[] => tasks.filter(({ state }) => state === 'holding')
  return {
    clock,
    shares,
    tasks,
    listHolders,
    ask(taking: ConnectionRequest, ms = 1_000): Task {
      const task: Task = { ...taking, state: 'holding', left: new AbortController(), by: clock.now() + ms }
      try {
        const waiting = shares.acquire(task, ms, task.left.signal)
        if (waiting !== undefined) {
          task.state = 'waiting'
          waiting.then(
            () => (task.state = 'holding'),
            () => (task.state = 'refused'),
          )
        }
      } catch {
        task.state = 'refused'
      }
      tasks.push(task)
      return task
    },
    end(task: Task): void {
      task.state = 'done'
      shares.release(task)
    },
  }
}
type Office = ReturnType<typeof makeOffice>

/** Waits for promises that settle in a later microtask. */
const flushPromises = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))

function requireShares({ listHolders, shares, tasks }: Office, most: number): void {
  const room = quotasOf(most)
  const count = (which: (task: Task) => boolean): number => listHolders().filter(which).length
  assert.ok(count(() => true) <= most)
  assert.ok(count(({ of }) => of !== SERVICE) <= room.others)
  assert.ok(count(({ writes }) => writes) <= room.writing)
  for (const party of new Set(tasks.map(({ of }) => of))) {
    assert.ok(count(({ of }) => of === party) <= room.each, party)
    assert.ok(count(({ of, writes }) => of === party && writes) <= room.writingEach, party)
    for (const one of ['invoice', 'job'])
      assert.ok(count(({ of, counter }) => of === party && counter === one) <= 1, `${party} ${one}`)
  }
  assert.equal(shares.waiting(), tasks.filter(({ state }) => state === 'waiting').length)
}

const taking = fc
  .record({
    of: fc.constantFrom('a', 'b', 'c', SERVICE),
    writes: fc.boolean(),
    counter: fc.constantFrom(undefined, undefined, 'invoice', 'job'),
  })
  .map((one): ConnectionRequest => (one.counter === undefined ? one : { ...one, writes: true }))
const step = fc.oneof(
  { weight: 5, arbitrary: taking.map((one) => ({ act: 'ask', one }) as const) },
  { weight: 4, arbitrary: fc.nat().map((which) => ({ act: 'end', which }) as const) },
  { weight: 1, arbitrary: fc.nat().map((which) => ({ act: 'leave', which }) as const) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }).map((ms) => ({ act: 'pass', ms }) as const) },
)

describe('the connection quota', () => {
  it('is never exceeded, drops expired and canceled waiters and serves all others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 120 }), async (most, steps) => {
        const office = makeOffice(most)
        const { tasks, listHolders, clock } = office
        for (const one of steps) {
          const [holding, waiting] = [listHolders(), tasks.filter(({ state }) => state === 'waiting')]
          if (one.act === 'ask') office.ask(one.one)
          else if (one.act === 'pass') clock.advance(one.ms)
          else if (one.act === 'end' && holding.length > 0) office.end(holding[one.which % holding.length]!)
          else if (one.act === 'leave' && waiting.length > 0)
            waiting[one.which % waiting.length]!.left.abort(new Error('left'))
          await flushPromises()
          requireShares(office, most)
          for (const task of tasks)
            assert.ok(task.state !== 'waiting' || (task.by > clock.now() && !task.left.signal.aborted))
        }
        for (let rounds = 0; listHolders().length > 0 || tasks.some(({ state }) => state === 'waiting'); rounds++) {
          assert.ok(rounds <= tasks.length && listHolders().length > 0, 'somebody waits for nothing')
          office.end(listHolders()[0]!)
          await flushPromises()
          requireShares(office, most)
        }
        assert.equal(clock.pending(), 0)
      }),
      { numRuns: 150 },
    )
  })

  it('serves the tasks of one party in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 12 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async (most, n, writes) => {
          const office = makeOffice(most)
          const tasks = Array.from({ length: n }, () => office.ask({ of: 'a', writes }))
          const order: Task[] = []
          while (office.listHolders().length > 0) {
            const [next] = office.listHolders()
            order.push(next!)
            office.end(next!)
            await flushPromises()
          }
          assert.deepEqual(
            order.map((task) => tasks.indexOf(task)),
            tasks.map((_, i) => i),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('takes turns, so a party waits for at most one task per party', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 2, max: 6 }), async (most, parties) => {
        const office = makeOffice(most)
        for (let party = 0; party < parties; party++)
          for (let i = 0; i < 2 * most; i++) office.ask({ of: `busy ${party}`, writes: false })
        const quiet = office.ask({ of: 'quiet', writes: false })
        let ended = 0
        for (; quiet.state === 'waiting'; ended++) {
          office.end(office.listHolders()[0]!)
          await flushPromises()
        }
        assert.ok(ended <= parties + 1, `${ended}`)
      }),
      { numRuns: 60 },
    )
  })

  it('counts joined tasks as waiting until they leave', () => {
    const office = makeOffice(2)
    const { waitingEach, each } = quotasOf(2)
    for (let i = 0; i < each + 1; i++) office.ask({ of: 'a', writes: false })
    const leaves = Array.from({ length: waitingEach - 1 }, () => office.shares.join('a'))
    assert.equal(office.shares.waiting(), waitingEach)
    assert.throws(() => office.shares.join('a'), Unavailable)
    assert.equal(office.ask({ of: 'a', writes: false }).state, 'refused')
    leaves[0]?.()
    assert.equal(office.ask({ of: 'a', writes: false }).state, 'waiting')
    for (const leave of leaves.slice(1)) leave()
    assert.equal(office.shares.waiting(), 2)
  })

  it('keeps a connection free for another party when one party reads and writes a lot', () => {
    for (const most of [4, 5, 6, 7, 10, 13, 20, 50]) {
      for (const writes of [false, true]) {
        const office = makeOffice(most)
        for (let i = 0; i < 10 * most; i++) office.ask({ of: 'noisy', writes: i % 2 === 0 })
        assert.equal(office.ask({ of: 'quiet', writes }).state, 'holding', `${most}`)
      }
    }
  })

  it('keeps room for reads while every party writes, and for the service while all others are busy', () => {
    for (const most of [4, 5, 6, 7, 10, 13, 20, 50]) {
      const office = makeOffice(most)
      for (let i = 0; i < 10 * most; i++) office.ask({ of: `tenant ${i}`, writes: true })
      assert.equal(office.ask({ of: 'reader', writes: false }).state, 'holding', `${most}`)
      for (let i = 0; i < 10 * most; i++) office.ask({ of: `reader ${i}`, writes: false })
      assert.equal(office.ask({ of: SERVICE, writes: false }).state, 'holding', `${most}`)
    }
  })

  it('runs one task per counter and party without blocking other tasks of the party', async () => {
    const office = makeOffice(10)
    const invoices = Array.from({ length: 5 }, () => office.ask({ of: 'a', writes: true, counter: 'invoice' }))
    assert.deepEqual(
      invoices.map(({ state }) => state),
      ['holding', 'waiting', 'waiting', 'waiting', 'waiting'],
    )
    assert.equal(office.ask({ of: 'a', writes: true }).state, 'holding')
    assert.equal(office.ask({ of: 'a', writes: true, counter: 'job' }).state, 'holding')
    assert.equal(office.ask({ of: 'b', writes: true, counter: 'invoice' }).state, 'holding')
    office.end(invoices[0]!)
    await flushPromises()
    assert.deepEqual(
      invoices.map(({ state }) => state),
      ['done', 'holding', 'waiting', 'waiting', 'waiting'],
    )
  })

  it('refuses tasks of a party beyond its connections and waiting places', () => {
    const office = makeOffice(10)
    const { each, waitingEach } = quotasOf(10)
    const asked = Array.from({ length: each + waitingEach + 5 }, () => office.ask({ of: 'a', writes: false }))
    assert.equal(asked.filter(({ state }) => state === 'refused').length, 5)
    assert.equal(office.ask({ of: 'b', writes: false }).state, 'holding')
  })

  it('rejects with Unavailable after the deadline, and with the abort reason when canceled', async () => {
    const clock = makeClock()
    const shares = openConnectionQuota(1, clock.after)
    const taking: ConnectionRequest = { of: 'a', writes: true }
    assert.equal(shares.acquire(taking, 10), undefined)
    const late = assert.rejects(shares.acquire(taking, 10)!, Unavailable)
    const left = new AbortController()
    const gone = assert.rejects(shares.acquire(taking, 100, left.signal)!, /gone home/)
    left.abort(new Error('gone home'))
    clock.advance(10)
    await Promise.all([late, gone])
    assert.throws(() => shares.acquire(taking, 10, left.signal), /gone home/)
    assert.equal(shares.waiting(), 0)
  })
})
