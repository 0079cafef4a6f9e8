import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { sendInTransaction, withExplicitTransactions } from './explicit_transaction.ts'

describe('statements sent explicitly', () => {
  const sent: string[][] = []
  const send = (fails: boolean) => async (statements: readonly Sql[]) => {
    sent.push(statements.map(({ text }) => text))
    if (fails && statements.length > 1) throw new Error('refused')
    return statements.map(({ text }) => ({ rows: [{ text }], count: 1 }))
  }

  it('are one round trip, and answered without what stands around them', async () => {
    sent.length = 0
    const answers = await sendInTransaction(send(false), [sql`select 1`, sql`select 2`])
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.['text']),
      ['select 1', 'select 2'],
    )
    assert.deepEqual(sent, [['begin', 'select 1', 'select 2', 'commit']])
  })

  it('are rolled back when one is refused', async () => {
    sent.length = 0
    await assert.rejects(sendInTransaction(send(true), [sql`select 1`, sql`select 2`]), /refused/)
    assert.deepEqual(sent[1], ['rollback'])
  })

  it('go as they are when there is one, unless it calls a function', async () => {
    sent.length = 0
    await sendInTransaction(send(false), [sql`select 1`])
    await sendInTransaction(send(false), [sql`select take_status(1)`])
    assert.deepEqual(sent, [['select 1'], ['begin', 'select take_status(1)', 'commit']])
  })

  it('are only those outside of a transaction', async () => {
    sent.length = 0
    const held = withExplicitTransactions(send(false))
    await held([sql`begin isolation level repeatable read`, sql`select 1`])
    await held([sql`select take_status(2)`, sql`rollback to savepoint part`])
    await held([sql`select 3`, sql`select 4`])
    await held([sql`commit`])
    await held([sql`select take_status(5)`])
    assert.deepEqual(sent, [
      ['begin isolation level repeatable read', 'select 1'],
      ['select take_status(2)', 'rollback to savepoint part'],
      ['select 3', 'select 4'],
      ['commit'],
      ['begin', 'select take_status(5)', 'commit'],
    ])
  })
})
