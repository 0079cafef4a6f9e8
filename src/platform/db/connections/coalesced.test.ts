import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { coalesceReads } from './coalesced.ts'
import type { Database } from '../database.ts'
import { byStatement, sql, type Sql, type StatementResult } from '../sql.ts'

type Trip = readonly Sql[]

const textOf = ({ text }: Sql): string => text
const enter = (tenant: string): Sql => sql`select enter_tenant(${tenant}, ${null}, ${0})`

/** Returns a database that answers each statement with its own text and fails the trips that `fails` selects. */
function recordTrips(fails: (trip: Trip) => boolean = () => false): { database: Database; trips: string[][] } {
  const trips: string[][] = []
  const database: Database = {
    send: byStatement(async (statements) => {
      trips.push(statements.map(textOf))
      if (fails(statements)) throw new Error('refused')
      return statements.map(({ text }): StatementResult => ({ rows: [{ text }], count: 1 }))
    }),
    hold: () => Promise.reject(new Error('not asked')),
    load: () => ({ used: 0, idle: 0, max: 0, waiting: 0 }),
    connection: {},
    close: async () => {},
  }
  return { database: coalesceReads(database), trips }
}

const rowsOf = (answers: StatementResult[]): unknown[] => answers.slice(1).map(({ rows }) => rows[0]!['text'])

describe('reads of one tick', () => {
  it('share a round trip when they enter the same tenant, each with its own answers', async () => {
    const { database, trips } = recordTrips()
    const later = Promise.resolve().then(() => database.send([enter('a'), sql`select 3`]))
    const answers = await Promise.all([
      database.send([enter('a'), sql`select 1`, sql`select 2`]),
      database.send([enter('a')]),
      later,
    ])
    assert.deepEqual(answers.map(rowsOf), [['select 1', 'select 2'], [], ['select 3']])
    assert.deepEqual(trips, [[textOf(enter('a')), 'select 1', 'select 2', 'select 3']])
  })

  it("of two tenants or credential versions don't share a round trip", async () => {
    const { database, trips } = recordTrips()
    await Promise.all([
      database.send([enter('a'), sql`select 1`]),
      database.send([enter('b'), sql`select 2`]),
      database.send([sql`select enter_tenant(${'a'}, ${'key'}, ${2})`, sql`select 3`]),
    ])
    assert.equal(trips.length, 3)
  })

  it('are sent one by one after a shared trip fails, so only the failing read rejects', async () => {
    const { database } = recordTrips((trip) => trip.some(({ text }) => text === 'select bad'))
    const [good, bad] = await Promise.allSettled([
      database.send([enter('a'), sql`select 1`]),
      database.send([enter('a'), sql`select bad`]),
    ])
    assert.equal(bad.status, 'rejected')
    assert.deepEqual(good.status === 'fulfilled' && rowsOf(good.value), ['select 1'])
  })

  it('that enter a second tenant, use a counter or are patient are sent alone', async () => {
    const { database, trips } = recordTrips()
    await Promise.all([
      database.send([enter('a'), sql`select 1`, enter('b'), sql`select 2`]),
      database.send([enter('a'), sql`select 3`], { counter: 'invoices' }),
      database.send([enter('a'), sql`select 4`], { patient: true }),
      database.send([sql`select 5`]),
    ])
    assert.equal(trips.length, 4)
  })
})
