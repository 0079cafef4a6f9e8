import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

/** Returns the audit rows of a record, oldest first, without ids and times. */
const auditOf = async (record: string): Promise<Result[]> =>
  witness.rows(
    'select tool, user_id, credential_id, client, record_type, changed from audit where tenant_id = $1 and record_id = $2 order by at, id',
    company.tenant,
    record,
  )
const count = (): Promise<unknown> => witness.value('select count(*)::int from audit')

describe('an audit row of a write', () => {
  it('contains user, credential, tool, record and the old and new value of each changed field', async () => {
    const office = await company.member('office')
    const tag = await company.call('tags_create', { name: 'old', color: '#111111' })
    await office.call('tags_update', { id: tag.id, name: 'new', color: '#111111' })
    await office.call('tags_update', { id: tag.id })
    await company.call('tags_delete', { id: tag.id })
    const owner = {
      user_id: company.owner.id,
      credential_id: company.owner.credential,
      client: null,
      record_type: 'tag',
    }
    const other = { ...owner, user_id: office.id, credential_id: office.credential }
    assert.deepEqual(await auditOf(tag.id), [
      { ...owner, tool: 'tags.create', changed: { name: [null, 'old'], color: [null, '#111111'] } },
      { ...other, tool: 'tags.update', changed: { name: ['old', 'new'] } },
      {
        ...owner,
        tool: 'tags.delete',
        changed: {
          name: ['new', null],
          color: ['#111111', null],
          deleted: [null, true],
          assignments_removed: [null, 0],
        },
      },
    ])
  })

  it('names the credential and no user for a tenant key', async () => {
    const integration = await company.tenantKey()
    const { id } = await integration.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    const [row] = await auditOf(id)
    assert.deepEqual(
      [row!.user_id, row!.credential_id, row!.record_type, row!.tool],
      [null, integration.credential, 'customer', 'customers.create'],
    )
  })

  it('exists for each contact and location created with a customer', async () => {
    const {
      contacts: [contact],
      locations: [location],
    } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      contacts: [{ first_name: 'Bo' }],
      locations: [{ address_line1: '1 Main St' }],
    })
    const [[ofContact, ...more], [ofLocation, ...others]] = [await auditOf(contact.id), await auditOf(location.id)]
    assert.deepEqual(
      [ofContact!.record_type, ofContact!.tool, ofContact!.changed.first_name, more],
      ['contact', 'customers.create', [null, 'Bo'], []],
    )
    assert.deepEqual(
      [ofLocation!.record_type, ofLocation!.tool, ofLocation!.changed.address_line1, others],
      ['location', 'customers.create', [null, '1 Main St'], []],
    )
  })

  it("exists once for each write to customers, contacts and locations, under the record's name", async () => {
    const { id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      email: 'ana@example.com',
      locations: [{ address_line1: '1 Main' }],
    })
    await company.call('customers_update', { id, first_name: 'Anna', fields: { a: 1 } })
    const contact = await company.call('contacts_create', { customer_id: id, first_name: 'Bo' })
    await company.call('contacts_update', { id: contact.id, is_primary: true, phone: '512-555-0143 x2' })
    await company.call('contacts_archive', { id: contact.id })
    const location = await company.call('locations_create', { customer_id: id, address_line1: '2 Main' })
    await company.call('locations_update', { id: location.id, city: 'Austin' })
    await company.call('locations_archive', { id: location.id })
    await company.call('customers_archive', { id })
    const rows = [...(await auditOf(id)), ...(await auditOf(contact.id)), ...(await auditOf(location.id))]
    assert.deepEqual(
      rows.map(({ tool, record_type }) => `${tool} ${record_type}`),
      [
        'customers.create customer',
        'customers.update customer',
        'customers.archive customer',
        'contacts.create contact',
        'contacts.update contact',
        'contacts.archive contact',
        'locations.create location',
        'locations.update location',
        'locations.archive location',
      ],
    )
    const changes = rows.map(({ changed }) => changed)
    assert.deepEqual(changes[1], { first_name: ['Ana', 'Anna'], display_name: ['Ana', 'Anna'], fields: [{}, { a: 1 }] })
    assert.deepEqual(Object.keys(changes[2]), ['archived_at'])
    assert.deepEqual(changes[4], {
      phone: [null, '+15125550143'],
      phone_extension: [null, '2'],
      is_primary: [false, true],
    })
    assert.deepEqual(changes[7], { city: [null, 'Austin'], formatted_address: ['2 Main, US', '2 Main, Austin, US'] })
  })

  it('exists also for the contact or location that loses or gains is_primary', async () => {
    const {
      id,
      contacts: [ana],
      locations: [home],
    } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      email: 'first@example.com',
      locations: [{ address_line1: '1 Main' }],
    })
    const primaries = async (record: string): Promise<Result[]> =>
      (await auditOf(record))
        .filter(({ changed }) => 'is_primary' in changed)
        .map(({ tool, record_type, user_id, changed }) => [tool, record_type, user_id, changed])
    const by = company.owner.id
    const bo = await company.call('contacts_create', { customer_id: id, first_name: 'Bo', is_primary: true })
    await company.call('contacts_update', { id: ana.id, is_primary: true })
    await company.call('contacts_archive', { id: ana.id })
    assert.deepEqual((await primaries(ana.id)).slice(1), [
      ['contacts.create', 'contact', by, { is_primary: [true, false] }],
      ['contacts.update', 'contact', by, { is_primary: [false, true] }],
    ])
    assert.deepEqual((await primaries(bo.id)).slice(1), [
      ['contacts.update', 'contact', by, { is_primary: [true, false] }],
      ['contacts.archive', 'contact', by, { is_primary: [false, true] }],
    ])
    const shop = await company.call('locations_create', { customer_id: id, address_line1: '2 Main', is_primary: true })
    const desk = await company.call('locations_create', { customer_id: id, address_line1: '3 Main', type: 'billing' })
    await company.call('locations_update', { id: shop.id, type: 'billing' })
    await company.call('locations_update', { id: shop.id, is_primary: true })
    await company.call('locations_archive', { id: shop.id })
    assert.deepEqual((await primaries(home.id)).slice(1), [
      ['locations.create', 'location', by, { is_primary: [true, false] }],
      ['locations.update', 'location', by, { is_primary: [false, true] }],
    ])
    assert.deepEqual((await primaries(desk.id)).slice(1), [
      ['locations.update', 'location', by, { is_primary: [true, false] }],
      ['locations.archive', 'location', by, { is_primary: [false, true] }],
    ])
  })

  it('is written in the same transaction: if it fails, the write is rolled back', async () => {
    await witness.rows(
      `create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$`,
    )
    await witness.rows(
      'create trigger refuse_audit before insert on audit for each row execute function refuse_audit()',
    )
    const told = await witness.refused(company.owner, 'customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      email: 'ana@example.com',
    })
    assert.match(told, /^internal: an unexpected error occurred \(reference [0-9a-f-]{36}\)$/)
    await witness.rows('drop trigger refuse_audit on audit')
  })
})

