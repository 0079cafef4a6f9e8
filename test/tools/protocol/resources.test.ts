import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { Ceiling } from '../../../src/identity/permissions/areas.ts'
import { findCaller, type Caller } from '../../../src/identity/credentials/caller.ts'
import { hashOf } from '../../../src/identity/credentials/secret_hash.ts'
import { changeMember } from '../../../src/identity/people/people.ts'
import { toolServer } from '../../../src/mcp/tool_server.ts'
import type { Database } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { onlyAreas } from '../../harness/identity/ceilings.ts'
import { makeRecords, type Records } from '../../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'
import { newProtocolClient, type RpcResponse } from '../../harness/clients/protocol.ts'

let service: TestService
let company: Company
let of: Records
let foreign: Records
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  of = await makeRecords(company, 'Alpha')
  foreign = await makeRecords(await makeCompany(service), 'Zebra')
})
after(() => service.stop())

type Resource = { uri: string; name: string; description: string }

const KINDS = ['customer', 'job', 'invoice', 'quote'] as const
const asking = (by: { key: string } = company.owner) => newProtocolClient(service.url, by.key)
const listResources = async (by?: { key: string }): Promise<Resource[]> =>
  ((await asking(by).handshake('resources/list')).result!['resources'] as Resource[]).filter(({ uri }) =>
    uri.startsWith('svc:'),
  )
const kindOf = ({ uri }: Resource): string => /^svc:\/\/(\w+)\//.exec(uri)![1]!
const withScopes = (...scopes: string[]) => company.member('owner', { scopes })

describe('resources/templates/list', () => {
  it('lists the four record templates, whatever the caller can read', async () => {
    for (const by of [company.owner, await withScopes('read:notes')]) {
      for (const ask of Object.values(asking(by).eras)) {
        const { result } = await ask('resources/templates/list')
        assert.deepEqual(
          result!['resourceTemplates']
            .map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)
            .filter((uri: string) => uri.startsWith('svc:')),
          KINDS.map((kind) => `svc://${kind}/{id}`),
        )
        for (const template of result!['resourceTemplates']) {
          assert.equal(
            template.mimeType,
            template.uriTemplate.startsWith('svc:') ? 'application/json' : 'text/markdown',
          )
          assert.ok(template.name && template.title && template.description)
        }
      }
    }
  })

  it('uses the configured service name as URI scheme', async () => {
    const named = await startTestService({ SERVICE_NAME: 'acme' })
    try {
      const other = await makeCompany(named)
      const { id } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
      const ask = newProtocolClient(named.url, other.owner.key).handshake
      assert.equal((await ask('resources/list')).result!['resources'][0].uri, `acme://customer/${id}`)
      assert.equal((await ask('resources/read', { uri: `acme://customer/${id}` })).result!['contents'].length, 1)
      assert.equal((await ask('resources/read', { uri: `svc://customer/${id}` })).error!.code, -32002)
    } finally {
      await named.stop()
    }
  })
})

