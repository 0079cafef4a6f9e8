import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { byStatement } from '../../platform/db/sql.ts'
import { sql, type Database } from '../../platform/db/tenant.ts'
import { openGate } from './intake.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes a database that answers on command and stops when its signal is aborted. */
function slow() {
  const waiting: (() => void)[] = []
  const send = (signal: AbortSignal | undefined): Database['send'] =>
    byStatement(
      () =>
        new Promise((resolve, reject) => {
          waiting.push(() => resolve([]))
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
  const database = {
    hold: (use, options) => use(send(options?.signal)),
    send: send(undefined),
    load: () => assert.fail(),
    connection: {},
    close: () => assert.fail(),
  } as Database
  return {
    database,
    /** Answers the current statement after this many seconds. */
    answer: async (seconds: number): Promise<void> => {
      await turn()
      mock.timers.tick(seconds * 1_000)
      waiting.shift()?.()
      await turn()
    },
  }
}

/** Runs several round trips in sequence. */
const steps =
  (count: number) =>
  (database: Database): Promise<string> =>
    database.hold(async (send) => {
      for (let i = 0; i < count; i++) await send([sql`select`])
      return 'done'
    })

describe('the webhook gate', () => {
  it('limits work to 4 seconds in total', async () => {
    const { database, answer } = slow()
    const done = openGate(database)(steps(3)).catch((error: unknown) => String(error))
    for (let i = 0; i < 3; i++) await answer(1.5)
    assert.match(await done, /did not answer within 4000 ms/)
    const quick = openGate(database)(steps(3))
    for (let i = 0; i < 3; i++) await answer(1)
    assert.equal(await quick, 'done')
  })

  it('limits piecemeal work to 4 seconds per piece, with any number of pieces', async () => {
    const { database, answer } = slow()
    const done = openGate(database)(steps(30), { piecemeal: true })
    for (let i = 0; i < 30; i++) await answer(3.5)
    assert.equal(await done, 'done')
  })

  it('aborts piecemeal work when the database stops answering', async () => {
    const { database, answer } = slow()
    const done = openGate(database)(steps(30), { piecemeal: true }).catch((error: unknown) => String(error))
    for (let i = 0; i < 10; i++) await answer(3.5)
    await answer(4)
    assert.match(await done, /did not answer within 4000 ms/)
  })
})
