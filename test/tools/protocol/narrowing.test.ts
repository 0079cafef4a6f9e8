import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../../src/records/index.ts'
import { toolCatalogOf } from '../../../src/tools/declare/catalog.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

type Named = { name: string; uri?: string }[]
type Answer = {
  result?: {
    tools?: Named
    resources?: Named
    resourceTemplates?: Named
    prompts?: Named
    messages?: { content: { text: string } }[]
    isError?: boolean
  }
  error?: { code: number; message: string; data?: object }
}

async function ask(
  method: string,
  params: object,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${service.url}${query}`, {
    method: 'POST',
    headers: { ...toolHeaders(company.owner.key), ...headers },
    body: rpc(method, params),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}
const listToolNames = async (how: Parameters<typeof ask>[2]): Promise<string[]> =>
  (await ask('tools/list', {}, how)).body.result!.tools!.map(({ name }) => name)

const ALL = [...toolCatalogOf(entities).tools.keys()]
const JOBS = ['jobs_list', 'jobs_get', 'jobs_create', 'jobs_update', 'jobs_cancel']
const TAGS = ['tags_list', 'tags_get', 'tags_create', 'tags_update', 'tags_delete']

describe('a client that narrows the tool list', () => {
  it('gets the toolsets it names, in catalog order', async () => {
    assert.deepEqual(await listToolNames({ query: '?toolsets=jobs,tags' }), [...TAGS, ...JOBS])
    assert.deepEqual(await listToolNames({ headers: { 'X-MCP-Toolsets': ' Jobs , tags,' } }), [...TAGS, ...JOBS])
    assert.deepEqual(await listToolNames({ query: '?toolsets=jobs' }), JOBS)
  })

  it('gets only read tools with readonly', async () => {
    for (const how of [{ query: '?readonly=1' }, { headers: { 'X-MCP-Readonly': 'true' } }]) {
      const names = await listToolNames(how)
      assert.equal(names.length, 26)
      assert.deepEqual(
        names.filter((name) => !/_(list|search|get)$/.test(name)),
        [],
      )
    }
  })

  it('gets the intersection when it combines query and headers', async () => {
    assert.deepEqual(
      await listToolNames({
        query: '?toolsets=jobs,tags',
        headers: { 'X-MCP-Toolsets': 'jobs,plans', 'X-MCP-Readonly': '1' },
      }),
      ['jobs_list', 'jobs_get'],
    )
    assert.deepEqual(await listToolNames({ query: '?toolsets=jobs', headers: { 'X-MCP-Toolsets': 'tags' } }), [])
  })

  it('gets every tool with empty or false values, and without any', async () => {
    for (const how of [
      { query: '?toolsets=&readonly=0' },
      { headers: { 'X-MCP-Toolsets': '', 'X-MCP-Readonly': 'false' } },
      {},
    ])
      assert.deepEqual(await listToolNames(how), ALL)
  })

  it('can call the remaining tools only', async () => {
    const call = (name: string) => ask('tools/call', { name, arguments: {} }, { query: '?toolsets=jobs&readonly=1' })
    assert.equal((await call('jobs_list')).body.result!.isError, false)
    for (const name of ['tags_list', 'jobs_create', 'jobs_cancel']) {
      const { status, body } = await call(name)
      assert.equal(status, 200)
      assert.equal(body.error!.code, -32602)
      assert.match(body.error!.message, new RegExp(`unknown tool "${name}"`))
    }
  })

  it('gets the resources of its toolsets, read-only or not', async () => {
    const { id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    const templates = async (query: string): Promise<string[]> =>
      (await ask('resources/templates/list', {}, { query })).body.result!.resourceTemplates!.map(({ name }) => name)
    const countResources = async (query: string): Promise<number> =>
      (await ask('resources/list', {}, { query })).body.result!.resources!.filter(({ uri }) => uri!.startsWith('svc:'))
        .length
    const read = (query: string) => ask('resources/read', { uri: `svc://customer/${id}` }, { query })
    assert.deepEqual(await templates('?toolsets=jobs,customers,tags&readonly=1'), [
      'customer',
      'job',
      'day',
      'plan',
      'plan_without',
      'availability_from',
      'customer_messages',
      'history',
      'plan_of_connection',
    ])
    assert.deepEqual(
      [
        await countResources('?toolsets=customers'),
        await countResources('?readonly=1'),
        await countResources('?toolsets=jobs'),
      ],
      [1, 1, 0],
    )
    assert.equal((await read('?toolsets=customers&readonly=1')).body.error, undefined)
    assert.deepEqual((await read('?toolsets=jobs')).body.error, {
      code: -32002,
      message: 'Resource not found',
      data: { uri: `svc://customer/${id}` },
    })
    assert.match(
      (
        await ask(
          'completion/complete',
          { ref: { type: 'ref/resource', uri: 'svc://customer/{id}' }, argument: { name: 'id', value: '' } },
          { query: '?toolsets=jobs' },
        )
      ).body.error!.message,
      /unknown resource template "svc:\/\/customer\/\{id\}"/,
    )
  })

  it('gets only prompts whose tools all remain', async () => {
    const prompts = async (query: string): Promise<string[]> =>
      (await ask('prompts/list', {}, { query })).body.result!.prompts!.map(({ name }) => name)
    assert.deepEqual(await prompts(''), [
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
    ])
    assert.deepEqual(await prompts('?readonly=1'), [
      'plan-my-day',
      'morning-brief',
      'chase-overdue-invoices',
      'answer-customer',
    ])
    assert.deepEqual(await prompts('?toolsets=customers,invoices'), [
      'draft-invoice',
      'chase-overdue-invoices',
      'answer-customer',
    ])
    assert.deepEqual(await prompts('?toolsets=customers,jobs'), [
      'customer-job-draft',
      'plan-my-day',
      'morning-brief',
      'answer-customer',
      'plan-next-week',
    ])
    assert.deepEqual(await prompts('?toolsets=notes'), [])
    const { id: customer_id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Bea',
    })
    const got = (
      await ask(
        'prompts/get',
        { name: 'draft-invoice', arguments: { customer_id } },
        { query: '?toolsets=customers,invoices' },
      )
    ).body
    assert.match(
      got.result!.messages![0]!.content.text,
      /"name": "Bea"[^]*"open_jobs": "not shown: this caller can't use jobs_list"/,
    )
    const { error } = (await ask('prompts/get', { name: 'draft-invoice' }, { query: '?toolsets=customers,jobs' })).body
    assert.deepEqual(
      [error!.code, error!.message],
      [-32602, 'Invalid params: unknown prompt "draft-invoice"; see prompts/list'],
    )
  })

  it('is refused with an error for an unknown toolset or an invalid flag', async () => {
    const odd = await ask('tools/list', {}, { query: '?toolsets=jobs,job' })
    assert.equal(odd.status, 400)
    assert.equal(odd.body.error!.code, -32600)
    assert.match(odd.body.error!.message, /unknown toolset 'job'; valid names: customers, contacts,/)
    for (const value of ['yes', 'constructor']) {
      assert.match(
        (await ask('tools/list', {}, { headers: { 'X-MCP-Readonly': value } })).body.error!.message,
        new RegExp(`readonly must be 1 or 0 \\(got '${value}'\\)`),
      )
    }
  })
})
