import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { testIsolation, startTwoCompanies, type TwoCompanies } from '../harness/two_companies.ts'

let two: TwoCompanies
before(async () => {
  two = await startTwoCompanies()
  const walls = await two.witness.rows('select relname from pg_class where relrowsecurity')
  for (const { relname } of walls) await two.witness.rows(`alter table ${String(relname)} disable row level security`)
  assert.ok(walls.length > 25)
})
after(() => two.stop())

describe('two companies, without row-level security', () => {
  testIsolation(() => two)

  it('row-level security is still off after the run', async () => {
    assert.deepEqual(await two.witness.rows('select relname from pg_class where relrowsecurity'), [])
  })
})
