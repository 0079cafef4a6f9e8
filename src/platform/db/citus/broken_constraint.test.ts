import assert from 'node:assert/strict'
import { it } from 'node:test'
import { constraintOfPart } from './broken_constraint.ts'

it('constraintOfPart returns the constraint name without the shard number', () => {
  const violationOf = (name: string): Error => new Error(`duplicate key value violates unique constraint "${name}"`)
  assert.equal(constraintOfPart(violationOf('tags_name_102373')), 'tags_name')
  assert.equal(constraintOfPart(violationOf('tags_2_102373')), 'tags_2')
  assert.equal(constraintOfPart(violationOf('tags_name')), undefined)
  assert.equal(constraintOfPart(new Error('deadlock detected')), undefined)
})
