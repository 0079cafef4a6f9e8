import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeMember } from '../../src/identity/people/people.ts'
import { runAutopay } from '../../src/payments/saved/autopay.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { newProviderId } from '../harness/money/payments.ts'
import { fieldValueOf } from '../customer_portal/portal_scene.ts'
import { TOTAL, dayFromNow, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

const chargesOf = async (invoice: string): Promise<[string, string | null][]> =>
  (await scene.chargesOf(invoice)).map(({ state, code }) => [state, code])

/** Runs some work once, just before the provider handles a matching request. */
function onceBefore(suffix: string, work: () => Promise<unknown>): void {
  let isDone = false
  scene.saved.state.around = async (path, when) => {
    if (isDone || when !== 'before' || !path.endsWith(suffix)) return
    isDone = true
    await work()
  }
}

/** Makes the provider take an invoice's payment in another currency. */
const inEuros = (invoice: string): void =>
  onceBefore('/confirm', async () => {
    for (const { asked } of scene.intentsOf(invoice)) asked['currency'] = 'eur'
  })

describe('a charge taken in another currency', () => {
  it("isn't booked and shows the reason, in either order of event and response", async () => {
    for (const isEventFirst of [false, true]) {
      const { invoice, browser } = await scene.owing()
      const link = await scene.issue({ kind: 'invoices', id: invoice })
      const begin = scene.saved.events.length
      inEuros(invoice)
      if (isEventFirst) {
        const { around } = scene.saved.state
        scene.saved.state.around = async (path, when) => {
          await around?.(path, when)
          if (path.endsWith('/confirm') && when === 'after') {
            await scene.sendEvents(scene.saved.events.slice(begin))
            throw new Error('the answer is lost')
          }
        }
      }
      await scene.charge(invoice, '392.41')
      scene.saved.state.around = undefined
      assert.equal(scene.taken(invoice).length, 1)
      await scene.sendEvents(scene.saved.events.slice(begin))
      await scene.workOn(0)
      assert.deepEqual(await scene.money(invoice), ['sent', 0])
      assert.deepEqual(await chargesOf(invoice), [['succeeded', 'not_booked_currency']])
      assert.match(
        await scene.sheetOf(invoice),
        /Charged, not booked The payment and the invoice are in different currencies\. The payment waits in Quarantine\./,
      )
      assert.match(
        pageTextOf(await browser.get(link)),
        /Your payment is being checked Acme Plumbing has a payment that doesn’t match\. Ask them before/,
      )
    }
    const [events] = await scene.service.database.send([
      sql<{ n: number }>`select count(*)::int as n from payment_events
        where state = 'review' and reason = 'other_currency'`,
    ])
    assert.equal(events.rows[0]?.n, 4)
  })

  it("isn't retried by automatic payments", async () => {
    const one = await scene.customerWithCard()
    await one.browser.post(`${one.path}/saved`, { act: 'autopay', plan: '' })
    const invoice = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(4) })
    await scene.workOn(1)
    inEuros(invoice)
    for (const days of [4, 5, 8]) await scene.workOn(days)
    scene.saved.state.around = undefined
    assert.equal(scene.taken(invoice).length, 1)
    assert.deepEqual(await scene.money(invoice), ['sent', 0])
  })
})

describe('a member who loses the permission to charge', () => {
  const set = (user: string, change: Parameters<typeof changeMember>[3]) =>
    changeMember(scene.service.database, { tenant: scene.office.id }, user, change)

  it('gets 404 and makes no charge if it happens after the form was loaded', async () => {
    const { invoice } = await scene.owing()
    const changes = [
      { areas: { Invoices: 'view' as const } },
      { role: 'tech' as const, areas: { Invoices: 'edit' as const } },
    ]
    for (const change of changes) {
      const clerk = await scene.office.signInMember('office', { Invoices: 'edit' })
      const there = scene.office.at('invoices', invoice, 'charge')
      const press = fieldValueOf((await clerk.browser.get(there)).text, 'press')
      await set(clerk.user_id, change)
      assert.equal((await clerk.browser.post(there, { press, amount_cents: '1' })).status, 404)
    }
    assert.deepEqual(await chargesOf(invoice), [])
  })

  it('makes no charge if it happens before the payment, and the office sees the reason', async () => {
    const changes = [
      { areas: { Invoices: 'view' as const } },
      { role: 'tech' as const, areas: { Invoices: 'edit' as const } },
    ]
    for (const change of changes) {
      const { invoice } = await scene.owing()
      const clerk = await scene.office.signInMember('office', { Invoices: 'edit' })
      onceBefore('/v1/payment_intents', () => set(clerk.user_id, change))
      assert.equal((await scene.charge(invoice, '392.41', clerk.browser)).status, 404)
      scene.saved.state.around = undefined
      await scene.workOn(0)
      assert.deepEqual([scene.taken(invoice), await chargesOf(invoice)], [[], [['canceled', 'not_due']]])
      assert.match(
        await scene.sheetOf(invoice),
        /Not charged It was no longer owed, .* the person who charged it no longer may\./,
      )
    }
  })
})

