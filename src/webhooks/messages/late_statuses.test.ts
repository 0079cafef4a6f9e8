import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { byStatement } from '../../platform/db/sql.ts'
import type { Intake } from '../body/intake.ts'
import { openStatuses } from './late_statuses.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 }))
afterEach(() => mock.timers.reset())

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes a database that accepts nothing while it is down, and never accepts a chosen id. */
function opening({ max = 5_000 } = {}) {
  const state = { away: true, poison: '' }
  const [stored, given] = [[] as unknown[], [] as unknown[]]
  let tries = 0
  const intake: Intake = byStatement(([statement]) => {
    tries++
    const [, id] = statement!.values
    if (state.away || id === state.poison) return Promise.reject(new Error('away'))
    stored.push(id)
    return Promise.resolve([])
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i += 5) {
      mock.timers.tick(5_000)
      await turn()
    }
  }
  return {
    take: openStatuses(
      intake,
      (error, how) => {
        if (how === 'lost') given.push(error)
      },
      { max },
    ),
    state,
    stored,
    given,
    pass,
    tries: () => tries,
  }
}

describe('a status acknowledged while the database is down', () => {
  it('is stored in order of arrival after it recovers', async () => {
    const { take, state, stored, given, pass } = opening()
    for (const id of ['a', 'b', 'c']) await take('sms', id, { status: 'sending' })
    await pass(60)
    assert.deepEqual(stored, [])
    state.away = false
    await pass(10)
    assert.deepEqual([stored.toSorted(), given], [['a', 'b', 'c'], []])
    await pass(600)
    assert.equal(stored.length, 3)
  })

  it('is dropped and reported after five minutes', async () => {
    const { take, state, stored, given, pass, tries } = opening()
    await take('sms', 'a', { status: 'sending' })
    await pass(295)
    assert.equal(given.length, 0)
    await pass(10)
    assert.equal(given.length, 1)
    const tried = tries()
    state.away = false
    await pass(600)
    assert.deepEqual([stored, tries()], [[], tried])
  })

  it('is dropped when too many newer ones wait', async () => {
    const { take, state, stored, given, pass } = opening({ max: 2 })
    for (const id of ['a', 'b', 'c']) await take('sms', id, { status: 'sending' })
    assert.equal(given.length, 1)
    state.away = false
    await pass(10)
    assert.deepEqual(stored, ['b', 'c'])
  })

  it('is not blocked by another that is never accepted', async () => {
    const { take, state, stored, pass } = opening()
    for (const id of ['a', 'b', 'c']) await take('sms', id, { status: 'sending' })
    Object.assign(state, { away: false, poison: 'a' })
    await pass(15)
    assert.deepEqual(stored, ['b', 'c'])
  })
})
