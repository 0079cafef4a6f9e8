import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { COMMAND_LINE } from '../../src/identity/people/review_scope.ts'
import { listParkedEvents } from '../../src/payments/events/parked_events.ts'
import { assignParkedEvent, openParkedEvent } from '../../src/payments/events/parked_review.ts'
import { makeCompany } from '../harness/harness.ts'
import {
  activityOf,
  charge,
  newProviderId,
  openPaymentScene,
  type StoredEvent,
  type PaymentScene,
} from '../harness/money/payments.ts'

let scene: PaymentScene
let { invoiceOf, money, send, charged, work, readEvent } = {} as PaymentScene
before(async () => {
  scene = await openPaymentScene()
  ;({ invoiceOf, money, send, charged, work, readEvent } = scene)
})
after(async () => {
  assert.deepEqual(scene.lines, [])
  await scene.service.stop()
})

/** Returns a provider payment: an intent with a charge. Its later events carry no metadata. */
function payment(amount = 10_000) {
  const [pi, ch] = [newProviderId('pi'), newProviderId('ch')]
  const of = { charge: ch, payment_intent: pi, metadata: {} }
  return {
    pi,
    ch,
    charge: (more: object = {}) =>
      charge(amount, {
        id: ch,
        payment_intent: pi,
        amount_captured: amount,
        amount_refunded: 0,
        metadata: {},
        ...more,
      }),
    refund: (cents: number, more: object = {}) => ({
      id: newProviderId('re'),
      object: 'refund',
      amount: cents,
      status: 'succeeded',
      ...of,
      ...more,
    }),
    dispute: (more: object = {}) => ({
      id: newProviderId('dp'),
      object: 'dispute',
      amount,
      reason: 'fraudulent',
      status: 'needs_response',
      ...of,
      ...more,
    }),
  }
}
const tell = (type: string, object: object, how: Parameters<PaymentScene['send']>[3] = {}): Promise<StoredEvent> =>
  send(type, null, object, how)
const paid = async (cents = 10_000) => {
  const [{ id }, made] = [await invoiceOf(), payment(cents)]
  await send('charge.succeeded', id, made.charge({ metadata: { invoice_id: id } }))
  return { ...made, id: id as string }
}
const isDisputed = async (id: string): Promise<boolean> =>
  (
    await scene.all<{ disputed: boolean }>(
      sql`select disputed from invoices where tenant_id = ${scene.company.tenant} and id = ${id}`,
    )
  )[0]!.disputed