describe('the client in an audit row', () => {
  const call = (params: object, headers: Record<string, string> = {}) =>
    fetch(service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${company.owner.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })

  it('is the name in clientInfo of the request (2026-07-28)', async () => {
    const response = await call(
      {
        name: 'tags_create',
        arguments: { name: 'by a client' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'desk-agent', version: '2.0' },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tags_create' },
    )
    const { result } = (await response.json()) as Result
    const { id } = JSON.parse(result.content[0].text)
    assert.deepEqual(
      (await auditOf(id)).map(({ client }) => client),
      ['desk-agent'],
    )
  })

  it('is null for requests without clientInfo (2025-11-25)', async () => {
    const response = await call(
      { name: 'tags_create', arguments: { name: 'by nobody' } },
      { 'mcp-protocol-version': '2025-11-25' },
    )
    const { result } = (await response.json()) as Result
    assert.deepEqual(
      (await auditOf(JSON.parse(result.content[0].text).id)).map(({ client }) => client),
      [null],
    )
  })
})

describe('the audit log', () => {
  it('has no rows for reads, refusals and idempotent replays', async () => {
    const tag = await company.call('tags_create', { name: 'quiet', idempotency_key: 'quiet' })
    const { id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    const before = await count()
    await company.call('tags_create', { name: 'quiet', idempotency_key: 'quiet' })
    for (const [tool, given] of [
      ['customers_search', { query: 'ana' }],
      ['customers_get', { id }],
      ['contacts_list', { customer_id: id }],
      ['locations_list', { customer_id: id }],
      ['tags_list', {}],
      ['tags_get', { id: tag.id }],
    ] as const)
      await company.call(tool, given)
    const reader = await company.tenantKey(['read:customers'])
    const beforeRefusals = await count()
    for (const [by, tool, given] of [
      [company.owner, 'tags_create', { name: 'quiet' }],
      [company.owner, 'tags_create', {}],
      [company.owner, 'tags_delete', { id: newId() }],
      [reader, 'tags_delete', { id: tag.id }],
    ] as const)
      await by.refusal(tool, given)
    assert.equal(await count(), beforeRefusals)
    assert.equal(Number(beforeRefusals) - Number(before), 1, 'the new key alone')
  })

  it('contains no API keys', async () => {
    const everything = JSON.stringify(await witness.rows('select * from audit'))
    assert.ok(!everything.includes(company.owner.key) && !/svc_[ut]k_/.test(everything))
  })
})
