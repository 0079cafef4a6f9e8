import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { entities } from '../../src/records/index.ts'
import { actionsOf } from '../../src/tools/declare/catalog.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { fieldValueOf } from '../customer_portal/portal_scene.ts'
import { TOTAL, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

/** Makes a customer with a card, an unpaid invoice and its link. */
async function owing(...given: Parameters<SavedScene['owing']>) {
  const one = await scene.owing(...given)
  return { ...one, link: await scene.issue({ kind: 'invoices', id: one.invoice }) }
}

describe('a charge by the office', () => {
  it('takes the payment once, and its webhook events add nothing', async () => {
    const { invoice } = await owing()
    const begin = scene.saved.events.length
    const answer = await scene.charge(invoice, '392.41')
    assert.equal(answer.status, 303)
    assert.match(await scene.sheetOf(invoice), /Visa ending in 4242.*Charged/)
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    const events = scene.saved.events.slice(begin)
    await scene.sendEvents([...events, ...events.toReversed()])
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [TOTAL],
    )
    const [intent] = scene.intentsOf(invoice)
    assert.equal(intent!.asked['customer'], [...scene.saved.methods.values()].at(-1)!.customer)
  })

  it("is booked once when its events arrive before the provider's response", async () => {
    const { invoice } = await owing()
    const begin = scene.saved.events.length
    scene.saved.state.around = async (path, when) => {
      if (!path.endsWith('/confirm') || when === 'before') return
      await scene.sendEvents(scene.saved.events.slice(begin))
      throw new Error('the answer is lost')
    }
    await scene.charge(invoice, '100')
    scene.saved.state.around = undefined
    assert.deepEqual(await scene.money(invoice), ['partially_paid', 10_000])
    assert.deepEqual(
      (await scene.chargesOf(invoice)).map(({ state }) => state),
      ['succeeded'],
    )
  })

  it('is made once for repeated and concurrent form submissions', async () => {
    const { invoice } = await owing()
    const form = scene.office.at('invoices', invoice, 'charge')
    const press = fieldValueOf((await scene.office.browser.get(form)).text, 'press')
    for (let i = 0; i < 2; i++)
      assert.equal((await scene.office.browser.post(form, { press, amount_cents: '10' })).status, 303)
    const presses = [newId(), newId(), newId()]
    const answers = await Promise.all(
      presses.map((one) => scene.office.browser.post(form, { press: one, amount_cents: '382.41' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409, 409])
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [1_000, TOTAL - 1_000],
    )
  })

  it('enforces reauthentication, the limit, the balance and the office role', async () => {
    const { invoice } = await owing({}, { line_items: [{ name: 'Boiler', unit_price_cents: 60_000 }] })
    assert.match(
      pageTextOf(await scene.charge(invoice, '500.01')),
      /Enter at most \$500\.00, the limit that an owner set\./,
    )
    assert.match(
      pageTextOf(await scene.charge(invoice, '600.01')),
      /Enter at most \$600\.00, the amount that is still owed\./,
    )
    for (const amount of ['0', '-1', 'x', '', '1.234'])
      assert.equal((await scene.charge(invoice, amount)).status, 422, amount)
    const there = scene.office.at('invoices', invoice, 'charge')
    for (const role of ['tech', 'office'] as const) {
      const { browser } = await scene.office.signInMember(role, { Invoices: role === 'office' ? 'view' : 'edit' })
      assert.equal((await browser.get(there)).status, 404, role)
      assert.equal((await browser.post(there, { press: newId(), amount_cents: '1' })).status, 404, role)
    }
    const clerk = await scene.office.signInMember('office', { Invoices: 'edit' })
    assert.equal((await scene.charge(invoice, '1', clerk.browser)).status, 303)
    await scene.service.database.send([
      sql`update sessions set confirmed_at = moment() - interval '16 minutes' where user_id = ${clerk.user_id}`,
    ])
    assert.equal((await scene.charge(invoice, '1', clerk.browser)).status, 401)
    await scene.allow({ max_charge: '0' })
    assert.match(
      pageTextOf(await scene.office.browser.get(there)),
      /An owner decided that nobody charges saved cards\./,
    )
    assert.doesNotMatch(await scene.sheetOf(invoice), />Charge</)
    await scene.allow({ max_charge: '500.00' })
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [100],
    )
  })

  it("isn't available as a tool or a tool action", () => {
    const names = [...actionsOf(entities).keys()]
    assert.ok(names.includes('invoices_record_payment'))
    assert.deepEqual(
      names.filter((name) => /charge|autopay|payment_method|saved/.test(name)),
      [],
    )
  })

  it('changes no balance when declined, and shows the reason', async () => {
    const { invoice } = await owing({ result: { decline_code: 'insufficient_funds' } })
    const begin = scene.saved.events.length
    await scene.charge(invoice, '392.41')
    assert.match(await scene.sheetOf(invoice), /Nothing was charged\. There isn’t enough money on the account\./)
    await scene.sendEvents(scene.saved.events.slice(begin))
    assert.deepEqual(await scene.money(invoice), ['sent', 0])
    const failures = (await scene.office.entries(invoice)).filter(({ tool }) => tool === 'invoices.payment_failed')
    assert.equal(failures.length, 1)
  })

  it('on a bank account stays pending until the bank accepts or rejects it', async () => {
    for (const isPaid of [true, false]) {
      const { invoice, link } = await owing({
        type: 'us_bank_account',
        about: { bank_name: 'B', last4: '1111' },
        result: 'processing',
      })
      await scene.charge(invoice, '392.41')
      const [intent] = scene.intentsOf(invoice)
      const browser = scene.browser()
      assert.match(pageTextOf(await browser.get(link)), /Your bank payment of \$392\.41 is being processed/)
      assert.equal((await browser.post(`${link}/pay`, { press: newId() })).status, 409)
      assert.equal((await scene.charge(invoice, '1')).status, 409)
      const begin = scene.saved.events.length
      if (isPaid) scene.saved.succeed(intent!)
      else scene.saved.decline(intent!, 'insufficient_funds')
      await scene.sendEvents(scene.saved.events.slice(begin))
      await scene.workOn(0)
      assert.deepEqual(
        (await scene.chargesOf(invoice)).map(({ state }) => state),
        [isPaid ? 'succeeded' : 'failed'],
      )
      assert.deepEqual(await scene.money(invoice), isPaid ? ['paid', TOTAL] : ['sent', 0])
      if (!isPaid) assert.match(pageTextOf(await browser.get(link)), /Your bank payment of \$392\.41 didn’t go through/)
    }
  })

  it('expires the checkout page, or is canceled if the customer already paid there', async () => {
    for (const isPaid of [false, true]) {
      const { invoice, link } = await owing()
      const browser = scene.browser()
      await browser.post(`${link}/pay`, { press: fieldValueOf((await browser.get(link)).text, 'press') })
      const page = scene.provider.started().find(({ asked }) => asked['client_reference_id'] === invoice)!
      if (isPaid) page.status = 'complete'
      await scene.charge(invoice, '392.41')
      assert.equal(page.status, isPaid ? 'complete' : 'expired')
      assert.deepEqual(scene.taken(invoice).length, isPaid ? 0 : 1)
      if (isPaid)
        assert.match(
          await scene.sheetOf(invoice),
          /Not charged The customer paid on the payment page in the meantime\./,
        )
    }
  })

  it('blocks payment on the checkout page while it is in progress', async () => {
    const { invoice, link } = await owing()
    let status = 0
    scene.saved.state.around = async (path, when) => {
      if (path.endsWith('/confirm') && when === 'before')
        status = (await scene.browser().post(`${link}/pay`, { press: newId() })).status
    }
    await scene.charge(invoice, '392.41')
    scene.saved.state.around = undefined
    assert.equal(status, 409)
    assert.equal(scene.taken(invoice).length, 1)
  })
})
