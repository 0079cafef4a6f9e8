import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { explicitly } from './explicitly.ts'

describe('statements sent explicitly', () => {
  const sent: string[][] = []
  const send = (fails: boolean) => async (statements: readonly Sql[]) => {
    sent.push(statements.map(({ text }) => text))
    if (fails && statements.length > 1) throw new Error('refused')
    return statements.map(({ text }) => ({ rows: [{ text }], count: 1 }))
  }

  it('are one round trip, and answered without what stands around them', async () => {
    sent.length = 0
    const answers = await explicitly(send(false), [sql`select 1`, sql`select 2`])
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.['text']),
      ['select 1', 'select 2'],
    )
    assert.deepEqual(sent, [['begin', 'select 1', 'select 2', 'commit']])
  })

  it('are rolled back when one is refused', async () => {
    sent.length = 0
    await assert.rejects(explicitly(send(true), [sql`select 1`, sql`select 2`]), /refused/)
    assert.deepEqual(sent[1], ['rollback'])
  })

  it('go as they are when there is one', async () => {
    sent.length = 0
    await explicitly(send(false), [sql`select 1`])
    assert.deepEqual(sent, [['select 1']])
  })
})