describe('a refund without metadata', () => {
  it('finds the invoice by intent, charge or expanded object', async () => {
    const { id, pi, ch, refund } = await paid()
    for (const names of [
      {},
      { payment_intent: null },
      { charge: null },
      { charge: { id: ch, object: 'charge' }, payment_intent: { id: pi } },
    ]) {
      assert.equal((await tell('refund.created', refund(1_000, names))).state, 'applied')
    }
    assert.deepEqual(await money(id), ['partially_paid', 6_000, 4_000])
  })

  it('finds the invoice when only the payment intent was reported', async () => {
    const [{ id }, { pi, ch, refund }] = [await invoiceOf(), payment()]
    await send('payment_intent.succeeded', id, {
      id: pi,
      object: 'payment_intent',
      amount: 10_000,
      amount_received: 10_000,
      latest_charge: ch,
    })
    await tell('refund.created', refund(2_500, { payment_intent: null }))
    assert.deepEqual(await money(id), ['partially_paid', 7_500, 2_500])
  })

  it('waits for an unknown payment and is applied once the payment arrives', async () => {
    const [{ id }, made] = [await invoiceOf(), payment()]
    const early = [
      await tell('refund.created', made.refund(1_000)),
      await tell('charge.dispute.created', made.dispute()),
    ]
    assert.deepEqual(
      early.map(({ state, reason }) => [state, reason]),
      [
        ['stored', 'unknown_payment'],
        ['stored', 'unknown_payment'],
      ],
    )
    assert.deepEqual([await money(id), await isDisputed(id)], [['sent', 0, 10_000], false])
    await send('charge.succeeded', id, made.charge({ metadata: { invoice_id: id } }))
    await work()
    assert.deepEqual([await money(id), await isDisputed(id)], [['partially_paid', 9_000, 1_000], true])
    assert.deepEqual(
      await scene.all(
        sql`select from payment_waits where tenant_id = ${scene.company.tenant} and name = any(${[made.pi, made.ch]})`,
      ),
      [],
    )
  })

  it('for a payment unrelated to any invoice is never listed for review', async () => {
    const { refund, dispute } = payment()
    const [one, two] = [await tell('refund.created', refund(1_000)), await tell('charge.dispute.created', dispute())]
    const { rows } = await listParkedEvents(scene.service.database, COMMAND_LINE, { limit: 200 })
    assert.ok(!rows.some(({ id }) => id === one.id || id === two.id))
  })

  it('waits for an unconnected account, and is stored as no_invoice without an account', async () => {
    const { id, refund } = await paid()
    const events = [
      await tell('refund.created', refund(1_000), { account: 'acct_later' }),
      await tell('refund.created', refund(1_000), { account: null }),
    ]
    assert.deepEqual(
      events.map(({ state, reason }) => [state, reason]),
      [
        ['unrouted', 'unknown_account'],
        ['stored', 'no_invoice'],
      ],
    )
    const { rows } = await listParkedEvents(scene.service.database, COMMAND_LINE, { limit: 200 })
    assert.ok(!rows.some((event) => event.id === events[0]!.id))
    await connectPaymentAccount(scene.service.database, null, scene.company.tenant, 'acct_later')
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 9_000, 1_000])
  })

  it("doesn't affect the invoice when it comes through another company's account", async () => {
    const { id, refund } = await paid()
    const other = await makeCompany(scene.service)
    await connectPaymentAccount(scene.service.database, null, other.tenant, 'acct_theirs')
    assert.equal((await tell('refund.created', refund(1_000), { account: 'acct_theirs' })).reason, 'unknown_payment')
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe("an event that doesn't match the payment's invoice", () => {
  it('goes to review with reason other_invoice, and can be assigned', async () => {
    const [{ id, ...made }, { id: other }] = [await paid(), await invoiceOf()]
    const held = [
      await send('refund.created', other, made.refund(1_000, { metadata: { invoice_id: other } })),
      await send('payment_intent.succeeded', other, {
        id: made.pi,
        object: 'payment_intent',
        amount_received: 10_000,
        latest_charge: made.ch,
      }),
    ]
    assert.deepEqual(
      held.map(({ state, reason }) => [state, reason]),
      [
        ['review', 'other_invoice'],
        ['review', 'other_invoice'],
      ],
    )
    assert.deepEqual(
      [await money(id), await money(other)],
      [
        ['paid', 10_000, 0],
        ['sent', 0, 10_000],
      ],
    )
    const shown = await openParkedEvent(scene.service.database, COMMAND_LINE, held[0]!.id)
    assert.deepEqual([shown.invoice_id, shown.effect, shown.amount_cents], [id, 'refund', 1_000])
    await assignParkedEvent(scene.service.database, COMMAND_LINE, held[0]!.id, {
      tenant: scene.company.tenant,
      invoice: id,
    })
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 9_000, 1_000])
  })

  it('goes to review if the refund is for a void invoice or in another currency', async () => {
    const { id, refund } = await paid()
    await scene.company.call('invoices_void', { id })
    const made = await tell('refund.created', refund(1_000))
    assert.deepEqual([made.state, made.reason], ['review', 'void_invoice'])
    const { refund: other } = await paid()
    const euros = await tell('refund.created', other(1_000, { currency: 'eur' }))
    assert.deepEqual([euros.state, euros.reason], ['review', 'other_currency'])
  })

  it("brings the payment's refund along when the payment is assigned to another invoice", async () => {
    const [{ id: dead }, { id }, made] = [await invoiceOf(), await invoiceOf(), payment()]
    await scene.company.call('invoices_void', { id: dead })
    const held = await send('charge.succeeded', dead, made.charge({ metadata: { invoice_id: dead } }))
    assert.equal((await tell('refund.created', made.refund(4_000))).reason, 'unknown_payment')
    await assignParkedEvent(scene.service.database, COMMAND_LINE, held.id, {
      tenant: scene.company.tenant,
      invoice: id,
    })
    await work()
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 6_000, 4_000])
  })
})