describe('concurrent workers on one automatic payment', () => {
  it('charge once and send one notice and one receipt', async () => {
    const one = await scene.customerWithCard()
    await one.browser.post(`${one.path}/saved`, { act: 'autopay', plan: '' })
    const invoice = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(4) })
    const both = (days: number) =>
      Promise.all([1, 2, 3].map(() => runAutopay(scene.write, scene.providers, { today: dayFromNow(days), hour: 12 })))
    await both(1)
    await scene.workOn(1)
    await both(4)
    await scene.workOn(4)
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [TOTAL],
    )
    assert.deepEqual(await chargesOf(invoice), [['succeeded', null]])
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.equal((await scene.letters(invoice)).length, 2, 'one before, one receipt')
  })
})

describe('a link revoked during a payment', () => {
  /** Revokes every link of an invoice from the office. */
  async function revoke(invoice: string): Promise<void> {
    const links = scene.office.at('invoices', invoice, 'links')
    const page = await scene.office.browser.get(links)
    for (const [path] of page.text.matchAll(/links\/[0-9a-f-]{36}\/take-back/g))
      assert.equal((await scene.office.browser.post(scene.office.at('invoices', invoice, path), {})).status, 303)
  }

  it('still books the payment and confirms it, but starts no new one', async () => {
    const { path, invoice: made } = await scene.invoiceLink()
    const [invoice, browser] = [String(made['id']), scene.browser()]
    const press = fieldValueOf((await browser.get(path)).text, 'press')
    assert.equal((await browser.post(`${path}/pay`, { press })).status, 303)
    await revoke(invoice)
    const session = scene.provider.started().find(({ asked }) => asked['client_reference_id'] === invoice)!
    session.status = 'complete'
    const { metadata } = session.asked['payment_intent_data'] as { metadata: object }
    const object = {
      id: newProviderId('ch'),
      object: 'charge',
      amount: TOTAL,
      captured: true,
      currency: 'usd',
      metadata,
    }
    await scene.sendEvents([
      {
        id: newProviderId('evt'),
        type: 'charge.succeeded',
        account: session.account,
        livemode: false,
        data: { object },
      },
    ])
    const back = await browser.get(`${path}/paid`)
    assert.deepEqual(
      [
        back.status,
        /If you have just paid, your payment counts\. You don’t need to pay again\./.test(pageTextOf(back)),
      ],
      [410, true],
    )
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    const again = await browser.post(`${path}/pay`, { press: newId() })
    assert.deepEqual([again.status, /just paid/.test(pageTextOf(again))], [410, false])
  })

  it('opens no checkout page if it is revoked during the submission', async () => {
    const { path, invoice } = await scene.invoiceLink()
    const browser = scene.browser()
    const press = fieldValueOf((await browser.get(path)).text, 'press')
    scene.provider.state.duringStart = () => revoke(String(invoice['id']))
    const answer = await browser.post(`${path}/pay`, { press })
    scene.provider.state.duringStart = undefined
    assert.deepEqual([answer.status, answer.location], [410, null])
    const states = await scene.all<{ state: string }>(
      sql`select state from checkout_sessions where invoice_id = ${invoice['id']}`,
    )
    assert.deepEqual(
      states.map(({ state }) => state),
      ['starting'],
    )
  })
})
