import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { revokeKey } from '../../src/identity/credentials/keys.ts'
import { changeMember } from '../../src/identity/people/people.ts'
import { sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import type { Browser, BrowserResponse } from '../harness/web_client.ts'
import { decide, formIn, idIn, openScene, planIn, wholeFormIn, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
let other: SceneCompany
let send: (browser: Browser, path: string, fields: readonly [string, string][]) => Promise<BrowserResponse>
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
  other = await scene.startCompany('Elsewhere')
  send = (browser, path, fields) => decide(browser, path, fields, scene.service.config.baseUrl)
})
after(() => scene.service.stop())

const person = { customer_type: 'individual', first_name: 'Ana' }
const everything = (seen: BrowserResponse): [string, string][] => [...wholeFormIn(seen), ['act', 'approve']]

describe('a member of another company', () => {
  it('can neither see a proposal nor decide on it', async () => {
    const path = planIn(await company.agent.send('customers_create', person))
    const [, , , id] = path.split('/')
    const theirs = other.at('proposals', id!)
    for (const there of [path, theirs]) {
      assert.equal((await other.owner.get(there)).status, 404)
      for (const act of ['approve', 'decline', 'send_back'])
        assert.equal(
          (
            await send(other.owner, there, [
              ['pick', '1'],
              ['act', act],
            ])
          ).status,
          404,
        )
    }
    assert.equal((await other.owner.get(other.at('proposals'))).text.includes(id!), false)
    assert.match((await company.owner.get(path)).text, /Waiting/)
    assert.match(
      await other.agent.refusal('jobs_create', {
        customer_id: idIn(await company.agent.send('customers_create', person)),
        title: 'x',
      }),
      /^not_found: customer not found; find/,
    )
  })
})

describe('a person who decides on a proposal', () => {
  it('needs the scopes of each call at the moment of the decision', async () => {
    const office = await company.hire('office')
    const viewer = await company.hire('tech')
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('customers_create', person))
    const seen = await viewer.browser.get(path)
    assert.equal(seen.status, 200)
    assert.match(seen.text, /You don&#39;t have permission to do this/)
    assert.equal(
      formIn(seen).some(([name]) => name === 'pick'),
      false,
    )
    const marks = formIn(await company.owner.get(path))
    assert.equal((await send(viewer.browser, path, [...marks, ['act', 'approve']])).status, 403)
    assert.equal((await send(viewer.browser, path, [['act', 'decline']])).status, 403)
    const [drawn] = [await office.browser.get(path)]
    await changeMember(scene.service.database, { tenant: company.id }, office.id, {
      role: 'office',
      areas: { 'Customers & contacts': 'view' },
    })
    assert.equal((await send(office.browser, path, everything(drawn))).status, 403)
    assert.equal((await send(company.owner, path, everything(await company.owner.get(path)))).status, 303)
  })

  it("can't see a proposal that they may not read", async () => {
    const tech = await company.hire('tech')
    const { id } = await company.acting.call('customers_create', person)
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(
      await agent.send('invoices_create', { customer_id: id, line_items: [{ name: 'Visit', unit_price_cents: 100 }] }),
    )
    assert.equal((await tech.browser.get(path)).status, 404)
    assert.equal(
      (
        await send(tech.browser, path, [
          ['pick', '1'],
          ['act', 'approve'],
        ])
      ).status,
      404,
    )
    assert.equal((await tech.browser.get(company.at('proposals'))).text.includes(path), false)
    assert.match((await company.owner.get(company.at('proposals'))).text, new RegExp(path))
  })

  it("can't approve what they may not do themselves, such as changing another person's quote", async () => {
    const office = await company.hire('office')
    const { id } = await company.acting.call('customers_create', person)
    const quote = await company.acting.call('quotes_create', { customer_id: id, title: 'Boiler' })
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('quotes_update', { id: quote['id'], title: 'Furnace' }))
    const refused = await send(office.browser, path, everything(await office.browser.get(path)))
    assert.equal(refused.status, 403)
    assert.match(refused.text, /approve only changes that you are allowed to make yourself/)
    assert.equal((await send(company.owner, path, everything(await company.owner.get(path)))).status, 303)
  })

  it("can't approve more than the connection may do at that moment", async () => {
    const member = await company.hire('office')
    const agent = await company.keyOf(member.id)
    const path = planIn(await agent.send('customers_create', person))
    const shown = everything(await company.owner.get(path))
    await changeMember(scene.service.database, { tenant: company.id }, member.id, {
      role: 'office',
      areas: { 'Customers & contacts': 'view' },
    })
    assert.equal((await send(company.owner, path, shown)).status, 409)
    const ended = await company.keyOf(company.ownerId)
    const lost = planIn(await ended.send('customers_create', person))
    const page = everything(await company.owner.get(lost))
    await revokeKey(scene.service.database, { tenant: company.id }, ended.id)
    const refused = await send(company.owner, lost, page)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /The connection has ended/)
    assert.equal((await send(company.owner, lost, [['act', 'decline']])).status, 303)
  })

  it("sees the number of open proposals in the menu, and a tech doesn't", async () => {
    const fresh = await scene.startCompany('Fresh')
    assert.doesNotMatch((await fresh.owner.get(fresh.at())).text, /proposal to decide on/)
    await fresh.agent.send('customers_create', person)
    assert.match((await fresh.owner.get(fresh.at())).text, /one proposal to decide on/)
    const tech = await fresh.hire('tech')
    assert.doesNotMatch((await tech.browser.get(fresh.at())).text, /proposal to decide on/)
  })
})

