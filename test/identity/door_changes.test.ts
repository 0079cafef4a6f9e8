import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import type { Ceiling, Role } from '../../src/identity/permissions/areas.ts'
import { createKey, revokeKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { startService, type Service } from '../../src/start/service.ts'
import { NOTHING, only } from '../harness/identity/ceilings.ts'
import {
  callerOf,
  makeCompany,
  startTestService,
  type Company,
  type Result,
  type TestService,
} from '../harness/harness.ts'
import { openSocket, rpc, toolHeaders } from '../harness/http.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { restlessRights } from '../harness/identity/restless_rights.ts'
import { remembering } from '../harness/processes/workers.ts'
import { PASSWORD, foundCompany, startSite, visitor } from '../harness/visiting.ts'

let service: TestService
let second: Service
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
  witness = await openWitness(service)
  company = await makeCompany(service)
})
after(async () => {
  await witness.close()
  await second.stop(0)
  await service.stop()
})

const elsewhere = (key: string) => callerOf(`http://127.0.0.1:${second.port}/api/mcp`, key)
const setMember = (
  user: string,
  changes: { ceiling?: Ceiling; role?: Role; deactivated?: boolean },
): Promise<unknown> =>
  witness.rows(
    `
  update members set ceiling = coalesce($2, ceiling), role = coalesce($3, role), deactivated_at = case when $4 then $5::timestamptz when not $4 then null else deactivated_at end
  where user_id = $1`,
    user,
    changes.ceiling ?? null,
    changes.role ?? null,
    changes.deactivated ?? null,
    new Date(),
  )

async function statusOf(key: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(service.url, { method: 'POST', headers: { ...toolHeaders(key), ...headers }, body })
  await response.text()
  return response.status
}

const call = (name: string, given: object) => rpc('tools/call', { name, arguments: given })
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** Lists one request of every kind that is answered for a live credential only. */
const kinds: [kind: string, body: string, headers?: Record<string, string>][] = [
  ['a read', call('tags_list', {})],
  ['a write', call('customers_create', { customer_type: 'individual', first_name: 'Ana' })],
  ['a call that is refused for its arguments', call('tags_list', { page: 0 })],
  ['a call that finds nothing', call('tags_get', { id: '00000000-0000-7000-8000-000000000000' })],
  ['a call of no tool', call('tags.list', {})],
  ['tools/list', rpc('tools/list')],
  [
    'tools/list of 2026-07-28',
    rpc('tools/list', { _meta: stateless }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  ],
  [
    'server/discover',
    rpc('server/discover', { _meta: stateless }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
  ],
  [
    'initialize',
    rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
  ],
  ['ping', rpc('ping')],
]

describe('a revoked key is refused on the very next request', () => {
  for (const [kind, body, headers = {}] of kinds) {
    it(kind, async () => {
      const made = await createKey(
        service.database,
        { tenant: company.tenant },
        { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
      )
      for (let i = 0; i < 3; i++) assert.equal(await statusOf(made.key, body, headers), 200)
      await revokeKey(service.database, { tenant: company.tenant }, made.id)
      assert.equal(await statusOf(made.key, body, headers), 401)
    })
  }

  it('on a connection that is kept, and writes nothing more', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
    )
    const socket = await openSocket(service.origin)
    const headers = [
      'Host: callout.test',
      ...Object.entries(toolHeaders(made.key)).map(([name, value]) => `${name}: ${value}`),
    ]
    for (const [, body, more = {}] of kinds)
      assert.equal(
        (
          await socket.exchange(
            'POST /api/mcp',
            [...headers, ...Object.entries(more).map(([name, value]) => `${name}: ${value}`)],
            body,
          )
        ).status,
        200,
      )
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    const before = await witness.digest()
    for (const [kind, body, more = {}] of kinds) {
      const { status, headers: answered } = await socket.exchange(
        'POST /api/mcp',
        [...headers, ...Object.entries(more).map(([name, value]) => `${name}: ${value}`)],
        body,
      )
      assert.deepEqual([status, answered['www-authenticate']?.includes('error="invalid_token"')], [401, true], kind)
    }
    assert.deepEqual(await witness.digest(), before)
    socket.close()
  })

  it('by every process that knew it', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: null, name: 'test', scopes: SCOPES, expires_at: null },
    )
    await elsewhere(made.key).call('tags_list')
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    await assert.rejects(elsewhere(made.key).call('tags_list'), /HTTP 401/)
  })

  it('while its requests are under way: each is done whole or refused', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
    )
    const { send } = callerOf(service.url, made.key)
    const names = Array.from({ length: 40 }, (_, i) => `Underway ${i}`)
    const writes = names.map(async (first_name) => ({
      first_name,
      done: await send('customers_create', { customer_type: 'individual', first_name }).then(
        () => true,
        () => false,
      ),
    }))
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    const done = (await Promise.all(writes)).filter(({ done }) => done).map(({ first_name }) => first_name)
    const rows = await witness.rows(`select first_name from customers where first_name like 'Underway %'`)
    assert.deepEqual(
      rows.map(({ first_name }) => String(first_name)).sort((a, b) => (a < b ? -1 : 1)),
      done.sort((a, b) => (a < b ? -1 : 1)),
    )
  })
})

