import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../../src/records/index.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const ask = async (
  method: string,
  params: object,
): Promise<{ result?: { tools: { name: string }[] }; error?: { code: number; message: string } }> => {
  const response = await fetch(service.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: {
      authorization: `Bearer ${company.owner.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  return (await response.json()) as never
}

const acts = entities.flatMap(({ name, pageActions }) => pageActions.map(({ verb }) => `${name}_${verb}`))

describe('page-only actions', () => {
  it('include pinning notes, tagging customers and merging customers', () => {
    for (const act of ['notes_pin', 'customers_tag', 'customers_merge']) assert.ok(acts.includes(act), act)
  })

  it("aren't in tools/list", async () => {
    const names = (await ask('tools/list', {})).result!.tools.map(({ name }) => name)
    assert.equal(names.length, entities.flatMap(({ tools }) => tools).length)
    assert.deepEqual(
      acts.filter((act) => names.includes(act)),
      [],
    )
  })

  it('are unknown tools to tools/call, and change nothing', async () => {
    const note = await company.call('notes_create', { body: 'Stay' })
    for (const act of acts) {
      const { result, error } = await ask('tools/call', { name: act, arguments: { id: note.id, pinned: true } })
      assert.deepEqual([result, error?.code], [undefined, -32602], act)
      assert.match(error!.message, new RegExp(`unknown tool "${act}"`))
    }
    assert.equal((await company.call('notes_get', { id: note.id })).pinned, false)
  })
})
