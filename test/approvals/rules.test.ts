import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import type { Result } from '../harness/harness.ts'
import { decide, formIn, openScene, planIn, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
before(async () => {
  scene = await openScene()
})
after(() => scene.service.stop())

const person = { customer_type: 'individual', first_name: 'Ana' }
const setRules = (of: SceneCompany, rules: Record<string, string>) =>
  of.owner.post(of.at('settings', 'removals'), { burst_limit: '20', ...rules })

async function makeInvoice(of: SceneCompany, cents: number): Promise<Result> {
  const { id } = await of.acting.call('customers_create', person)
  return of.acting.call('invoices_create', { customer_id: id, line_items: [{ name: 'Work', unit_price_cents: cents }] })
}

describe("an owner's approval rule", () => {
  it('makes every write of an area wait from the next call on, until it is removed', async () => {
    const of = await scene.startCompany('Areas')
    const { id } = await of.acting.call('customers_create', person)
    assert.equal((await setRules(of, { all_propose: 'Invoices' })).status, 303)
    assert.match((await of.owner.get(of.at('settings', 'apps'))).text, /value="Invoices" checked/)
    assert.match(await of.acting.refusal('invoices_create', { customer_id: id }), /^conflict: waits for approval/)
    await of.acting.call('customers_update', { id, first_name: 'Anna' })
    await setRules(of, {})
    await of.acting.call('invoices_create', { customer_id: id })
    const { rows } = await of.acting.call('invoices_list', { customer_id: id })
    assert.equal(rows.length, 1)
  })

  it('makes only amounts above the limit wait', async () => {
    const of = await scene.startCompany('Amounts')
    const small = await makeInvoice(of, 50_000)
    assert.equal((await setRules(of, { proposes_above: '$500.00' })).status, 303)
    assert.match((await of.owner.get(of.at('settings', 'apps'))).text, /name="proposes_above"[^>]*value="500\.00"/)
    await of.acting.call('invoices_update', { id: small['id'], status: 'sent' })
    const large = {
      customer_id: small['customer_id'],
      line_items: [{ name: 'Work', unit_price_cents: 50_001 }],
      idempotency_key: 'large',
    }
    const waiting = await of.acting.send('invoices_create', large)
    assert.match(waiting.text, /^conflict: waits for approval/)
    assert.equal((await of.acting.call('invoices_list', {})).rows.length, 1)
    assert.match(
      await of.acting.refusal('quotes_create', { ...large, title: 'Work', idempotency_key: 'quote' }),
      /waits for approval/,
    )
    const path = planIn(waiting)
    const done = await decide(
      of.owner,
      path,
      [...formIn(await of.owner.get(path)), ['act', 'approve']],
      scene.service.config.baseUrl,
    )
    assert.equal(done.status, 303)
    assert.equal((await of.acting.call('invoices_create', large))['total_cents'], 50_001)
    assert.equal((await of.acting.call('invoices_list', {})).rows.length, 2)
    for (const wrong of ['lots', '1.234', '-5', '9'.repeat(12)])
      assert.equal((await setRules(of, { proposes_above: wrong })).status, 422, wrong)
    await setRules(of, { proposes_above: '' })
    await of.acting.call('invoices_create', { ...large, idempotency_key: 'third' })
  })

  it('makes write-offs and voids wait', async () => {
    const of = await scene.startCompany('Write-offs')
    const { id } = await makeInvoice(of, 10_000)
    await of.acting.call('invoices_update', { id, status: 'sent' })
    await setRules(of, { write_offs_propose: 'yes' })
    for (const [tool, given] of [
      ['invoices_update', { id, status: 'uncollectible' }],
      ['invoices_void', { id }],
    ] as const)
      assert.match(await of.acting.refusal(tool, given), /^conflict: waits for approval/)
    assert.equal((await of.acting.call('invoices_get', { id }))['status'], 'sent')
    await of.acting.call('invoices_update', { id, status: 'paid' })
  })

  it('can be set only by owners', async () => {
    const of = await scene.startCompany('Owners')
    const office = await of.hire('office')
    assert.equal(
      (await office.browser.post(of.at('settings', 'removals'), { burst_limit: '20', all_propose: 'Invoices' })).status,
      404,
    )
    const { id } = await of.acting.call('customers_create', person)
    await of.acting.call('invoices_create', { customer_id: id })
  })
})

describe('the burst limit', () => {
  it('counts write-offs and overwritten amounts', async () => {
    const of = await scene.startCompany('Busy')
    const [first, second] = [await makeInvoice(of, 1_000), await makeInvoice(of, 1_000)]
    await setRules(of, { burst_limit: '3', burst_limits_keys: 'yes' })
    for (const cents of [900, 800])
      await of.acting.call('invoices_update', {
        id: first['id'],
        line_items: [{ name: 'Work', unit_price_cents: cents }],
      })
    await of.acting.call('invoices_update', { id: second['id'], status: 'sent' })
    await of.acting.call('invoices_update', { id: second['id'], status: 'uncollectible' })
    const held = { id: first['id'], line_items: [{ name: 'Work', unit_price_cents: 1 }] }
    assert.match(await of.acting.refusal('invoices_update', held), /removed a lot in a short time/)
    assert.equal((await of.acting.call('invoices_get', { id: first['id'] }))['total_cents'], 800)
    await of.acting.call('invoices_update', { id: first['id'], subject: 'Still edits words' })
  })
})

describe('voiding an invoice', () => {
  it('warns that the payment stays recorded when the invoice was paid in part', async () => {
    const of = await scene.startCompany('Voids')
    const [paid, unpaid] = [await makeInvoice(of, 10_000), await makeInvoice(of, 10_000)]
    await of.acting.call('invoices_update', { id: paid['id'], status: 'sent' })
    await of.owner.post(of.at('invoices', String(paid['id']), 'payment'), { method: 'cash', amount_cents: '40.00' })
    assert.equal((await of.acting.call('invoices_get', { id: paid['id'] }))['amount_paid_cents'], 4_000)
    const { warnings } = await of.acting.call('invoices_void', { id: paid['id'] })
    assert.match(String(warnings), /is void, and \$40\.00 was paid on it: that payment stays recorded/)
    assert.equal((await of.acting.call('invoices_void', { id: unpaid['id'] }))['warnings'], undefined)
  })

  it("isn't preselected on the proposal page and isn't in its totals", async () => {
    const of = await scene.startCompany('Unticked')
    const { id, customer_id } = await makeInvoice(of, 10_000)
    const path = planIn(await of.agent.send('invoices_void', { id }))
    await of.agent.send('customers_update', { id: customer_id, first_name: 'Anna' })
    const page = await of.owner.get(path)
    assert.deepEqual(
      formIn(page).filter(([name]) => name === 'pick'),
      [['pick', '2']],
    )
    assert.match(page.text, /Check this one\. It is not selected for you\./)
    assert.doesNotMatch(page.text, /<dt>Invoices<\/dt>/)
  })
})

describe('callout://plans/{id}', () => {
  const read = async (key: string, id: string) =>
    newProtocolClient(scene.service.url, key).handshake('resources/read', { uri: `callout://plans/${id}` })

  it('shows the connection the outcome of each call within its scopes, and hides other plans', async () => {
    const of = await scene.startCompany('Plans')
    const other = await of.keyOf(of.ownerId)
    const { id: customer } = await of.acting.call('customers_create', person)
    const sent = await of.agent.send('invoices_create', {
      customer_id: customer,
      line_items: [{ name: 'Work', unit_price_cents: 12_300 }],
    })
    await of.agent.send('customers_update', { id: customer, first_name: 'Anna' })
    const path = planIn(sent)
    const id = path.split('/').at(-1)!
    const open = (await read(of.agent.key, id)).result!['contents'][0].text
    assert.match(open, /Waiting for approval since/)
    assert.match(open, /\|1\|invoices_create\|[0-9a-f-]{36}\|waits for approval\|«created»\|123\.00\|/)
    const form = formIn(await of.owner.get(path)).filter(([, value]) => value !== '2')
    const fields: [string, string][] = [...form, ['act', 'approve'], ['word', 'She is called Ana']]
    await decide(of.owner, path, fields, scene.service.config.baseUrl)
    const decided = (await read(of.agent.key, id)).result!['contents'][0].text
    assert.match(decided, /Approved on .*\n\nNote from the person who decided: "She is called Ana"\./)
    assert.match(decided, /\|1\|invoices_create\|[0-9a-f-]{36}\|approved\|/)
    assert.match(decided, /\|2\|customers_update\|[0-9a-f-]{36}\|declined\|«first_name: Ana → Anna;/)
    const tasks = { proposes: ['write:catalog_items', 'write:invoices'] }
    const limited = await of.keyOf(of.ownerId, { ...tasks, scopes: ['read:catalog_items', 'write:catalog_items'] })
    const service = { kind: 'service', name: 'Tune-up', unit_price_cents: 12_300 }
    const catalog = planIn(await limited.send('catalog_items_create', service))
      .split('/')
      .at(-1)!
    const textOf = async () => (await read(limited.key, catalog)).result!['contents'][0].text as string
    assert.match(await textOf(), /\|1\|catalog_items_create\|[0-9a-f-]{36}\|waits for approval\|«created»\|/)
    await writeTenant(scene.service.database, { tenant: of.id }, (db) =>
      db.run(sql`update credentials set scopes = '{read:catalog_items}'
        where tenant_id = ${db.tenant} and id = ${limited.id}`),
    )
    assert.match(await textOf(), /\|1\|catalog_items_create\|[0-9a-f-]{36}\|waits for approval\|$/m)
    for (const [key, plan] of [
      [other.key, id],
      [of.agent.key, customer],
      [of.agent.key, 'no-id'],
    ] as const)
      assert.equal((await read(key, plan)).error?.message, 'Resource not found')
  })
})

describe('an unknown tool name', () => {
  it('gets a suggestion with the same meaning, never a tool of another entity', async () => {
    const of = await scene.startCompany('Neighbors')
    const answer = async (name: string): Promise<string> =>
      (await newProtocolClient(scene.service.url, of.acting.key).handshake('tools/call', { name, arguments: {} }))
        .error!.message
    assert.match(await answer('payments_create'), /see tools\/list/)
    assert.match(await answer('charges_create'), /see tools\/list/)
    assert.match(await answer('job_add'), /did you mean jobs_create\?/)
    assert.match(await answer('invoces_list'), /did you mean invoices_list\?/)
    assert.match(await answer('jobs_lst'), /did you mean jobs_list\?/)
  })
})
