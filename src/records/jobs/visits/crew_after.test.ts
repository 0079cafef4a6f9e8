import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOBODY, crewAfter } from './crew_after.ts'

describe('a crew', () => {
  it('loses the one whose lane was left and takes in the one whose lane was reached; the others stay', () => {
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'luis', 'cole'), ['cole', 'tasha'])
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'luis', 'tasha'), ['tasha'])
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'tasha', NOBODY), ['luis'])
    assert.deepEqual(crewAfter(['luis'], 'luis', NOBODY), [])
    assert.deepEqual(crewAfter([], NOBODY, 'luis'), ['luis'])
  })

  it('stays as it is within a lane', () => {
    assert.deepEqual(crewAfter(['luis', 'tasha'], 'tasha', 'tasha'), ['luis', 'tasha'])
    assert.deepEqual(crewAfter([], NOBODY, NOBODY), [])
  })

  it('of a job that waited is replaced when it is one, and joined when it is more', () => {
    assert.deepEqual(crewAfter([], null, 'luis'), ['luis'])
    assert.deepEqual(crewAfter(['tasha'], null, 'luis'), ['luis'])
    assert.deepEqual(crewAfter(['tasha', 'cole'], null, 'luis'), ['tasha', 'cole', 'luis'])
    assert.deepEqual(crewAfter(['tasha', 'luis'], null, 'luis'), ['tasha', 'luis'])
    assert.deepEqual(crewAfter(['tasha', 'cole'], null, NOBODY), [])
  })
})
