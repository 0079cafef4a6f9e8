import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { sendInTransaction, withExplicitTransactions } from './explicit_transaction.ts'

describe('statements in an explicit transaction', () => {
  const sent: string[][] = []
  const send = (fails: boolean) => async (statements: readonly Sql[]) => {
    sent.push(statements.map(({ text }) => text))
    if (fails && statements.length > 1) throw new Error('refused')
    return statements.map(({ text }) => ({ rows: [{ text }], count: 1 }))
  }

  it('are sent in one round trip, with only their own answers returned', async () => {
    sent.length = 0
    const answers = await sendInTransaction(send(false), [sql`select 1`, sql`select 2`])
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.['text']),
      ['select 1', 'select 2'],
    )
    assert.deepEqual(sent, [['begin', 'select 1', 'select 2', 'commit']])
  })

  it('are rolled back when one fails', async () => {
    sent.length = 0
    await assert.rejects(sendInTransaction(send(true), [sql`select 1`, sql`select 2`]), /refused/)
    assert.deepEqual(sent[1], ['rollback'])
  })

  it('are sent alone without a transaction, unless they call a function', async () => {
    sent.length = 0
    await sendInTransaction(send(false), [sql`select 1`])
    await sendInTransaction(send(false), [sql`select take_status(1)`])
    assert.deepEqual(sent, [['select 1'], ['begin', 'select take_status(1)', 'commit']])
  })

  it('are wrapped only outside of an open transaction', async () => {
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
