import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOOL_AREAS } from '../../src/identity/permissions/areas.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from '../customer_portal/portal_scene.ts'
import { sendForm } from '../harness/identity/people_pages.ts'
import { importingInto } from '../harness/files/imports.ts'

let portal: PortalScene
let link: Awaited<ReturnType<PortalScene['quoteLink']>>
before(async () => {
  portal = await openPortalScene()
  link = await portal.quoteLink()
  const { office } = portal
  const saved = await sendForm(office.browser, office.at('settings', 'removals'), [
    ...TOOL_AREAS.map((area): [string, string] => ['all_propose', area]),
    ['destructive_proposes', 'yes'],
    ['write_offs_propose', 'yes'],
    ['proposes_above', '1'],
    ['burst_limit', '20'],
  ])
  assert.equal(saved.status, 303)
})
after(() => portal.service.stop())

const customersNamed = async (name: string): Promise<number> =>
  (
    await portal.all<{ count: number }>(
      sql`select count(*)::int as count from customers where tenant_id = ${portal.office.id} and first_name = ${name}`,
    )
  )[0]!.count
const plans = async (): Promise<number> =>
  (await portal.all(sql`select from proposals where tenant_id = ${portal.office.id}`)).length

describe('all approval rules turned on at once', () => {
  it('apply to API keys and the assistant', async () => {
    const { office } = portal
    for (const [tool, args] of [
      ['customers_create', { customer_type: 'individual', first_name: 'Tool' }],
      ['customers_archive', { id: portal.customer['id'] }],
    ] as const)
      assert.match((await office.send(tool, args)).text, /^conflict: waits for approval at /)
    assert.equal(await customersNamed('Tool'), 0)
    assert.equal(await plans(), 1)
  })

  it("don't apply to owners or members on the pages", async () => {
    const { office } = portal
    const clerk = await office.signInMember('office')
    for (const [browser, first_name] of [
      [office.browser, 'Page'],
      [clerk.browser, 'Clerk'],
    ] as const) {
      const made = await browser.post(office.at('customers', 'new'), { customer_type: 'individual', first_name })
      assert.equal(made.status, 303, made.text)
      assert.equal(await customersNamed(first_name), 1)
    }
    assert.equal(await plans(), 1)
  })

  it("don't apply to a file that a person imports", async () => {
    const { office } = portal
    const { importFile } = await importingInto(portal.service, 'Acme Plumbing', office)
    await importFile('First name,Last name\nImport,One\nImport,Two')
    assert.equal(await customersNamed('Import'), 2)
    assert.equal(await plans(), 1)
  })

  it("don't apply to a customer who accepts a quote through the portal link", async () => {
    const customer = portal.browser()
    const { text } = await customer.get(`${link.path}/accept`)
    const fields = { shown: fieldValueOf(text, 'shown'), name: 'Maria', signature: '' }
    assert.equal((await customer.post(`${link.path}/accept`, fields)).status, 303)
    const [quote] = await portal.all<{ status: string }>(
      sql`select status from quotes where tenant_id = ${portal.office.id} and id = ${link.quote['id']}`,
    )
    assert.equal(quote?.status, 'accepted')
    assert.equal(await plans(), 1)
  })
})
