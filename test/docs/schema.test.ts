import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { schemaText } from '../../scripts/schema.ts'
import { CLUSTER } from '../harness/database/cluster.ts'
import { makeDatabase } from '../harness/harness.ts'

const skip = CLUSTER !== undefined && 'a cluster fits the schema to itself'

it('docs/schema.sql is the schema of a migrated database (npm run generate)', { skip }, async (t) => {
  const { owner, drop } = await makeDatabase()
  t.after(drop)
  assert.equal(await readFile(new URL('../../docs/schema.sql', import.meta.url), 'utf8'), await schemaText(owner))
})
