import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { ARGUMENTS } from '../harness/clients/every_tool.ts'
import { testIsolation, placesIn, startTwoCompanies, type TwoCompanies } from '../harness/two_companies.ts'

let two: TwoCompanies
before(async () => {
  two = await startTwoCompanies()
})
after(() => two.stop())

describe('the isolation test arguments', () => {
  it('cover every tool, with an id for each argument that takes one', () => {
    const { tools } = toolCatalogOf(entities)
    assert.deepEqual(Object.keys(ARGUMENTS), [...tools.keys()])
    for (const [wire, { tool }] of tools) {
      const places = new Set(
        ARGUMENTS[wire]!(two.mine).flatMap((given) => placesIn(given, two.mine).map(({ path }) => path[0])),
      )
      const ids = Object.keys(tool.input.shape).filter(
        (name) => /(^|_)ids?$|^seriesId$|^assignees?$|^tag$/.test(name) && name !== 'external_id',
      )
      assert.deepEqual(
        ids.filter((name) => !places.has(name)),
        [],
        wire,
      )
    }
  })
})

describe('two companies', () => testIsolation(() => two))

describe("the same arguments with the other company's ids", () => {
  it('are accepted from the company that owns the records', async () => {
    const { theirs, foreign } = two
    const isLast = (tool: string): boolean => /_(archive|delete|cancel|void|end)$/.test(tool)
    const tools = Object.keys(ARGUMENTS)
    for (const tool of [...tools.filter((name) => !isLast(name)), ...tools.filter(isLast).toReversed()]) {
      if (tool === 'customers_archive') {
        for (const { id } of (await theirs.call('plans_list', { status: 'active' })).rows)
          await theirs.call('plans_cancel', { id })
        for (const { id } of (await theirs.call('job_series_list', { status: 'active' })).rows)
          await theirs.call('job_series_end', { id })
      }
      for (const given of ARGUMENTS[tool]!(foreign)) await theirs.call(tool, given)
    }
  })
})
