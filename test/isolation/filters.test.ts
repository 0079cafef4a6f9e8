import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { itIsolates, startTwo, type Two } from '../harness/two_companies.ts'

let two: Two
before(async () => {
  two = await startTwo()
  const walls = await two.witness.rows('select relname from pg_class where relrowsecurity')
  for (const { relname } of walls) await two.witness.rows(`alter table ${String(relname)} disable row level security`)
  assert.ok(walls.length > 25)
})
after(() => two.stop())

describe('two companies, without row-level security', () => {
  itIsolates(() => two)

  it('row-level security is still off after the run', async () => {
    assert.deepEqual(await two.witness.rows('select relname from pg_class where relrowsecurity'), [])
  })
})
