import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Unavailable } from '../../errors/refusal.ts'
import type { TransactionOptions } from '../database.ts'
import { byStatement, sql, type Send, type Sql, type StatementResult } from '../sql.ts'
import { newReadSharing } from './shared_reads.ts'

const enter = (tenant: string, version = 0): Sql => sql`select enter_tenant(${tenant}, ${'key'}, ${version})`
const echo = ({ text, values }: Sql): StatementResult => ({ rows: [{ text, of: values[0] }], count: 1 })

/** Makes a database whose connections become free with `free`; statements answer with their own text. */
function makeCrowd({
  fails = () => false,
  maxJoined = Infinity,
}: { fails?: (sent: Sql) => boolean; maxJoined?: number } = {}) {
  const trips: string[][] = []
  const turns: PromiseWithResolvers<void>[] = []
  let joined = 0
  const send: Send = byStatement(async (statements) => {
    trips.push(statements.map(({ text }) => text))
    if (statements.some(fails)) throw new Error('refused')
    return statements.map(echo)
  })
  async function hold<T>(use: (send: Send) => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>()
    turns.push(turn)
    await turn.promise
    return use(send)
  }
  const share = newReadSharing({
    hold,
    join: () => {
      if (joined >= maxJoined) throw new Unavailable('too many requests at once')
      joined++
      return () => void joined--
    },
    sendAlone: (statements) => send(statements),
    maxShared: 8,
  })
  const read = (statements: Sql[], options: TransactionOptions = {}): Promise<StatementResult[]> =>
    share(statements, options)
  return { read, trips, joined: () => joined, waiting: turns, free: () => turns.shift()?.resolve() }
}

const textsOf = (answers: StatementResult[]): unknown[] => answers.map(({ rows }) => rows[0]?.['text'])
const ENTRY = enter('a').text

describe('reads that wait for a connection', () => {
  it('share one round trip and one access check, each with its own answers', async () => {
    const crowd = makeCrowd()
    const reads = [
      crowd.read([enter('a'), sql`select 1`, sql`select 2`]),
      crowd.read([enter('a'), sql`select 3`]),
      crowd.read([enter('a')]),
      crowd.read([enter('a'), sql`select 4`, sql`select 5`]),
    ]
    assert.equal(crowd.joined(), 3)
    crowd.free()
    assert.deepEqual((await Promise.all(reads)).map(textsOf), [
      [ENTRY, 'select 1', 'select 2'],
      [ENTRY, 'select 3'],
      [ENTRY],
      [ENTRY, 'select 4', 'select 5'],
    ])
    assert.deepEqual(crowd.trips, [[ENTRY, 'select 1', 'select 2', 'select 3', 'select 4', 'select 5']])
    assert.equal(crowd.joined(), 0)
  })

  it("don't share a round trip across tenants, credential versions or entry functions", async () => {
    const crowd = makeCrowd()
    const settled = sql`select enter_settled(${'a'}, ${'key'}, ${0})`
    const reads = [enter('a'), enter('b'), enter('a', 1), settled].map((entry) => crowd.read([entry, sql`select 1`]))
    assert.equal(crowd.waiting.length, 4)
    for (const _ of reads) crowd.free()
    await Promise.all(reads)
    assert.equal(crowd.trips.length, 4)
  })

  it('share a round trip up to eight reads, and later ones share the next', async () => {
    const crowd = makeCrowd()
    const reads = Array.from({ length: 10 }, () => crowd.read([enter('a'), sql`select 1`]))
    assert.equal(crowd.waiting.length, 2)
    crowd.free()
    crowd.free()
    await Promise.all(reads)
    assert.deepEqual(
      crowd.trips.map(({ length }) => length),
      [9, 3],
    )
  })

  it('are not joined once they were sent', async () => {
    const crowd = makeCrowd()
    const first = crowd.read([enter('a'), sql`select 1`])
    crowd.free()
    await first
    const second = crowd.read([enter('a'), sql`select 2`])
    crowd.free()
    await second
    assert.equal(crowd.trips.length, 2)
  })

  it('are sent one by one after a shared trip fails, so only the failing read rejects', async () => {
    for (const badAt of [0, 1, 2]) {
      const crowd = makeCrowd({ fails: ({ text }) => text === 'select bad' })
      const reads = Array.from({ length: 3 }, (_, i) =>
        crowd.read([enter('a'), i === badAt ? sql`select bad` : sql`select 1`]),
      )
      crowd.free()
      const outcomes = await Promise.allSettled(reads)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        outcomes.map((_, i) => (i === badAt ? 'rejected' : 'fulfilled')),
      )
      assert.equal(crowd.trips.length, 4)
    }
  })

  it('all reject when their access check fails', async () => {
    const crowd = makeCrowd({ fails: ({ text }) => text === ENTRY })
    const reads = [1, 2, 3].map(() => crowd.read([enter('a'), sql`select 1`]))
    crowd.free()
    for (const { status } of await Promise.allSettled(reads)) assert.equal(status, 'rejected')
  })

  it('continue when the first one is canceled', async () => {
    const crowd = makeCrowd()
    const [first, second] = [1, 2].map((n) => crowd.read([enter('a'), sql`select ${n}`]))
    crowd.waiting.shift()?.reject(new Unavailable('the client disconnected'))
    await assert.rejects(first!, Unavailable)
    assert.equal((await second!).length, 2)
    assert.equal(crowd.joined(), 0)
  })

  it('are not sent when their sender has left', async () => {
    const crowd = makeCrowd()
    const left = new AbortController()
    const [first, second] = [
      crowd.read([enter('a'), sql`select 1`]),
      crowd.read([enter('a'), sql`select 2`], { signal: left.signal }),
    ]
    left.abort(new Unavailable('the client disconnected'))
    crowd.free()
    await first
    await assert.rejects(second, Unavailable)
    assert.deepEqual(crowd.trips, [[ENTRY, 'select 1']])
  })

  it('are refused when too many wait', async () => {
    const crowd = makeCrowd({ maxJoined: 1 })
    const reads = [1, 2, 3].map(() => crowd.read([enter('a'), sql`select 1`]))
    await assert.rejects(reads[2]!, Unavailable)
    crowd.free()
    await Promise.all(reads.slice(0, 2))
    assert.equal(crowd.joined(), 0)
  })
})
