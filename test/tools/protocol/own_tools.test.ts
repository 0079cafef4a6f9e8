import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeMember } from '../../../src/identity/people/people.ts'
import { SCOPES, type Scope } from '../../../src/identity/permissions/scopes.ts'
import { entities } from '../../../src/records/index.ts'
import { toolCatalogOf } from '../../../src/tools/declare/catalog.ts'
import { onlyAreas } from '../../harness/identity/ceilings.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const LISTED = [...toolCatalogOf(entities).tools.values()]
const names = async (by: { key: string }, query = '?mine=1', headers = {}): Promise<string[]> => {
  const answers = await Promise.all(
    Object.values(newProtocolClient(service.url + query, by.key, headers).eras).map(async (ask) =>
      (await ask('tools/list')).result!['tools'].map(({ name }: { name: string }) => name),
    ),
  )
  assert.deepEqual(answers[0], answers[1])
  return answers[0] as string[]
}
const withScopes = (scopes: readonly string[], isPerson: boolean) =>
  LISTED.filter(({ scope, tool }) => scopes.includes(scope) && (isPerson || !tool.person)).map(({ wire }) => wire)

describe('a client that requests only its own tools (?mine=1)', () => {
  it('gets the full, unchanged list if it has every scope', async () => {
    const ask = (query: string) => newProtocolClient(service.url + query, company.owner.key)
    for (const era of ['handshake', 'stateless'] as const)
      assert.deepEqual((await ask('?mine=1')[era]('tools/list')).result, (await ask('')[era]('tools/list')).result)
  })

  it("gets only tools within its scopes, and tools for people only if it is a person's", async () => {
    for (const scopes of [
      ['read:jobs'],
      ['write:jobs', 'read:catalog_items'],
      ['read:settings'],
      SCOPES.slice(3, 19),
    ]) {
      assert.deepEqual(await names(await company.member('owner', { scopes })), withScopes(scopes, true))
      assert.deepEqual(await names(await company.tenantKey(scopes)), withScopes(scopes, false))
    }
    const all = await names(await company.tenantKey())
    assert.ok(all.includes('customers_create') && !all.includes('jobs_create') && all.includes('jobs_list'))
    assert.deepEqual(await names(await company.tenantKey(['read:settings'])), [])
  })

  it('can use the parameter or the header; 0 switches it off and other values are refused', async () => {
    const by = await company.tenantKey(['read:plans'])
    assert.deepEqual(await names(by, '', { 'X-MCP-Mine': 'true' }), ['plans_list', 'plans_get'])
    assert.deepEqual(
      await names(by, '?mine=0'),
      LISTED.map(({ wire }) => wire),
    )
    const { status, error } = await newProtocolClient(`${service.url}?mine=me`, by.key).handshake('tools/list')
    assert.equal(status, 400)
    assert.match(error!.message, /mine must be 1 or 0 \(got 'me'\)/)
  })

  it('can combine it with the other filters', async () => {
    const by = await company.member('owner', { scopes: ['read:jobs', 'write:jobs', 'write:tax_rates', 'read:plans'] })
    assert.deepEqual(await names(by, '?mine=1&readonly=1'), ['jobs_list', 'jobs_get', 'plans_list', 'plans_get'])
    assert.deepEqual(await names(by, '?mine=1&toolsets=plans,tax_rates'), [
      'plans_list',
      'plans_get',
      'tax_rates_create',
      'tax_rates_update',
      'tax_rates_archive',
    ])
    assert.deepEqual(await names(by, '?mine=1&toolsets=invoices'), [])
    const ask = (query: string) => newProtocolClient(service.url + query, company.owner.key).handshake('tools/list')
    assert.deepEqual((await ask('?mine=1&strict=1')).result, (await ask('?strict=1')).result)
  })

  it('gets the tools of its current rights', async () => {
    const office = await company.member('office', { ceiling: onlyAreas({ Plans: 'view' }) })
    assert.deepEqual(await names(office), ['plans_list', 'plans_get'])
    await changeMember(service.database, { tenant: company.tenant }, office.id, {
      areas: onlyAreas({ 'Tax rates': 'view' }),
    })
    assert.deepEqual(await names(office), ['tax_rates_list', 'tax_rates_get'])
  })

  it('is refused with insufficient_scope, not unknown tool, when it calls a tool outside its scopes', async () => {
    const scopes: Scope[] = ['read:plans']
    const { key } = await company.tenantKey(scopes)
    const { result } = await newProtocolClient(`${service.url}?mine=1`, key).handshake('tools/call', {
      name: 'jobs_list',
    })
    assert.equal(result!['content'][0].text, 'insufficient_scope: jobs.list needs read:jobs')
  })

  it('is refused for a cursor, and with 401 for an unknown key', async () => {
    const { error } = await newProtocolClient(`${service.url}?mine=1`, company.owner.key).handshake('tools/list', {
      cursor: 'x',
    })
    assert.equal(error!.message, 'Invalid params: unknown cursor; tools/list is a single page')
    const { status } = await newProtocolClient(`${service.url}?mine=1`, 'svc_tk_none').handshake('tools/list')
    assert.equal(status, 401)
  })
})
