import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService } from './harness.ts'
import type { Company, TestService } from './harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

describe('ok', () => {
  it('creates with a colour in upper case, and lists by name whatever its case', async () => {
    const made = await company.call('tags_create', { name: '  gate code ', color: '#aabbcc' })
    assert.equal(made.name, 'gate code')
    assert.equal(made.color, '#AABBCC')
    assert.equal(made.created_by, company.owner.id)
    await company.call('tags_create', { name: 'Àlpha' })
    await company.call('tags_create', { name: 'Zeta' })
    const { rows, page, limit, hasMore } = await company.call('tags_list', {})
    assert.deepEqual(rows.map(({ name }: { name: string }) => name), ['Àlpha', 'gate code', 'Zeta'])
    assert.deepEqual([page, limit, hasMore], [1, 25, false])
  })
})
