import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../test/harness/harness.ts'
import { connectRaw } from '../../../../test/harness/database/unreliable_connection.ts'
import { openDatabase, raw, sql, type Database } from '../database.ts'

let test: TestDatabase
let database: Database
before(async () => {
  test = await makeDatabase()
  database = test.database
})
after(() => test.drop())

type Send = Database['send']

const listPreparedStatements = async (send: Send): Promise<{ statement: string; uses: number }[]> =>
  (
    await send([
      sql`select statement, generic_plans + custom_plans as uses from pg_prepared_statements order by prepare_time, name`,
    ])
  )[0].rows.map(({ statement, uses }) => ({ statement: String(statement), uses: Number(uses) }))

const usesOf = async (send: Send, mark: string): Promise<number[]> =>
  (await listPreparedStatements(send))
    .filter(({ statement }) => statement.includes(mark) && !statement.includes('pg_prepared'))
    .map(({ uses }) => uses)

describe('a batch of statements', () => {
  it('answers every statement in order, with rows, counts and parsed values', async () => {
    const [one, none, many, changed] = await database.send([
      sql`select ${'a'}::text as word, ${7}::bigint as whole, 1.50::numeric as exact, null as nothing, '2027-03-01'::date as day,
        '2027-03-01 09:00:00.5+02'::timestamptz as instant, '2027-03-01 09:00'::timestamp as wall, '{"a":[1]}'::jsonb as json, true as yes, '{x,y}'::text[] as list`,
      sql`select 1 where false`,
      sql`select n from generate_series(1, 3) n order by n desc`,
      sql`update rate_windows set given = 0 where minute = -1`,
    ])
    assert.deepEqual(one, {
      count: 1,
      rows: [
        {
          word: 'a',
          whole: 7,
          exact: '1.50',
          nothing: null,
          day: '2027-03-01',
          instant: '2027-03-01T07:00:00.500Z',
          wall: '2027-03-01T09:00:00',
          json: { a: [1] },
          yes: true,
          list: ['x', 'y'],
        },
      ],
    })
    assert.deepEqual(
      [none, many, changed],
      [
        { count: 0, rows: [] },
        { count: 3, rows: [{ n: 3 }, { n: 2 }, { n: 1 }] },
        { count: 0, rows: [] },
      ],
    )
  })

  it('is one implicit transaction: a failure rolls back earlier statements', async () => {
    const subject = '01900000-0000-7000-8000-000000000001'
    await assert.rejects(
      database.send([sql`insert into rate_windows values (${subject}, 1, 1, 1)`, sql`select 1 / ${0}::int`]),
      { code: '22012' },
    )
    assert.deepEqual((await database.send([sql`select * from rate_windows where subject = ${subject}`]))[0].rows, [])
  })

  it('keeps concurrent batches apart', async () => {
    const asked = Array.from({ length: 40 }, (_, i) =>
      database.send([sql`select ${i}::int as n`, ...(i % 5 === 4 ? [sql`select 1 / ${0}::int`] : [])], {
        patient: true,
      }),
    )
    const answers = await Promise.allSettled(asked)
    answers.forEach((answer, i) => {
      if (i % 5 === 4) assert.equal(answer.status, 'rejected')
      else assert.deepEqual(answer.status === 'fulfilled' && answer.value[0].rows, [{ n: i }])
    })
  })

  it('prepares each statement text once per connection', async () => {
    await database.hold(async (send) => {
      const ask = (n: number) => sql`select ${n}::int as prepared_once`
      const answers = [...(await send([ask(1), ask(2)])), ...(await send([ask(3)]))]
      assert.deepEqual(
        answers.map(({ rows }) => rows),
        [[{ prepared_once: 1 }], [{ prepared_once: 2 }], [{ prepared_once: 3 }]],
      )
      assert.deepEqual(await usesOf(send, 'prepared_once'), [3])
    })
  })

  it('prepares at most 500 statements per connection', async () => {
    const fresh = openDatabase(test.login, { maxConnections: 1 })
    await fresh.hold(async (send) => {
      for (let from = 0; from < 520; from += 65) {
        const answers = await send(
          Array.from({ length: 65 }, (_, i) => sql`select ${raw(String(from + i))} as n, ${'x'}::text as x`),
        )
        assert.deepEqual(
          answers.map(({ rows }) => rows[0]!['n']),
          Array.from({ length: 65 }, (_, i) => from + i),
        )
      }
      assert.equal((await listPreparedStatements(send)).length, 500)
    })
    await fresh.close()
  })
})

