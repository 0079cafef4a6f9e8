import assert from 'node:assert/strict'
import { it } from 'node:test'
import { constraintOfShard } from './broken_constraint.ts'

it('constraintOfPart returns the constraint name without the shard number', () => {
  const violationOf = (name: string): Error => new Error(`duplicate key value violates unique constraint "${name}"`)
  assert.equal(constraintOfShard(violationOf('tags_name_102373')), 'tags_name')
  assert.equal(constraintOfShard(violationOf('tags_2_102373')), 'tags_2')
  assert.equal(constraintOfShard(violationOf('tags_name')), undefined)
  assert.equal(constraintOfShard(new Error('deadlock detected')), undefined)
})
