import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { freezeCompany, thawCompany } from '../../src/identity/companies/freeze.ts'
import { submit } from '../harness/identity/people_pages.ts'
import { TOTAL, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

describe('a charge that is interrupted', () => {
  /** Charges a card and runs some work just before the provider takes the money. */
  async function during(work: (invoice: string) => Promise<unknown>, when: 'create' | 'confirm') {
    const one = await scene.owing()
    let isDone = false
    scene.saved.state.around = async (path, phase) => {
      const isHere = when === 'confirm' ? path.endsWith('/confirm') : path === '/v1/payment_intents'
      if (!isHere || phase !== 'before' || isDone) return
      isDone = true
      await work(one.invoice)
    }
    await scene.charge(one.invoice, '392.41')
    scene.saved.state.around = undefined
    return one
  }

  it("isn't made if the card is removed first", async () => {
    const { invoice } = await during(async (id) => {
      const { customer_id } = await scene.read(id)
      await scene.office.browser.post(scene.office.at('customers', String(customer_id), 'saved'), {
        act: 'remove',
        id: '',
      })
    }, 'create')
    assert.deepEqual([scene.taken(invoice).length, (await scene.chargesOf(invoice))[0]!.state], [0, 'canceled'])
    assert.match(await scene.sheetOf(invoice), /Not charged/)
  })

  it("isn't made if the invoice is voided or paid first", async () => {
    for (const patch of [{ status: 'void' }, { status: 'paid' }]) {
      const { invoice } = await during(
        (id) =>
          patch.status === 'void'
            ? scene.office.call('invoices_void', { id, reason: 'mistake' })
            : scene.office.call('invoices_update', { id, ...patch }),
        'create',
      )
      assert.deepEqual([scene.taken(invoice).length, (await scene.chargesOf(invoice))[0]!.state], [0, 'canceled'])
    }
  })

  it('goes to review and shows as not booked if the invoice is voided at confirmation', async () => {
    const begin = scene.saved.events.length
    const { invoice } = await during((id) => scene.office.call('invoices_void', { id, reason: 'mistake' }), 'confirm')
    assert.equal(scene.taken(invoice).length, 1)
    assert.deepEqual(
      (await scene.chargesOf(invoice)).map(({ state, code }) => [state, code]),
      [['succeeded', 'not_booked_void']],
    )
    assert.match(
      await scene.sheetOf(invoice),
      /Charged, not booked The invoice changed in the meantime\. The payment waits in Quarantine\./,
    )
    await scene.sendEvents(scene.saved.events.slice(begin))
    const [{ n }] = (
      await scene.service.database.send([
        sql<{
          n: number
        }>`select count(*)::int as n from payment_events where state = 'review' and reason = 'void_invoice'`,
      ])
    )[0].rows as [{ n: number }]
    assert.ok(n > 0)
  })

  it("isn't made if the balance drops below the amount", async () => {
    const { invoice } = await during(
      (id) =>
        submit(scene.office.browser, scene.office.at('invoices', id, 'payment'), {
          amount_cents: '300',
          method: 'cash',
        }),
      'create',
    )
    assert.equal(scene.taken(invoice).length, 0)
    assert.deepEqual(await scene.money(invoice), ['partially_paid', 30_000])
  })

  it('is made once the provider is back, or canceled after an hour', async () => {
    for (const isLate of [false, true]) {
      const { invoice } = await scene.owing()
      scene.saved.state.around = async (path) => {
        if (path === '/v1/payment_intents') throw new Error('away')
      }
      const answer = await scene.charge(invoice, '392.41')
      assert.equal(answer.status, 303)
      assert.deepEqual(
        (await scene.chargesOf(invoice)).map(({ state }) => state),
        ['starting'],
      )
      scene.saved.state.around = undefined
      if (isLate)
        await scene.run(
          sql`update saved_charges set created_at = moment() - interval '61 minutes' where invoice_id = ${invoice}`,
        )
      await scene.workOn(0)
      assert.deepEqual(
        (await scene.chargesOf(invoice)).map(({ state }) => state),
        [isLate ? 'canceled' : 'succeeded'],
      )
      assert.equal(scene.taken(invoice).length, isLate ? 0 : 1)
    }
  })

  it('is booked after a company that was frozen during the charge is unfrozen', async () => {
    const { invoice } = await during(() => freezeCompany(scene.service.owner, scene.office.id), 'confirm')
    assert.equal(scene.taken(invoice).length, 1)
    await thawCompany(scene.service.owner, scene.office.id)
    assert.deepEqual(
      (await scene.chargesOf(invoice)).map(({ state }) => state),
      ['created'],
    )
    await scene.workOn(0)
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
  })

  it('is found by its payment for a refund and a dispute', async () => {
    const { invoice } = await scene.owing()
    await scene.charge(invoice, '392.41')
    const { charge, intent } = scene.taken(invoice)[0]!
    const event = (type: string, object: object) => ({
      id: `evt_${newId()}`,
      type,
      account: 'acct_ours',
      livemode: false,
      created: 1_900_000_000,
      data: { object },
    })
    await scene.sendEvents([
      event('charge.refunded', {
        id: charge,
        object: 'charge',
        payment_intent: intent,
        amount_refunded: 9_241,
        currency: 'usd',
        captured: true,
      }),
    ])
    assert.deepEqual(await scene.money(invoice), ['partially_paid', 30_000])
    await scene.sendEvents([
      event('charge.dispute.created', {
        id: `du_${newId()}`,
        charge,
        payment_intent: intent,
        amount: 30_000,
        currency: 'usd',
        reason: 'fraudulent',
      }),
    ])
    assert.match(await scene.sheetOf(invoice), /This invoice is disputed/)
  })
})