describe('resources/list', () => {
  it('describes records of each kind, each within 85 tokens, and none of another company', async () => {
    const resources = await listResources()
    assert.deepEqual([...new Set(resources.map(kindOf))], KINDS)
    const text = JSON.stringify(resources)
    assert.ok(!text.includes('Zebra'))
    for (const kind of KINDS) assert.ok(!text.includes(foreign[kind]))
    const resourceOf = (kind: 'customer' | 'job' | 'invoice' | 'quote') =>
      resources.find(({ uri }) => uri === `svc://${kind}/${of[kind]}`)!
    assert.deepEqual(
      [resourceOf('customer').name, resourceOf('customer').description],
      ['«Alpha Customer»', 'individual, active, +15125550143, «Alpha Street, US»'],
    )
    assert.match(
      `${resourceOf('job').name}; ${resourceOf('job').description}`,
      /^J-\d+: «Alpha job»; scheduled, \d{4}-\d\d-\d\d 09:00, for «Alpha Customer»$/,
    )
    assert.match(
      `${resourceOf('invoice').name}; ${resourceOf('invoice').description}`,
      /^INV-\d+: «Alpha invoice»; draft, for «Alpha Customer», due \d{4}-\d\d-\d\d$/,
    )
    assert.match(
      `${resourceOf('quote').name}; ${resourceOf('quote').description}`,
      /^Q-\d+: «Alpha quote»; draft, for «Alpha Customer», valid until \d{4}-\d\d-\d\d$/,
    )
    for (const row of resources) assert.ok(encode(JSON.stringify(row)).length <= 85, JSON.stringify(row))
  })

  it("lists records first, then the overviews, all within the caller's scopes", async () => {
    const schemes = async (by: { key: string }) =>
      ((await asking(by).handshake('resources/list')).result!['resources'] as Resource[]).map(({ uri }) =>
        uri.startsWith('svc:') ? 'record' : 'other',
      )
    const all = await schemes(company.owner)
    assert.deepEqual(all, all.toSorted().toReversed())
    assert.equal(all.at(-1), 'other')
    assert.deepEqual(await schemes(await withScopes('write:jobs')), [])
  })

  it('orders each kind by last change, newest first', async () => {
    await company.call('jobs_update', { id: of.job, description: 'Looked at again' })
    const resources = await listResources()
    assert.equal(resources.filter((one) => kindOf(one) === 'job')[0]!.uri, `svc://job/${of.job}`)
    for (const kind of KINDS) {
      const records = resources.filter((one) => kindOf(one) === kind).map(({ uri }) => uri.split('/').at(-1)!)
      const changes = await Promise.all(
        records.map(async (id) => (await company.call(`${kind}s_get`, { id }))['updated_at']),
      )
      assert.deepEqual(changes, changes.toSorted().toReversed())
    }
  })

  it("omits kinds outside the caller's scopes", async () => {
    for (const kind of KINDS) {
      assert.deepEqual(
        [...new Set((await listResources(await withScopes(`read:${kind}s`, `write:${KINDS[0]}s`))).map(kindOf))],
        [kind],
      )
    }
    assert.deepEqual(await listResources(await withScopes('read:notes', 'write:jobs')), [])
    assert.deepEqual(
      [...new Set((await listResources(await company.tenantKey(['read:estimates']))).map(kindOf))],
      ['quote'],
    )
  })

  it('omits archived and void records, and lists at most 25 of a kind', async () => {
    const many = await makeCompany(service)
    const make = (last_name: string) => many.call('customers_create', { customer_type: 'individual', last_name })
    const [gone, first] = [await make('Gone'), await make('First')]
    const makeRecord = async (tool: string, given: object) =>
      (await many.call(tool, { customer_id: first['id'], ...given }))['id'] as string
    await many.call('invoices_void', {
      id: await makeRecord('invoices_create', { line_items: [{ name: 'x', unit_price_cents: 1 }] }),
    })
    await many.call('quotes_archive', {
      id: await makeRecord('quotes_create', { title: 'x', line_items: [{ name: 'x', unit_price_cents: 1 }] }),
    })
    await many.call('customers_archive', { id: gone['id'] })
    assert.deepEqual(
      (await listResources(many.owner)).map(({ name }) => name),
      ['«First»'],
    )
    for (let i = 0; i < 26; i++) await make(`Later ${i}`)
    const names = (await listResources(many.owner)).map(({ name }) => name)
    assert.deepEqual(
      names,
      Array.from({ length: 25 }, (_, i) => `«Later ${25 - i}»`),
    )
  })

  it('returns private, zero-TTL cache hints to 2026-07-28 clients only', async () => {
    const { result } = await asking().stateless('resources/list')
    assert.deepEqual([result!['ttlMs'], result!['cacheScope'], result!['resultType']], [0, 'private', 'complete'])
    assert.deepEqual(Object.keys((await asking().handshake('resources/list')).result!), ['resources'])
  })

  it('needs one database round trip', async () => {
    let trips = 0
    const send = service.database.send
    const database: Database = {
      ...service.database,
      send: (statements) => {
        trips++
        return send(statements)
      },
    }
    const failIfCalled = (): never => {
      throw new Error('not asked')
    }
    const place = { database, confirm: async () => failIfCalled(), baseUrl: 'http://x.test', report: failIfCalled }
    const caller = (await findCaller(service.database, hashOf(company.owner.key))) as Caller
    const reply = await toolServer(place, 'svc').resources.list(caller)
    assert.ok('result' in reply && (reply.result['resources'] as unknown[]).length > 4)
    assert.equal(trips, 1)
  })
})