describe('a ceiling', () => {
  it('that is lowered narrows the very next call, one that is raised widens it', async () => {
    const member = await company.member('office', { ceiling: only({ 'Customers & contacts': 'edit' }) })
    const { id } = await member.call('tags_create', { name: 'ceiling' })
    await setMember(member.id, { ceiling: only({ 'Customers & contacts': 'view' }) })
    assert.equal(
      await member.refusal('tags_update', { id, name: 'x' }),
      'insufficient_scope: tags.update needs write:customers',
    )
    assert.equal((await member.call('tags_get', { id })).name, 'ceiling')
    await setMember(member.id, { ceiling: only({ Notes: 'view' }) })
    assert.equal(await member.refusal('tags_get', { id }), 'insufficient_scope: tags.get needs read:customers')
    assert.equal(
      await elsewhere(member.key).refusal('tags_get', { id }),
      'insufficient_scope: tags.get needs read:customers',
    )
    await setMember(member.id, { ceiling: only({ 'Customers & contacts': 'edit' }) })
    assert.equal((await member.call('tags_update', { id, name: 'raised' })).name, 'raised')
    assert.equal((await elsewhere(member.key).call('tags_get', { id })).name, 'raised')
  })

  it('of none is 403 at once, and back again', async () => {
    const member = await company.member('tech')
    await member.call('tags_list')
    await setMember(member.id, { ceiling: NOTHING })
    for (const [kind, body, headers] of kinds) assert.equal(await statusOf(member.key, body, headers), 403, kind)
    await setMember(member.id, { ceiling: only({ 'Customers & contacts': 'view' }) })
    await member.call('tags_list')
  })

  it('narrows a key and never widens it', async () => {
    const member = await company.member('office', { scopes: ['read:customers'] })
    await setMember(member.id, { ceiling: only({ 'Customers & contacts': 'edit', Notes: 'edit' }) })
    assert.equal(
      await member.refusal('tags_create', { name: 'x' }),
      'insufficient_scope: tags.create needs write:customers',
    )
    assert.equal(await member.refusal('notes_list'), 'insufficient_scope: notes.list needs read:notes')
  })

  it('is no matter to an owner nor to a tenant key', async () => {
    const [owner, integration] = [await company.member('owner'), await company.tenantKey()]
    await setMember(owner.id, { ceiling: NOTHING })
    await owner.call('tax_rates_list')
    await integration.call('tax_rates_list')
  })

  it("is by default the role's: a tech views customers, an office edits them", async () => {
    const [tech, office] = [await company.member('tech'), await company.member('office')]
    await tech.call('customers_search')
    assert.equal(
      await tech.refusal('customers_create', { customer_type: 'individual', first_name: 'A' }),
      'insufficient_scope: customers.create needs write:customers',
    )
    assert.equal(await tech.refusal('invoices_list'), 'insufficient_scope: invoices.list needs read:invoices')
    await office.call('customers_create', { customer_type: 'individual', first_name: 'A' })
    assert.equal(
      await office.refusal('tax_rates_create', { name: 'x', rate_percentage: 1 }),
      'insufficient_scope: tax_rates.create needs write:tax_rates',
    )
  })
})

