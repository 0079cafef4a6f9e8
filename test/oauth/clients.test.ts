import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { CLIENTS, connect, textOf, type AnyClient } from '../harness/clients/official_clients.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const open = (name: string, key: string) => CLIENTS[name]!(service.url, key)
const result = async (client: AnyClient, name: string, given: Record<string, unknown>): Promise<Result> =>
  JSON.parse(await textOf(client, name, given)) as Result

for (const name of Object.keys(CLIENTS)) {
  describe(name, () => {
    it('lists the tools, creates a customer and finds it by a phone number in three formats', async () => {
      const client = await open(name, company.owner.key)
      const { tools } = await client.listTools()
      assert.equal(tools.length, entities.length * 5)
      const local = 1000 + Object.keys(CLIENTS).indexOf(name)
      const made = await result(client, 'customers_create', {
        customer_type: 'company',
        company_name: `Harbor ${name}`,
        contacts: [
          { first_name: 'Ana', phone: `(512) 555-${local}` },
          { first_name: 'Ben', email: `ben${local}@example.com` },
        ],
        locations: [{ address_line1: '1 Pier Rd', city: 'Austin', region: 'TX' }],
      })
      assert.equal(made['url'], `http://callout.test/${company.tenant}/customers/${made['id']}`)
      for (const query of [`512.555.${local}`, `+1 (512) 555-${local}`, `555${local}`]) {
        const { rows } = await result(client, 'customers_search', { query })
        assert.deepEqual(
          rows.map(({ id }: { id: string }) => id),
          [made['id']],
          query,
        )
      }
      await client.close()
    })

    it('gets the right error for each refused call', async () => {
      const client = await open(name, company.owner.key)
      assert.equal(
        await textOf(client, 'customers_get', { id: '00000000-0000-7000-8000-000000000000' }),
        'not_found: customer not found; find its id with customers_search',
      )
      assert.match(
        await textOf(client, 'customers_get', { customer_id: 'x' }),
        /^invalid_input: .*unknown field 'customer_id' \(did you mean 'id'\?\)/,
      )
      await result(client, 'tags_create', { name })
      assert.equal(
        await textOf(client, 'tags_create', { name }),
        "conflict: name is another tag's; find that one with tags_list, or choose another",
      )
      await assert.rejects(client.callTool({ name: 'customers.get', arguments: {} }), /did you mean customers_get\?/)
      await client.close()
      const reader = await open(name, (await company.tenantKey(['read:customers'])).key)
      assert.equal(
        await textOf(reader, 'customers_archive', { id: company.tenant }),
        'insufficient_scope: customers.archive needs write:customers',
      )
      await reader.close()
      const service = await open(name, (await company.tenantKey()).key)
      assert.match(
        await textOf(service, 'tags_create', { name: 'x' }),
        /^invalid_input: tags\.create needs a user, which a tenant key lacks/,
      )
      await service.close()
    })

    it('lists resources, reads one with the result of its get tool, and gets an error for an unknown one', async () => {
      const client = await open(name, company.owner.key)
      const made = await result(client, 'customers_create', {
        customer_type: 'individual',
        first_name: 'Rita',
        last_name: name,
      })
      const { resources } = await client.listResources()
      const uri = `svc://customer/${made['id']}`
      assert.deepEqual([resources[0]!.uri, resources[0]!.name], [uri, `«Rita ${name}»`])
      assert.deepEqual(
        (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        [
          'svc://customer/{id}',
          'svc://job/{id}',
          'svc://invoice/{id}',
          'svc://quote/{id}',
          'callout://day/{date}',
          'callout://plan/{date}',
          'callout://plan/{date}/without/{user_id}',
          'callout://availability/{date}',
          'callout://availability/{date}/{location_id}',
          'callout://messages/{customer_id}',
          'callout://reports/{month}',
          'callout://history/{kind}/{id}',
          'callout://plans/{id}',
        ],
      )
      const [contents] = (await client.readResource({ uri })).contents
      assert.equal(contents!.text, await textOf(client, 'customers_get', { id: made['id'] }))
      await assert.rejects(client.readResource({ uri: `svc://customer/${company.tenant}` }), /Resource not found/)
      await client.close()
    })

    it("lists prompts, completes an argument and gets a prompt with the account's data", async () => {
      const client = await open(name, company.owner.key)
      const made = await result(client, 'customers_create', {
        customer_type: 'individual',
        first_name: 'Paula',
        last_name: name,
      })
      assert.deepEqual(
        (await client.listPrompts()).prompts.map((prompt) => prompt.name),
        [
          'customer-job-draft',
          'draft-invoice',
          'plan-my-day',
          'morning-brief',
          'chase-overdue-invoices',
          'answer-customer',
          'quote-from-notes',
          'plan-next-week',
          'fit-this-in',
          'bill-finished-work',
        ],
      )
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'customer-job-draft' },
        argument: { name: 'customer_id', value: `paula ${name}` },
      })
      assert.deepEqual(completion, { values: [made['id']], total: 1, hasMore: false })
      const byTemplate = await client.complete({
        ref: { type: 'ref/resource', uri: 'svc://customer/{id}' },
        argument: { name: 'id', value: `paula ${name}` },
      })
      assert.deepEqual(byTemplate.completion.values, [made['id']])
      const { messages } = await client.getPrompt({
        name: 'customer-job-draft',
        arguments: { customer_id: completion.values[0]!, notes: 'Fix the gate' },
      })
      assert.equal(messages.length, 1)
      for (const part of [`Paula ${name}`, 'Fix the gate', 'jobs_create'])
        assert.ok(messages[0]!.content.text!.includes(part))
      await assert.rejects(client.getPrompt({ name: 'customer-job-draft', arguments: {} }), /customer_id is required/)
      await assert.rejects(client.getPrompt({ name: 'customer-jobs-draft' }), /did you mean customer-job-draft\?/)
      const reader = await open(name, (await company.tenantKey(['read:jobs'])).key)
      assert.deepEqual(
        (await reader.listPrompts()).prompts.map((prompt) => prompt.name),
        ['plan-my-day', 'morning-brief'],
      )
      await assert.rejects(
        reader.getPrompt({ name: 'draft-invoice', arguments: { customer_id: made['id'] } }),
        /insufficient_scope: draft-invoice needs read:customers/,
      )
      await Promise.all([client.close(), reader.close()])
    })

    it("gets the server's capabilities and instructions", async () => {
      const client = await open(name, company.owner.key)
      const { extensions, ...capabilities }: { extensions?: object } = client.getServerCapabilities()!
      assert.deepEqual(capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} })
      assert.deepEqual(extensions, name === 'client 2.x, auto' ? { 'io.modelcontextprotocol/tasks': {} } : undefined)
      const brief = client.getInstructions()!
      for (const rule of [
        /say in one sentence what you did, then share the record's url/,
        /Ask before you archive, delete, cancel, void or end anything/,
        /Never invent facts/,
        /Resolve names to ids first/,
      ])
        assert.match(brief, rule)
      await client.close()
    })

    it('gets 401 with an invalid key', async () => {
      await assert.rejects(
        open(name, 'svc_uk_unknown').then((client) => client.listTools()),
        /401|unauthorized|invalid_token|unknown or was revoked/i,
      )
    })
  })
}

describe('client 2.x, paging', () => {
  it('goes through a thousand customers, each once', async () => {
    for (let i = 0; i < 1000; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, j) =>
          company.call('customers_create', { customer_type: 'individual', last_name: `Thousand ${i + j}` }),
        ),
      )
    }
    const client = await connect(service.url, company.owner.key, 'auto')
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page: Result = await result(client, 'customers_search', {
        query: 'thousand',
        limit: 100,
        ...(cursor && { cursor }),
      })
      for (const { id } of page['rows']) {
        assert.ok(!seen.has(id))
        seen.add(id)
      }
      cursor = page['nextCursor']
      assert.equal(page['hasMore'], cursor !== null)
    } while (cursor)
    assert.equal(seen.size, 1000)
    await client.close()
  })
})