describe('a connection that needs approval', () => {
  it("acts directly in the areas where it doesn't need approval", async () => {
    const agent = await company.keyOf(company.ownerId, { proposes: ['write:jobs'] })
    const { id } = await agent.call('customers_create', person)
    assert.match(
      await agent.refusal('jobs_create', { customer_id: id, title: 'x' }),
      /^conflict: waits for approval at /,
    )
  })

  it('proposes the jobs and invoices it makes from a quote when it proposes quotes', async () => {
    const agent = await company.keyOf(company.ownerId, { proposes: ['write:quotes'] })
    const { id: customer_id } = await agent.call('customers_create', person)
    const lines = [{ name: 'Boiler', quantity: 1, unit_price_cents: 100 }]
    const quote = await company.acting.call('quotes_create', { customer_id, title: 'Boiler', line_items: lines })
    for (const status of ['sent', 'accepted']) await company.acting.call('quotes_update', { id: quote.id, status })
    for (const [tool, given] of [
      ['jobs_create', { customer_id, title: 'Boiler', quote_id: quote.id }],
      ['invoices_create', { customer_id, from_quote_id: quote.id }],
      ['invoices_create', { customer_id, quote_id: quote.id, line_items: lines }],
    ] as const)
      assert.match(await agent.refusal(tool, given), /^conflict: waits for approval at /, tool)
    const now = await company.acting.call('quotes_get', { id: quote.id })
    assert.deepEqual([now['converted_job_id'], now['converted_invoice_id']], [null, null])
    await agent.call('jobs_create', { customer_id, title: 'Of no quote', quote_id: null })
    await agent.call('invoices_create', { customer_id, line_items: lines })
    await company.acting.call('jobs_create', { customer_id, title: 'Boiler', quote_id: quote.id })
  })

  it('has its new levels from the next call on', async () => {
    const agent = await company.keyOf(company.ownerId, { proposes: [] })
    await agent.call('tags_create', { name: 'Acted' })
    const at = company.at('settings', 'keys', agent.id)
    assert.match((await company.owner.get(at)).text, /name="customers" value="edit" checked/)
    assert.equal((await company.owner.post(at, { act: 'set', customers: 'propose', jobs: 'edit' })).status, 303)
    assert.match(await agent.refusal('tags_create', { name: 'Proposed' }), /^conflict: waits for approval at /)
    await company.owner.post(at, { act: 'set', customers: 'edit' })
    await agent.call('tags_create', { name: 'Acted again' })
  })
})

describe('the company rule for removals', () => {
  it('makes removals wait for approval on every connection, and only owners can change the burst limit', async () => {
    const strict = await scene.startCompany('Strict')
    const { id } = await strict.acting.call('customers_create', person)
    await strict.owner.post(strict.at('settings', 'removals'), { destructive_proposes: 'yes', burst_limit: '20' })
    const path = planIn(await strict.acting.send('customers_archive', { id }))
    assert.equal((await send(strict.owner, path, everything(await strict.owner.get(path)))).status, 303)
    assert.equal((await strict.acting.call('customers_create', person))['first_name'], 'Ana')
    const tech = await strict.hire('tech')
    assert.equal((await tech.browser.post(strict.at('settings', 'removals'), { burst_limit: '0' })).status, 404)
  })
})

