import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { entities } from '../src/entities/index.ts'
import { makeCompany, startTestService } from './harness.ts'
import type { Company, Result, TestService } from './harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const self = { name: 'clients-test', version: '1.0.0' }
const authorized = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

type AnyClient = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const CLIENTS: Record<string, (key: string) => Promise<AnyClient>> = {
  'client 2.x, auto': (key) => connect(key, 'auto'),
  'client 2.x, legacy': (key) => connect(key, 'legacy'),
  'sdk 1.x': async (key) => {
    const client = new FirstClient(self)
    await client.connect(new FirstTransport(new URL(service.url), authorized(key)))
    return client
  },
}

async function connect(key: string, mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new Client(self, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url), authorized(key)))
  return client as unknown as AnyClient
}

type Answer = { content: { text: string }[]; isError?: boolean }
const text = async (client: AnyClient, name: string, given: Record<string, unknown>): Promise<string> =>
  ((await client.callTool({ name, arguments: given })) as Answer).content[0]!.text
const result = async (client: AnyClient, name: string, given: Record<string, unknown>): Promise<Result> =>
  JSON.parse(await text(client, name, given)) as Result

for (const [name, open] of Object.entries(CLIENTS)) {
  describe(name, () => {
    it('lists the tools, makes a customer with contacts and locations, and finds it by a phone typed three ways', async () => {
      const client = await open(company.owner.key)
      const { tools } = await client.listTools()
      assert.equal(tools.length, entities.length * 5)
      const local = 1000 + Object.keys(CLIENTS).indexOf(name)
      const made = await result(client, 'customers_create', {
        customer_type: 'company', company_name: `Harbor ${name}`,
        contacts: [{ first_name: 'Ana', phone: `(512) 555-${local}` }, { first_name: 'Ben', email: `ben${local}@example.com` }],
        locations: [{ address_line1: '1 Pier Rd', city: 'Austin', region: 'TX' }],
      })
      assert.equal(made['url'], `http://callout.test/${company.tenant}/customers/${made['id']}`)
      for (const query of [`512.555.${local}`, `+1 (512) 555-${local}`, `555${local}`]) {
        const { rows } = await result(client, 'customers_search', { query })
        assert.deepEqual(rows.map(({ id }: { id: string }) => id), [made['id']], query)
      }
      await client.close()
    })

    it('gets each refusal right', async () => {
      const client = await open(company.owner.key)
      assert.equal(await text(client, 'customers_get', { id: '00000000-0000-7000-8000-000000000000' }), 'not_found: customer not found')
      assert.match(await text(client, 'customers_get', { customer_id: 'x' }), /^invalid_input: .*unknown field 'customer_id' \(did you mean 'id'\?\)/)
      await result(client, 'tags_create', { name })
      assert.equal(await text(client, 'tags_create', { name }), 'conflict: another tag has this name')
      await assert.rejects(client.callTool({ name: 'customers.get', arguments: {} }), /did you mean customers_get\?/)
      await client.close()
      const reader = await open((await company.tenantKey(['read:customers'])).key)
      assert.equal(await text(reader, 'customers_archive', { id: company.tenant }), 'insufficient_scope: customers.archive needs write:customers')
      await reader.close()
      const service = await open((await company.tenantKey()).key)
      assert.match(await text(service, 'tags_create', { name: 'x' }), /^invalid_input: tags\.create needs a user; a tenant key has none/)
      await service.close()
    })

    it('is told 401 without a key that admits', async () => {
      await assert.rejects(open('svc_uk_unknown').then((client) => client.listTools()), /401|unauthorized|invalid_token|unknown or was revoked/i)
    })
  })
}

describe('client 2.x, paging', () => {
  it('goes through a thousand customers, each once', async () => {
    for (let i = 0; i < 1000; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, j) => company.call('customers_create', { customer_type: 'individual', last_name: `Thousand ${i + j}` })))
    }
    const client = await connect(company.owner.key, 'auto')
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page: Result = await result(client, 'customers_search', { query: 'thousand', limit: 100, ...(cursor && { cursor }) })
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

describe('inspector', () => {
  const inspector = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))
  const inspect = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = ['--cli', '--transport', 'http', '--server-url', service.url, '--header', `Authorization: Bearer ${company.owner.key}`]
      execFile(process.execPath, [inspector, ...options, ...args], (error, stdout, stderr) => (error ? reject(new Error(stdout + stderr)) : resolve(stdout)))
    })

  it('finds no fault with any schema (--strict)', async () => {
    const { tools } = JSON.parse(await inspect('--method', 'tools/list', '--strict')) as { tools: unknown[] }
    assert.equal(tools.length, entities.length * 5)
  })

  it('calls a tool', async () => {
    const answer = JSON.parse(await inspect('--method', 'tools/call', '--tool-name', 'customers_search', '--tool-arg', 'limit=1')) as Answer
    assert.equal((JSON.parse(answer.content[0]!.text) as Result)['rows'].length, 1)
  })
})