describe('a failed refund that was already booked', () => {
  it('is reversed once, no matter how many events report the failure', async () => {
    const { id, refund } = await paid()
    const re = refund(4_000)
    await tell('refund.created', re)
    assert.deepEqual(await money(id), ['partially_paid', 6_000, 4_000])
    for (const type of ['refund.failed', 'refund.updated', 'charge.refund.updated', 'refund.failed'])
      await tell(type, { ...re, status: 'failed', failure_reason: 'lost_or_stolen_card' })
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.equal((await tell('refund.created', re)).reason, 'already_counted')
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.deepEqual(
      (await activityOf(scene, id)).map(({ tool, changed }) => [tool, changed['amount_cents']]),
      [
        ['invoices.payment_received', [null, 10_000]],
        ['invoices.payment_refunded', [null, 4_000]],
        ['invoices.refund_failed', [null, 4_000]],
      ],
    )
  })

  it('is reversed if only the charge total reported it, and an equal later refund still counts', async () => {
    const { id, charge: ofCharge, refund } = await paid()
    const sum = (amount_refunded: number, created: number): Promise<StoredEvent> =>
      tell('charge.refunded', ofCharge({ amount_refunded }), { created })
    await sum(3_000, 1_800_000_000)
    await tell('refund.failed', refund(3_000, { status: 'failed', created: 1_800_000_000 }), { created: 1_800_000_100 })
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    await sum(3_000, 1_800_000_200)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
    await sum(3_000, 1_800_000_000)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
  })

  it("is treated the same if canceled, and isn't booked at all if canceled first", async () => {
    const { id, refund } = await paid()
    const re = refund(1_000)
    assert.equal((await tell('refund.updated', { ...re, status: 'canceled' })).state, 'stored')
    assert.equal((await tell('refund.created', re)).state, 'applied')
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })

  it('keeps the balance right if the invoice was marked as paid in the meantime', async () => {
    const { id, refund } = await paid()
    const re = refund(4_000)
    await tell('refund.created', re)
    await scene.company.call('invoices_update', { id, status: 'paid' })
    await tell('refund.failed', { ...re, status: 'failed' })
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe('an authorization', () => {
  it('finds the invoice when its capture event has no metadata', async () => {
    const [{ id }, made] = [await invoiceOf(), payment()]
    assert.deepEqual(
      [
        (
          await send(
            'charge.succeeded',
            id,
            made.charge({ captured: false, amount_captured: 0, metadata: { invoice_id: id } }),
          )
        ).reason,
        await money(id),
      ],
      ['no_money', ['sent', 0, 10_000]],
    )
    await tell('charge.captured', made.charge({ amount_captured: 9_000 }))
    assert.deepEqual(await money(id), ['partially_paid', 9_000, 1_000])
  })

  it('has no effect when released without a capture', async () => {
    const [{ id }, made] = [await invoiceOf(), payment()]
    const released = await send(
      'charge.refunded',
      id,
      made.charge({ captured: false, amount_captured: 0, amount_refunded: 10_000, metadata: { invoice_id: id } }),
    )
    assert.deepEqual([released.state, await money(id)], ['stored', ['sent', 0, 10_000]])
  })
})

describe('a dispute without metadata', () => {
  it('flags the invoice, and takes back the money if lost', async () => {
    const { id, dispute } = await paid()
    const dp = dispute()
    await tell('charge.dispute.created', dp)
    assert.equal(await isDisputed(id), true)
    await tell('charge.dispute.closed', { ...dp, status: 'lost' })
    assert.deepEqual([await isDisputed(id), await money(id)], [false, ['sent', 0, 10_000]])
  })
})

describe('a first payment event', () => {
  it('without an invoice is stored as no_invoice', async () => {
    const { state, reason } = await charged(null, 5_000)
    assert.deepEqual([state, reason, await readEvent('evt_none')], ['stored', 'no_invoice', undefined])
  })
})