describe('the burst limit for removals', () => {
  const limit = (of: SceneCompany, most: number) =>
    of.owner.post(of.at('settings', 'removals'), { burst_limit: String(most), burst_limits_keys: 'yes' })
  const tags = async (of: SceneCompany, many: number): Promise<string[]> => {
    const made: string[] = []
    for (let i = 0; i < many; i++)
      made.push(String((await of.acting.call('tags_create', { name: `T${made.length} ${Math.random()}` }))['id']))
    return made
  }

  it('holds a connection that removes too much and shows that to owners', async () => {
    const busy = await scene.startCompany('Busy')
    await limit(busy, 3)
    const [a, b, c, d, e] = await tags(busy, 5)
    for (const id of [a, b, c]) await busy.acting.call('tags_delete', { id })
    const held = await busy.acting.send('tags_delete', { id: d })
    assert.match(held.text, /^conflict: waits for approval at .*removed a lot in a short time/)
    assert.match(await busy.acting.refusal('tags_delete', { id: e }), /waits for approval/)
    await busy.acting.call('tags_update', { id: e, name: 'Still acts' })
    const key = busy.at('settings', 'keys', busy.acting.id)
    assert.match((await busy.owner.get(busy.at('proposals'))).text, /Claude is held/)
    assert.match((await busy.owner.get(planIn(held))).text, /This connection is held/)
    assert.match((await busy.owner.get(key)).text, /Held since/)
    const tech = await busy.hire('tech')
    assert.equal((await tech.browser.post(key, { act: 'lift' })).status, 404)
    await busy.owner.post(key, { act: 'lift' })
    const [f] = await tags(busy, 1)
    await busy.acting.call('tags_delete', { id: f })
  })

  it('applies to keys that propose anything, and to other keys only when an owner turns that on', async () => {
    const busy = await scene.startCompany('Programs')
    const many = await tags(busy, 28)
    for (const id of many.slice(0, 25)) await busy.acting.call('tags_delete', { id })
    const own = await busy.keyOf(busy.ownerId, { proposes: ['write:invoices'] })
    await busy.owner.post(busy.at('settings', 'removals'), { burst_limit: '1' })
    await own.call('tags_delete', { id: many[25] })
    assert.match(await own.refusal('tags_delete', { id: many[26] }), /removed a lot in a short time/)
    await busy.acting.call('tags_delete', { id: many[26] })
    await limit(busy, 1)
    await busy.acting.call('tags_delete', { id: many[27] })
    const [last, more] = await tags(busy, 2)
    assert.match(await busy.acting.refusal('tags_delete', { id: last }), /removed a lot in a short time/)
    assert.match(await busy.acting.refusal('tags_delete', { id: more }), /waits for approval/)
  })

  it('lifts the hold when the proposal is decided', async () => {
    const busy = await scene.startCompany('Busy again')
    await limit(busy, 1)
    const [a, b, c] = await tags(busy, 3)
    await busy.acting.call('tags_delete', { id: a })
    const path = planIn(await busy.acting.send('tags_delete', { id: b }))
    await send(busy.owner, path, everything(await busy.owner.get(path)))
    assert.match(await busy.acting.refusal('tags_get', { id: b }), /^not_found/)
    await busy.acting.call('tags_delete', { id: c })
  })

  it('counts concurrent removals, and counts each connection separately', async () => {
    const busy = await scene.startCompany('At once')
    await limit(busy, 2)
    const ids = await tags(busy, 8)
    const second = await busy.keyOf(busy.ownerId, { proposes: [] })
    const answers = await Promise.all(ids.slice(0, 6).map((id) => busy.acting.send('tags_delete', { id })))
    assert.equal(answers.filter(({ isError }) => !isError).length, 2)
    await second.call('tags_delete', { id: ids[6] })
  })

  it('is off at 0, ignores refused calls and looks back ten minutes', async () => {
    const calm = await scene.startCompany('Calm')
    await limit(calm, 1)
    const ids = await tags(calm, 6)
    for (let i = 0; i < 3; i++) await calm.acting.refusal('tags_delete', { id: calm.ownerId })
    await calm.acting.call('tags_delete', { id: ids[0] })
    await writeTenant(scene.service.database, { tenant: calm.id }, (db) =>
      db.run(sql`update removal_marks set at = at - interval '10 minutes' where tenant_id = ${db.tenant}`),
    )
    await calm.acting.call('tags_delete', { id: ids[1] })
    await limit(calm, 0)
    for (const id of ids.slice(2)) await calm.acting.call('tags_delete', { id })
  })
})
