import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOBODY, crewAfter } from './crew.ts'

describe('the crew after a drag on the board', () => {
  it('loses the member of the old lane and gets the member of the new one', () => {
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'luis', 'cole'), ['cole', 'tasha'])
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'luis', 'tasha'), ['tasha'])
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'tasha', NOBODY), ['luis'])
    assert.deepEqual(crewAfter(['luis'], 'luis', NOBODY), [])
    assert.deepEqual(crewAfter([], NOBODY, 'luis'), ['luis'])
  })

  it('is unchanged within a lane', () => {
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'tasha', 'tasha'), ['luis', 'tasha'])
    assert.deepEqual(crewAfter([], NOBODY, NOBODY), [])
  })

  it('of an unscheduled job replaces a single member, and joins several', () => {
    assert.deepEqual(crewAfter([], null, 'luis'), ['luis'])
    assert.deepEqual(crewAfter(['tasha'], null, 'luis'), ['luis'])
    assert.deepEqual(crewAfter(['tasha', 'cole'], null, 'luis'), ['tasha', 'cole', 'luis'])
    assert.deepEqual(crewAfter(['tasha', 'luis'], null, 'luis'), ['tasha', 'luis'])
    assert.deepEqual(crewAfter(['tasha', 'cole'], null, NOBODY), [])
  })
})
