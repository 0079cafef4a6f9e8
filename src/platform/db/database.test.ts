import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, DatabaseError } from 'pg'
import { Refusal, Unavailable } from '../errors/refusal.ts'
import { newId } from '../validation/id.ts'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { sql } from './database.ts'
import { transact } from './transaction.ts'

let test: TestDatabase
before(async () => {
  test = await makeDatabase({ maxConnections: 1 })
})
after(() => test.drop())

const sleeping = sql`select pg_sleep(30)`
const backend = async (): Promise<number> =>
  (await test.database.send([sql`select pg_backend_pid() as pid`]))[0].rows[0]!['pid'] as number
const abortAfter = (ms: number): AbortSignal => {
  const over = new AbortController()
  setTimeout(() => over.abort(new Error('over')), ms)
  return over.signal
}

describe('statements', () => {
  it('are retried twice after a deadlock or serialization failure, and after no other error', async () => {
    const admin = new Client(test.owner)
    await admin.connect()
    await admin.query(`create sequence tries; grant usage on sequence tries to public;
      create function enter_nothing() returns void language sql as 'select';
      create function fail_until(code text, enough int) returns int language plpgsql as $$
      declare tried int := nextval('tries');
      begin
        if tried < enough then raise exception 'asked for' using errcode = code; end if;
        return tried;
      end $$`)
    const sendFailing = async (code: string, enough: number, shares: boolean): Promise<unknown> => {
      await admin.query('alter sequence tries restart')
      try {
        const [, answer] = await test.database.send(
          [sql`select enter_nothing()`, sql`select fail_until(${code}, ${enough}) as tried`],
          { shares },
        )
        return answer.rows[0]!['tried']
      } catch (error) {
        assert.equal(error instanceof Unavailable, code !== '22012')
        return (await admin.query('select last_value as failed from tries')).rows[0]
      }
    }
    for (const shares of [false, true]) {
      for (const code of ['40P01', '40001']) {
        assert.equal(await sendFailing(code, 3, shares), 3)
        assert.deepEqual(await sendFailing(code, 4, shares), { failed: '3' })
      }
      assert.deepEqual(await sendFailing('22012', 2, shares), { failed: '1' })
    }
    await admin.end()
  })

  it('with an invalid value throw a Refusal, and other faults stay faults', async () => {
    const json = (text: string) => JSON.stringify({ a: { [text]: [text] } })
    for (const [code, statement] of [
      ['invalid_input', sql`select ${'a\0b'}::text`],
      ['invalid_input', sql`select ${['a', '\0']}::text[]`],
      ['invalid_input', sql`select ${json('\0')}::jsonb`],
      ['invalid_input', sql`select ${json('\ud800')}::jsonb`],
      ['not_found', sql`select ${'x'}::uuid`],
      ['not_found', sql`select ${['', newId()]}::uuid[]`],
    ] as const) {
      const isRefused = (error: unknown): boolean => error instanceof Refusal && error.code === code
      for (const shares of [false, true])
        await assert.rejects(test.database.send([sql`select 1`, statement], { shares }), isRefused, statement.text)
      await assert.rejects(
        transact(test.database, (send) => send([statement])),
        isRefused,
        statement.text,
      )
    }
    for (const statement of [sql`select ${'x'}::int`, sql`select 1 / ${0}::int`, sql`select ${'x'}::date`])
      await assert.rejects(test.database.send([statement]), DatabaseError, statement.text)
    assert.deepEqual((await test.database.send([sql`select ${json('\ufffd')}::jsonb is null as fails`]))[0].rows, [
      { fails: false },
    ])
  })
})

describe('a held connection whose signal is aborted', () => {
  it('is closed during a statement and replaced', async () => {
    const before = await backend()
    await assert.rejects(
      test.database.hold((send) => send([sleeping]), { signal: abortAfter(50), cuts: true }),
      /over/,
    )
    assert.notEqual(await backend(), before)
  })

  it('is kept when no statement was running', async () => {
    const before = await backend()
    const over = new AbortController()
    await test.database.hold((send) => send([sql`select 1`]), { signal: over.signal, cuts: true })
    over.abort(new Error('over'))
    await new Promise((resolve) => setTimeout(resolve, 40))
    assert.equal(await backend(), before)
  })

  it('accepts no statement after the abort', async () => {
    await assert.rejects(
      test.database.hold((send) => send([sql`select 1`]), { signal: AbortSignal.abort(new Error('over')), cuts: true }),
      /over/,
    )
    assert.ok((await backend()) > 0)
  })

  it('stops waiting, and the connection returns to the pool later', async () => {
    let letGo!: () => void
    const holding = test.database.hold(() => new Promise<void>((resolve) => (letGo = resolve)))
    await assert.rejects(
      test.database.hold((send) => send([sql`select 1`]), { signal: abortAfter(20), cuts: true }),
      /over/,
    )
    letGo()
    await holding
    assert.ok((await backend()) > 0)
  })
})
