import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byStatement, sql, type Send } from './sql.ts'
import { openTransaction, transact } from './transaction.ts'

const failure = new Error('This failed')

/** Records what is sent, on a held connection or outside; `fail` fails. */
function connections() {
  const [sent, held] = [[] as string[], { now: 0 }]
  const sending = (mark: string): Send =>
    byStatement(async (statements) => {
      sent.push(...statements.map(({ text }) => `${mark}${text}`))
      if (statements.some(({ text }) => text === 'fail')) throw failure
      return []
    })
  return {
    sent,
    held,
    send: sending('outside: '),
    hold: async <T>(use: (send: Send) => Promise<T>): Promise<T> => {
      held.now++
      return use(sending('')).finally(() => {
        held.now--
      })
    },
  }
}

describe('transact', () => {
  it('commits finished work and rolls back when it throws', async () => {
    const to = connections()
    assert.equal(await transact(to, (send) => send([sql`one`]).then(() => 1)), 1)
    await assert.rejects(
      transact(to, async (send) => {
        await send([sql`two`])
        throw failure
      }),
      failure,
    )
    assert.deepEqual(to.sent, ['begin', 'one', 'commit', 'begin', 'two', 'rollback'])
    assert.equal(to.held.now, 0)
  })

  it('rolls back after a failed statement even when the error was caught', async () => {
    const to = connections()
    await assert.rejects(
      transact(to, (send) => send([sql`fail`]).catch(() => [])),
      failure,
    )
    assert.deepEqual(to.sent, ['begin', 'fail', 'rollback'])
  })
})

describe('a transaction opened on demand', () => {
  it('holds no connection before its first statement, and reads outside until then', async () => {
    const to = connections()
    const transaction = openTransaction(to)
    await transaction.read([sql`look`])
    assert.equal(to.held.now, 0)
    await transaction.send([sql`one`])
    await transaction.read([sql`look`])
    assert.equal(to.held.now, 1)
    await transaction.end(true)
    assert.equal(to.held.now, 0)
    assert.deepEqual(to.sent, ['outside: look', 'begin', 'one', 'look', 'commit'])
  })

  it('rolls back on request, and ends silently when it never began', async () => {
    const to = connections()
    const transaction = openTransaction(to)
    await transaction.send([sql`one`])
    await transaction.end(false)
    await openTransaction(to).end(true)
    assert.deepEqual(to.sent, ['begin', 'one', 'rollback'])
  })

  it('cannot commit after a failed statement or without a connection', async () => {
    const to = connections()
    const transaction = openTransaction(to)
    await assert.rejects(transaction.send([sql`fail`]), failure)
    await assert.rejects(transaction.end(true), failure)
    const away = openTransaction({ ...to, hold: () => Promise.reject(failure) })
    await assert.rejects(away.send([sql`one`]), failure)
    await assert.rejects(away.end(true), failure)
    assert.deepEqual(to.sent, ['begin', 'fail', 'rollback'])
  })
})
