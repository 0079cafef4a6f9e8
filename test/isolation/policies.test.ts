import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { testIsolation, startTwoCompanies, type TwoCompanies } from '../harness/two_companies.ts'

let two: TwoCompanies
before(async () => {
  two = await startTwoCompanies({ bare: true })
})
after(() => two.stop())

describe('two companies, with row-level security but no tenant filters', () => testIsolation(() => two))

describe('the tenant filters', () => {
  it("were removed: without row-level security, the same statements return both companies' rows", async () => {
    assert.ok(two.statements.size > 100, `${two.statements.size} statements`)
    const tags = [...two.statements].filter(([text]) =>
      /^\s*select id,\s*name,\s*color\s+from tags t\s+where/.test(text),
    )
    assert.ok(tags.length > 0)
    for (const [text, values] of tags) {
      const rows = JSON.stringify(await two.witness.rows(text, ...values))
      assert.ok(rows.includes('Alpha tag') && rows.includes('Zebra tag'))
    }
  })
})
