import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { changeMember } from '../../src/identity/people/people.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { decide, formIn, planIn, wholeFormIn } from '../approvals/scene.ts'
import { callerOf } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import type { Browser, BrowserResponse } from '../harness/web_client.ts'
import { TOTAL, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

/** Makes an API key of the owner that acts directly or proposes. */
async function keyOf(proposes: readonly string[] = [], scopes: readonly string[] = SCOPES) {
  const { service, office } = scene
  const given = { user: office.owner.user_id, name: 'Claude', scopes, proposes, expires_at: null }
  return callerOf(service.url, (await createKey(service.database, { tenant: office.id }, given)).key)
}
type Agent = Awaited<ReturnType<typeof keyOf>>

/** Requests a charge as an agent and returns the plan's path. */
async function ask(invoice: string, charge_cents = TOTAL, agent?: Agent): Promise<string> {
  return planIn(await (agent ?? (await keyOf())).send('invoices_update', { id: invoice, charge_cents }))
}

const send = (browser: Browser, path: string, fields: readonly [string, string][]): Promise<BrowserResponse> =>
  decide(browser, path, fields, scene.service.config.baseUrl)
const approve = async (path: string, browser = scene.office.browser): Promise<BrowserResponse> =>
  send(browser, path, [...wholeFormIn(await browser.get(path)), ['act', 'approve']])
const chargesOf = async (invoice: string): Promise<[string, number, string | null][]> =>
  (
    await scene.all<{ state: string; amount_cents: number; created_by: string | null }>(
      sql`select state, amount_cents, created_by from saved_charges where invoice_id = ${invoice} order by created_at`,
    )
  ).map(({ state, amount_cents, created_by }) => [state, amount_cents, created_by])
const nothing = async (invoice: string): Promise<void> => {
  await scene.workOn(0)
  assert.deepEqual([await chargesOf(invoice), scene.taken(invoice)], [[], []])
}

describe('a charge requested by an agent', () => {
  it("always waits for approval, whatever the key's permissions", async () => {
    for (const proposes of [[], SCOPES]) {
      const { invoice } = await scene.owing()
      const agent = await keyOf(proposes)
      const send = () => agent.send('invoices_update', { id: invoice, charge_cents: TOTAL })
      const answer = await send()
      assert.match(answer.text, /^conflict: waits for approval at \S+; proposed: Update an invoice/)
      assert.match((await send()).text, /another payment of \S+ is in progress/)
      await nothing(invoice)
      await approve(planIn(answer))
      await scene.workOn(0)
      assert.match((await send()).text, /nothing can be charged for .* nothing is owed/)
      assert.equal(scene.taken(invoice).length, 1)
    }
  })

  it("shows card and amount, isn't preselected, and is made in the name of the approver", async () => {
    const { invoice } = await scene.owing()
    const path = await ask(invoice, 10_000)
    const page = await scene.office.browser.get(path)
    assert.match(pageTextOf(page), /Charge Invoice .* Claude asked to charge \$100\.00 to the saved payment method/)
    assert.match(pageTextOf(page), /Visa ending in 4242 is charged, and the customer gets a receipt\./)
    assert.match(pageTextOf(page), /Check this one\. It is not selected for you\./)
    assert.doesNotMatch(page.text, new RegExp(`${path}/calls/1`))
    assert.deepEqual(
      formIn(page).filter(([name]) => name === 'pick'),
      [],
    )
    assert.equal((await approve(path)).status, 303)
    await scene.workOn(0)
    assert.deepEqual(await scene.money(invoice), ['partially_paid', 10_000])
    assert.deepEqual(await chargesOf(invoice), [['succeeded', 10_000, scene.office.owner.user_id]])
    assert.equal((await scene.letters(invoice)).length, 1, 'the receipt')
    const acts = (await scene.office.entries(invoice)).filter(({ changed }) =>
      JSON.stringify(changed).includes('10000'),
    )
    assert.deepEqual(
      acts.map(({ tool }) => tool).filter((tool) => tool === 'invoices.update' || tool === 'invoices.charge'),
      ['invoices.charge', 'invoices.update'],
    )
    const sheet = pageTextOf(await scene.office.browser.get(scene.office.at('invoices', invoice)))
    assert.match(sheet, /asked to charge \$100\.00 to the saved payment method/)
    assert.match(sheet, /charged the saved payment method/)
  })

  it("is rejected at once if it couldn't be made", async () => {
    const agent = await keyOf()
    const readRefusal = (id: string, given: object) => agent.refusal('invoices_update', { id, ...given })
    const { invoice } = await scene.owing()
    assert.match(
      await readRefusal(invoice, { charge_cents: TOTAL + 1 }),
      /^conflict: charge_cents must be at most \$392\.41/,
    )
    for (const charge_cents of [0, -1, 1.5, '5'])
      assert.match(await readRefusal(invoice, { charge_cents }), /^invalid_input: charge_cents /)
    assert.match(
      await readRefusal(invoice, { charge_cents: 1, status: 'paid' }),
      /^invalid_input: charge_cents can't be sent with other fields/,
    )
    const large = await scene.invoiceOf((await scene.customerWithCard()).id, {
      line_items: [{ name: 'Boiler', unit_price_cents: 60_000 }],
    })
    assert.match(await readRefusal(large, { charge_cents: 50_001 }), /at most \$500\.00, the company's limit/)
    const bare = await scene.invoiceOf((await scene.customer()).id)
    assert.match(await readRefusal(bare, { charge_cents: 100 }), /the customer has no card or bank account on file/)
    await scene.office.call('invoices_update', { id: invoice, status: 'draft' })
    assert.match(await readRefusal(invoice, { charge_cents: 100 }), /it is a draft, or nothing is owed/)
    await scene.office.call('invoices_void', { id: invoice })
    assert.match(await readRefusal(invoice, { charge_cents: 100 }), /^conflict: .* is void/)
    assert.match(
      await (await keyOf([], ['read:invoices'])).refusal('invoices_update', { id: bare, charge_cents: 1 }),
      /^insufficient_scope: /,
    )
    for (const one of [invoice, large, bare]) await nothing(one)
  })
})

describe('the person who decides on a charge', () => {
  it('has to reauthenticate to approve, but can decline without it', async () => {
    const { invoice } = await scene.owing()
    const path = await ask(invoice)
    const clerk = await scene.office.signInMember('office', { Invoices: 'edit' })
    const fields = wholeFormIn(await clerk.browser.get(path))
    await scene.service.database.send([
      sql`update sessions set confirmed_at = moment() - interval '16 minutes' where user_id = ${clerk.user_id}`,
    ])
    const answer = await send(clerk.browser, path, [...fields, ['act', 'approve']])
    assert.equal(answer.status, 401)
    assert.match(answer.text, /type="password"/)
    await nothing(invoice)
    assert.match(pageTextOf(await scene.office.browser.get(path)), /Waiting/)
    assert.equal((await send(clerk.browser, path, [...fields, ['act', 'decline']])).status, 303)
    await nothing(invoice)
  })

  it('needs an office role with write access to invoices', async () => {
    const { invoice } = await scene.owing()
    const path = await ask(invoice)
    const marks = wholeFormIn(await scene.office.browser.get(path))
    const tech = await scene.office.signInMember('tech', { Invoices: 'edit' })
    assert.match(pageTextOf(await tech.browser.get(path)), /You don't have permission to do this/)
    for (const [role, level] of [
      ['tech', 'edit'],
      ['office', 'view'],
    ] as const) {
      const { browser } = await scene.office.signInMember(role, { Invoices: level })
      assert.equal((await send(browser, path, [...marks, ['act', 'approve']])).status, 403, role)
    }
    await nothing(invoice)
  })

  it('makes no charge if they lose access before the payment is taken', async () => {
    const { invoice } = await scene.owing()
    const clerk = await scene.office.signInMember('office', { Invoices: 'edit' })
    assert.equal((await approve(await ask(invoice), clerk.browser)).status, 303)
    const tenant = { tenant: scene.office.id }
    await changeMember(scene.service.database, tenant, clerk.user_id, { areas: { Invoices: 'view' } })
    await scene.workOn(0)
    assert.deepEqual(await chargesOf(invoice), [['canceled', TOTAL, clerk.user_id]])
    assert.deepEqual(scene.taken(invoice), [])
  })
})

describe('approving a requested charge', () => {
  /** Approves from a page that was loaded before a change. */
  async function approveStale(invoice: string, path: string, change: () => Promise<unknown>): Promise<void> {
    const fields = wholeFormIn(await scene.office.browser.get(path))
    await change()
    const answer = await send(scene.office.browser, path, [...fields, ['act', 'approve']])
    assert.equal(answer.status, 409)
    assert.match(pageTextOf(answer), /Something has changed since this page was shown/)
    await scene.workOn(0)
    assert.deepEqual(await chargesOf(invoice), [])
  }

  it('returns 409 if the card, the balance or the limit changed after the page was shown', async () => {
    const removed = await scene.owing()
    await approveStale(removed.invoice, await ask(removed.invoice), () =>
      removed.browser.post(`${removed.path}/saved`, { act: 'remove' }),
    )
    const other = await scene.owing()
    await approveStale(other.invoice, await ask(other.invoice), async () => {
      scene.saved.completeSetup(await scene.startSetup(other), { about: { brand: 'visa', last4: '1881' } })
      assert.equal((await other.browser.get(`${other.path}/saved/done`)).status, 303)
    })
    const paid = await scene.owing()
    await approveStale(paid.invoice, await ask(paid.invoice, 30_000), () =>
      scene.office.call('invoices_update', { id: paid.invoice, status: 'paid' }),
    )
    const limited = await scene.owing()
    await approveStale(limited.invoice, await ask(limited.invoice), () => scene.allow({ max_charge: '100.00' }))
    await scene.allow({ max_charge: '500.00' })
    for (const { invoice } of [removed, other, paid, limited]) assert.deepEqual(scene.taken(invoice), [])
  })

  it('takes the payment once for concurrent approvals, two plans and a charge by the office', async () => {
    const { invoice } = await scene.owing()
    const paths = [await ask(invoice), await ask(invoice)]
    assert.notEqual(paths[0], paths[1])
    const forms = await Promise.all(paths.map(async (path) => wholeFormIn(await scene.office.browser.get(path))))
    const presses = [0, 0, 0, 1, 1].map((at) =>
      send(scene.office.browser, paths[at]!, [...forms[at]!, ['act', 'approve']]),
    )
    const statuses = (await Promise.all(presses)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 303).length, 1, String(statuses))
    assert.equal((await scene.charge(invoice, '392.41')).status, 409)
    await scene.workOn(0)
    await scene.workOn(0)
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [TOTAL],
    )
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
  })

  it("isn't possible twice, because a second request for the invoice is refused", async () => {
    const { invoice } = await scene.owing()
    const agent = await keyOf()
    await ask(invoice, 100, agent)
    assert.match(
      await agent.refusal('invoices_update', { id: invoice, charge_cents: 200 }),
      /another payment of \S+ is in progress/,
    )
  })

  it("takes the payment once, even if the provider's response is lost", async () => {
    const { invoice } = await scene.owing()
    assert.equal((await approve(await ask(invoice))).status, 303)
    assert.deepEqual(await chargesOf(invoice), [['starting', TOTAL, scene.office.owner.user_id]])
    let deaths = 0
    scene.saved.state.around = async (path, when) => {
      if (when === 'after' && path.includes('/v1/payment_intents') && ++deaths <= 3)
        throw new Error('the answer is lost')
    }
    for (let i = 0; i < 5; i++) await scene.workOn(0)
    scene.saved.state.around = undefined
    await scene.workOn(0)
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [TOTAL],
    )
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
  })
})
