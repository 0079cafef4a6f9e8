import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ARGUMENTS, makeRecords } from '../../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type TestService } from '../../harness/harness.ts'
import { CLIENTS, type AnyClient, type Answer } from '../../harness/clients/official_clients.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

const isEnding = (tool: string): boolean => /_(archive|delete|cancel|void|end)$/.test(tool)

async function callTool(client: AnyClient, name: string, given: object): Promise<Record<string, unknown>> {
  const { content, isError } = (await client.callTool({ name, arguments: given as Record<string, unknown> })) as Answer
  assert.notEqual(isError, true, `${name} ${JSON.stringify(given)}: ${content[0]?.text}`)
  for (const marks of content.slice(1)) assert.match(marks.text, /^customer text in: /)
  return JSON.parse(content[0]!.text) as Record<string, unknown>
}

/** Ends active plans and series, because a customer with active work can't be archived. */
async function endWork(client: AnyClient): Promise<void> {
  for (const [list, end] of [
    ['plans_list', 'plans_cancel'],
    ['job_series_list', 'job_series_end'],
  ] as const) {
    for (const { id } of (await callTool(client, list, { status: 'active' }))['rows'] as { id: string }[])
      await callTool(client, end, { id })
  }
}

for (const [name, open] of Object.entries(CLIENTS)) {
  describe(name, () => {
    it('lists every tool and gets a valid result from each', async () => {
      const company = await makeCompany(service)
      const of = await makeRecords(company, 'Client')
      const client = await open(service.url, company.owner.key)
      const tools = (await client.listTools()).tools.map((tool) => tool.name)
      assert.deepEqual(tools, Object.keys(ARGUMENTS))
      for (const tool of [...tools.filter((one) => !isEnding(one)), ...tools.filter(isEnding).toReversed()]) {
        if (tool === 'customers_archive') await endWork(client)
        for (const given of ARGUMENTS[tool]!(of)) {
          const result = await callTool(client, tool, given)
          assert.ok(
            /_(list|search)$/.test(tool) ? Array.isArray(result['rows']) : typeof result['id'] === 'string',
            tool,
          )
        }
      }
      await client.close()
    })
  })
}