describe('a member', () => {
  it('who is deactivated is out at once, with every key, and in again when they come back', async () => {
    const member = await company.member('office')
    const other = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: member.id, name: 'other', scopes: SCOPES, expires_at: null },
    )
    await member.call('tags_list')
    await callerOf(service.url, other.key).call('tags_list')
    await setMember(member.id, { deactivated: true })
    for (const [kind, body, headers] of kinds) assert.equal(await statusOf(member.key, body, headers), 401, kind)
    assert.equal(await statusOf(other.key, rpc('tools/list')), 401)
    await setMember(member.id, { deactivated: false })
    await member.call('tags_list')
  })

  it('whose role is lowered loses what the role gave at once, and has it again with the role', async () => {
    const member = await company.member('owner')
    const note = await company.call('notes_create', { body: 'of the first owner' })
    await member.call('notes_update', { id: note.id, body: 'an owner may' })
    await setMember(member.id, { role: 'office', ceiling: only({ Notes: 'edit' }) })
    assert.equal(
      await member.refusal('notes_update', { id: note.id, body: 'x' }),
      'invalid_input: only the author or an owner may change this note; write another one with notes_create',
    )
    assert.equal(await member.refusal('tags_list'), 'insufficient_scope: tags.list needs read:customers')
    await setMember(member.id, { role: 'owner' })
    assert.equal((await member.call('notes_update', { id: note.id, body: 'again' })).body, 'again')
  })
})

describe('a key whose scopes change', () => {
  it('has the new ones at once', async () => {
    const integration = await company.tenantKey(['read:customers'])
    await integration.call('tags_list')
    await witness.rows(`update credentials set scopes = '{write:customers}' where id = $1`, integration.credential)
    assert.equal(await integration.refusal('tags_list'), 'insufficient_scope: tags.list needs read:customers')
    await integration.call('customers_create', { customer_type: 'individual', first_name: 'A' })
    await witness.rows(
      `update credentials set expires_at = now() - interval '1 s' where id = $1`,
      integration.credential,
    )
    const response = await fetch(service.url, {
      method: 'POST',
      headers: toolHeaders(integration.key),
      body: rpc('tools/list'),
    })
    assert.deepEqual([response.status, ((await response.json()) as Result).error], [401, 'expired'])
  })
})

describe("the company's settings", () => {
  it('count from the next call on', async () => {
    const moving = await makeCompany(service)
    const { id: customer_id } = await moving.call('customers_create', { customer_type: 'individual', first_name: 'A' })
    assert.match(
      await moving.refusal('contacts_create', { customer_id, phone: '020 7946 0958' }),
      /^invalid_input: phone must be/,
    )
    await witness.rows(`update tenants set country = 'GB', timezone = 'Europe/London' where id = $1`, moving.tenant)
    assert.equal((await moving.call('contacts_create', { customer_id, phone: '020 7946 0958' })).phone, '+442079460958')
  })
})

describe('rights that change in the middle of a request', () => {
  const { through, change } = restlessRights()
  const { log, lines } = remembering()
  let restless: TestService
  let theirs: Company
  before(async () => {
    restless = await startSite({}, { through, log })
    theirs = await makeCompany(restless)
  })
  after(() => restless.stop())

  const create = (first_name: string): Promise<Response> =>
    fetch(restless.url, {
      method: 'POST',
      headers: toolHeaders(theirs.owner.key),
      body: call('customers_create', { customer_type: 'individual', first_name }),
    })
  const count = async (): Promise<number> => (await theirs.call('customers_search')).rows.length

  it('are read again, and the call is done under those of now', async () => {
    change(2)
    assert.equal((await create('Done')).status, 200)
    assert.equal(await count(), 1)
  })

  it('again and again end a call as one to send again, which did nothing and is no fault', async () => {
    change(3)
    const answer = await create('Not done')
    assert.deepEqual([answer.status, ((await answer.json()) as Result).error], [503, 'unavailable'])
    assert.equal(await count(), 1)
    assert.deepEqual(faults(), [])
  })

  it('do the same to a page', async () => {
    const { id, owner } = await foundCompany(restless, 'Alder Plumbing')
    const browser = visitor(restless)
    await browser.signIn(owner.email, '/', PASSWORD)
    change(2)
    assert.equal((await browser.get(`/${id}/customers`)).status, 200)
    change(100)
    assert.equal((await browser.get(`/${id}/customers`)).status, 503)
    change(0)
    assert.deepEqual(faults(), [])
  })

  const faults = (): unknown[] => lines.filter(({ reference }) => reference !== undefined)
})
