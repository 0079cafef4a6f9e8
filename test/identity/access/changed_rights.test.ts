import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { NO_AREAS, onlyAreas } from '../../harness/identity/ceilings.ts'
import { callerOf, makeCompany, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import type { Witness } from '../../harness/clients/witness.ts'
import { changeRightsMidRequest } from '../../harness/identity/rights_changes.ts'
import { captureLines } from '../../harness/processes/workers.ts'
import { PASSWORD, createCompany, startSite, newBrowser } from '../../harness/web_client.ts'
import { openAccessScene, requestKinds, toolCall, type AccessScene } from './scene.ts'

let service: TestService
let witness: Witness
let company: Company
let { callerElsewhere, setMember, statusOf, stop } = {} as AccessScene
before(async () => {
  ;({ service, witness, company, callerElsewhere, setMember, statusOf, stop } = await openAccessScene())
})
after(() => stop())

describe("a member's access levels", () => {
  it('take effect on the next call, in every process', async () => {
    const member = await company.member('office', { ceiling: onlyAreas({ 'Customers & contacts': 'edit' }) })
    const { id } = await member.call('tags_create', { name: 'ceiling' })
    await setMember(member.id, { ceiling: onlyAreas({ 'Customers & contacts': 'view' }) })
    assert.equal(
      await member.refusal('tags_update', { id, name: 'x' }),
      'insufficient_scope: tags.update needs write:customers',
    )
    assert.equal((await member.call('tags_get', { id })).name, 'ceiling')
    await setMember(member.id, { ceiling: onlyAreas({ Notes: 'view' }) })
    assert.equal(await member.refusal('tags_get', { id }), 'insufficient_scope: tags.get needs read:customers')
    assert.equal(
      await callerElsewhere(member.key).refusal('tags_get', { id }),
      'insufficient_scope: tags.get needs read:customers',
    )
    await setMember(member.id, { ceiling: onlyAreas({ 'Customers & contacts': 'edit' }) })
    assert.equal((await member.call('tags_update', { id, name: 'raised' })).name, 'raised')
    assert.equal((await callerElsewhere(member.key).call('tags_get', { id })).name, 'raised')
  })

  it('return 403 at once when all are none, and work again when restored', async () => {
    const member = await company.member('tech')
    await member.call('tags_list')
    await setMember(member.id, { ceiling: NO_AREAS })
    for (const [kind, body, headers] of requestKinds) assert.equal(await statusOf(member.key, body, headers), 403, kind)
    await setMember(member.id, { ceiling: onlyAreas({ 'Customers & contacts': 'view' }) })
    await member.call('tags_list')
  })

  it('narrow a key and never widen it', async () => {
    const member = await company.member('office', { scopes: ['read:customers'] })
    await setMember(member.id, { ceiling: onlyAreas({ 'Customers & contacts': 'edit', Notes: 'edit' }) })
    assert.equal(
      await member.refusal('tags_create', { name: 'x' }),
      'insufficient_scope: tags.create needs write:customers',
    )
    assert.equal(await member.refusal('notes_list'), 'insufficient_scope: notes.list needs read:notes')
  })

  it("don't limit owners or tenant keys", async () => {
    const [owner, integration] = [await company.member('owner'), await company.tenantKey()]
    await setMember(owner.id, { ceiling: NO_AREAS })
    await owner.call('tax_rates_list')
    await integration.call('tax_rates_list')
  })

  it('default to the role: a tech views customers and an office member edits them', async () => {
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
  it('loses access with every key when deactivated, and regains it when reactivated', async () => {
    const member = await company.member('office')
    const other = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: member.id, name: 'other', scopes: SCOPES, expires_at: null },
    )
    await member.call('tags_list')
    await callerOf(service.url, other.key).call('tags_list')
    await setMember(member.id, { deactivated: true })
    for (const [kind, body, headers] of requestKinds) assert.equal(await statusOf(member.key, body, headers), 401, kind)
    assert.equal(await statusOf(other.key, rpc('tools/list')), 401)
    await setMember(member.id, { deactivated: false })
    await member.call('tags_list')
  })

  it("loses the role's rights at once when demoted, and regains them with the role", async () => {
    const member = await company.member('owner')
    const note = await company.call('notes_create', { body: 'of the first owner' })
    await member.call('notes_update', { id: note.id, body: 'an owner may' })
    await setMember(member.id, { role: 'office', ceiling: onlyAreas({ Notes: 'edit' }) })
    assert.equal(
      await member.refusal('notes_update', { id: note.id, body: 'x' }),
      'invalid_input: only the author or an owner may change this note; write another one with notes_create',
    )
    assert.equal(await member.refusal('tags_list'), 'insufficient_scope: tags.list needs read:customers')
    await setMember(member.id, { role: 'owner' })
    assert.equal((await member.call('notes_update', { id: note.id, body: 'again' })).body, 'again')
  })
})

describe('a key whose scopes or expiry change', () => {
  it('follows the change on the next call', async () => {
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

describe("a change of the company's country", () => {
  it('applies to the next call', async () => {
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

describe('rights that change during a request', () => {
  const { through, change } = changeRightsMidRequest()
  const { log, lines } = captureLines()
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
      body: toolCall('customers_create', { customer_type: 'individual', first_name }),
    })
  const count = async (): Promise<number> => (await theirs.call('customers_search')).rows.length

  it('are read again, and the call runs under the current ones', async () => {
    change(2)
    assert.equal((await create('Done')).status, 200)
    assert.equal(await count(), 1)
  })

  it('return 503 when they keep changing, and nothing is written or reported', async () => {
    change(3)
    const answer = await create('Not done')
    assert.deepEqual([answer.status, ((await answer.json()) as Result).error], [503, 'unavailable'])
    assert.equal(await count(), 1)
    assert.deepEqual(faults(), [])
  })

  it('are read again for a page, which returns 503 when they keep changing', async () => {
    const { id, owner } = await createCompany(restless, 'Alder Plumbing')
    const browser = newBrowser(restless)
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