describe('a batch after an error', () => {
  it('can use every statement of the failed batch again', async () => {
    await database.hold(async (send) => {
      const first = sql`select ${1}::int as came_first`
      const failing = (by: number) => sql`select 6 / ${by}::int as failing`
      const never = sql`select ${2}::int as never_parsed`
      await assert.rejects(send([first, failing(0), never]), { code: '22012' })
      assert.deepEqual(
        (await send([never, failing(3), first])).map(({ rows }) => rows[0]),
        [{ never_parsed: 2 }, { failing: 2 }, { came_first: 1 }],
      )
      assert.deepEqual(await usesOf(send, 'came_first'), [2])
    })
  })

  it('does not accumulate prepared statements over repeated failures', async () => {
    await database.hold(async (send) => {
      const failures = [
        { code: '22012', statement: sql`select 1 / ${0}::int as pile` },
        { code: '42601', statement: sql`select from where pile` },
        { code: '42P01', statement: sql`select * from no_such_pile` },
        { code: '22P02', statement: sql`select ${'x'}::int as pile` },
      ]
      for (let i = 0; i < 25; i++) {
        for (const { code, statement } of failures)
          await assert.rejects(
            send([sql`select ${i}::int as pile`, statement, sql`select ${i}::text as pile_behind`]),
            { code },
          )
      }
      assert.ok((await usesOf(send, 'pile')).length <= 4)
      assert.deepEqual((await send([sql`select ${7}::text as pile_behind`]))[0].rows, [{ pile_behind: '7' }])
    })
  })

  it("goes on with the connection after a value that can't be sent", async () => {
    const round: Record<string, unknown> = {}
    round['self'] = round
    const narrow = openDatabase(test.login, { maxConnections: 1 })
    for (let i = 0; i < 3; i++) {
      await assert.rejects(
        narrow.send([sql`select ${1}::int as before_it`, sql`select ${round}::jsonb as round`]),
        TypeError,
      )
      assert.deepEqual((await narrow.send([sql`select ${1}::int as before_it`]))[0].rows, [{ before_it: 1 }])
    }
    await narrow.close()
  })
})

describe("a connection whose check outlasts the pool's wait", () => {
  it('is released afterwards', async (t) => {
    let isSlow = false
    const server = createServer((one) => {
      const other = connectRaw(test.login)
      // A slow connection is accepted after 1.2 s and its check is answered 1.2 s later; the pool waits 2 s.
      let isWaiting = isSlow
      one.on('data', (asked: Buffer) => {
        isWaiting ||= isSlow && asked.includes('session_user as login')
        other.write(asked)
      })
      other.on('data', (answer: Buffer) => {
        const ms = isWaiting ? 1_200 : 0
        isWaiting = false
        void setTimeout(ms).then(() => one.write(answer))
      })
      for (const end of [one, other]) end.on('error', () => {})
      one.on('close', () => other.destroy())
      other.on('close', () => one.destroy())
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const slow = openDatabase({ ...test.login, host: '127.0.0.1', port: address.port }, { maxConnections: 2 })
    await slow.send([sql`select 1`])
    isSlow = true
    // Both see the one free connection; the second waits for a new one.
    await Promise.allSettled([1, 2].map((n) => slow.send([sql`select ${n}::int, pg_sleep(0.1)`])))
    while (slow.load().used > 0) await setTimeout(20)
    await slow.close()
  })
})

describe('a connection that breaks during a query', () => {
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, setTimeout(40_000, undefined, { ref: false }).then(() => assert.fail('was waited for'))])

  it('fails at once when the server ends it, and the pool recovers', async () => {
    const narrow = openDatabase(test.login, { maxConnections: 1 })
    const admin = new Client(test.owner)
    await admin.connect()
    for (let i = 0; i < 2; i++) {
      const dying = narrow.hold(async (send) => {
        const pid = (await send([sql`select pg_backend_pid() as pid`]))[0].rows[0]!['pid']
        const asked = send([sql`select pg_sleep(60)`, sql`select 1 as unreached`])
        void setTimeout(50).then(() => admin.query('select pg_terminate_backend($1::integer)', [pid]))
        return asked
      })
      await assert.rejects(inTime(dying), /the connection to the database was lost/)
      assert.deepEqual((await inTime(narrow.send([sql`select 1 as again`])))[0].rows, [{ again: 1 }])
    }
    await admin.end()
    await narrow.close()
  })

  it('fails at once when the network breaks, including idle connections', async (t) => {
    const sockets = new Set<Socket>()
    const proxy = createServer((near) => {
      const far = connectRaw(test.owner)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.pipe(other).on('error', () => other.destroy())
        one.on('error', () => {}).on('close', () => other.destroy())
      }
    }).listen(0, '127.0.0.1')
    t.after(() => proxy.close())
    await once(proxy, 'listening')
    const address = proxy.address()
    assert.ok(address !== null && typeof address === 'object')
    const remote = openDatabase({ ...test.login, host: '127.0.0.1', port: address.port }, { maxConnections: 3 })
    await Promise.all([1, 2, 3].map((n) => remote.send([sql`select ${n}::int, pg_sleep(0.05)`])))
    const asked = remote.send([sql`select pg_sleep(60)`])
    void setTimeout(50).then(() => sockets.forEach((socket) => socket.destroy()))
    await assert.rejects(inTime(asked), /the connection to the database was lost/)
    while (remote.load().idle > 0) await setTimeout(5)
    assert.deepEqual((await inTime(remote.send([sql`select 1 as again`])))[0].rows, [{ again: 1 }])
    await remote.close()
  })
})