describe('resources/read', () => {
  it('returns the same content as the get tool, including the url', async () => {
    for (const kind of KINDS) {
      const { text, meta: _meta } = await company.owner.send(`${kind}s_get`, { id: of[kind] })
      const uri = `svc://${kind}/${of[kind]}`
      for (const ask of Object.values(asking().eras)) {
        assert.deepEqual((await ask('resources/read', { uri })).result!['contents'], [
          { uri, mimeType: 'application/json', text, ...(_meta && { _meta }) },
        ])
      }
      assert.equal(
        (JSON.parse(text) as { url: string }).url,
        `http://callout.test/${company.tenant}/${kind}s/${of[kind]}`,
      )
    }
    const { result } = await asking().stateless('resources/read', { uri: `svc://job/${of.job}` })
    assert.deepEqual([result!['ttlMs'], result!['cacheScope'], result!['resultType']], [0, 'private', 'complete'])
  })

  it('hides the fields that the get tool hides from the caller', async () => {
    const tech = await company.member('tech', { scopes: ['read:jobs', 'read:customers'] })
    const { text } = await tech.send('jobs_get', { id: of.job })
    const { result } = await asking(tech).handshake('resources/read', { uri: `svc://job/${of.job}` })
    assert.equal(result!['contents'][0].text, text)
    assert.deepEqual((JSON.parse(text) as { redacted_fields: string[] }).redacted_fields, ['invoice_ids'])
  })

  it('accepts an id in uppercase', async () => {
    const uri = `svc://customer/${of.customer.toUpperCase()}`
    const [contents] = (await asking().handshake('resources/read', { uri })).result!['contents'] as [
      { uri: string; text: string },
    ]
    assert.deepEqual([contents.uri, (JSON.parse(contents.text) as { id: string }).id], [uri, of.customer])
  })

  it("returns the same error for a missing, malformed, archived, unreadable or other company's record", async () => {
    const { id: archived } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    await company.call('customers_archive', { id: archived })
    const jobsOnly = await withScopes('read:jobs')
    const cases: [string, { key: string }][] = [
      ['not a URI', company.owner],
      ['', company.owner],
      ['https://callout.test', company.owner],
      ['svc://customer', company.owner],
      [`svc://customers/${of.customer}`, company.owner],
      [`svc://plan/${of.plan}`, company.owner],
      [`svc://contact/${of.contact}`, company.owner],
      ['svc://job/J-1001', company.owner],
      [`svc://job/${of.job}/`, company.owner],
      [`svc://job/${of.job}?x=1`, company.owner],
      [`SVC://job/${of.job}`, company.owner],
      [`svc://job/%20${of.job}`, company.owner],
      [`svc://job/ ${of.job}`, company.owner],
      [`svc://job/${newId()}`, company.owner],
      [`svc://job/${of.customer}`, company.owner],
      [`svc://job/${foreign.job}`, company.owner],
      [`svc://customer/${archived}`, company.owner],
      [`svc://customer/${of.customer}`, jobsOnly],
      [`svc://invoice/${of.invoice}`, jobsOnly],
    ]
    const refusalOf = (era: string, uri: string): RpcResponse => ({
      status: 200,
      error: { code: era === '2025-11-25' ? -32002 : -32602, message: 'Resource not found', data: { uri } },
    })
    for (const [uri, by] of cases) {
      for (const [era, ask] of Object.entries(asking(by).eras)) {
        const { status, error } = await ask('resources/read', { uri })
        assert.deepEqual({ status, error }, refusalOf(era, uri), `${era} ${uri}`)
      }
    }
  })
})

describe('a change of scopes', () => {
  it('applies immediately to the resource list and to resource reads', async () => {
    const uri = `svc://quote/${of.quote}`
    const office = await company.member('office', { ceiling: onlyAreas({ Quotes: 'view' }) })
    const setCeiling = (areas: Ceiling) =>
      changeMember(service.database, { tenant: company.tenant }, office.id, { areas })
    assert.deepEqual([...new Set((await listResources(office)).map(kindOf))], ['quote'])
    assert.ok((await asking(office).handshake('resources/read', { uri })).result)
    await setCeiling(onlyAreas({ 'Jobs & scheduling': 'view' }))
    assert.deepEqual([...new Set((await listResources(office)).map(kindOf))], ['job'])
    assert.equal((await asking(office).handshake('resources/read', { uri })).error!.code, -32002)
    await setCeiling(onlyAreas({ Quotes: 'view' }))
    assert.ok((await asking(office).handshake('resources/read', { uri })).result)
  })
})
