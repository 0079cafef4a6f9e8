import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../../test/harness/harness.ts'
import { alignDefaults } from './defaults.ts'

let test: TestDatabase
let owner: Client
before(async () => {
  test = await makeDatabase()
  owner = new Client(test.owner)
  await owner.connect()
})
after(async () => {
  await owner.end()
  await test.drop()
})

const DEFAULTS = `
  select array_agg(distinct pg_get_expr(d.adbin, d.adrelid)) as says from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attname in ('created_at', 'updated_at')
  group by a.attrelid having count(*) = 2`

describe('created_at and updated_at defaults on a cluster', () => {
  it('use the start time of the statement', async () => {
    await alignDefaults(owner)
    const { rows } = await owner.query<{ says: string[] }>(DEFAULTS)
    assert.ok(rows.length > 10)
    for (const { says } of rows) assert.deepEqual(says, [`date_trunc('milliseconds'::text, statement_timestamp())`])
  })
})
