import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, type Company, type TestService } from '../harness/harness.ts'
import {
  ACCOUNT,
  activityOf,
  charge,
  newProviderId,
  openPaymentScene,
  type StoredEvent,
  type PaymentScene,
} from '../harness/money/payments.ts'

let scene: PaymentScene
let service: TestService
let company: Company
let { invoiceOf, read, money, send, charged, readEvent, work } = {} as PaymentScene
before(async () => {
  scene = await openPaymentScene()
  ;({ service, company, invoiceOf, read, money, send, charged, readEvent, work } = scene)
})
after(async () => {
  assert.deepEqual(scene.lines, [])
  await service.stop()
})

type Payment = { kind: string; amount_cents: number; source: string | null; charge: string | null }
const paymentsOf = (id: string): Promise<Payment[]> =>
  scene.all<Payment>(
    sql`select kind, amount_cents, source, charge from payments where tenant_id = ${company.tenant} and invoice_id = ${id} order by at, id`,
  )
describe('a payment event', () => {
  it('sets partially_paid for a partial payment and paid for the rest', async () => {
    const { id } = await invoiceOf()
    const first = await charged(id, 4_000)
    assert.equal(first.state, 'applied')
    assert.deepEqual(await money(id), ['partially_paid', 4_000, 6_000])
    assert.equal((await read(id))['paid_at'], null)
    await charged(id, 6_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.notEqual((await read(id))['paid_at'], null)
    assert.deepEqual(
      (await paymentsOf(id)).map(({ kind, amount_cents, source }) => [kind, amount_cents, source === first.id]),
      [
        ['charge', 4_000, true],
        ['charge', 6_000, false],
      ],
    )
  })

  it('books a payment intent', async () => {
    const { id } = await invoiceOf()
    await send('payment_intent.succeeded', id, {
      id: newProviderId('pi'),
      object: 'payment_intent',
      amount: 10_000,
      amount_received: 9_000,
    })
    assert.deepEqual(await money(id), ['partially_paid', 9_000, 1_000])
  })

  it('books a payment once for its charge, intent and capture events in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      const { id } = await invoiceOf()
      const [pi, ch] = [newProviderId('pi'), newProviderId('ch')]
      const tell = [
        () =>
          send('payment_intent.succeeded', id, {
            id: pi,
            object: 'payment_intent',
            amount_received: 5_000,
            latest_charge: ch,
          }),
        () => send('charge.succeeded', id, charge(5_000, { id: ch, payment_intent: pi })),
        () =>
          send('charge.captured', id, charge(5_000, { id: ch, payment_intent: { id: pi, object: 'payment_intent' } })),
      ]
      for (const i of order) await tell[i]!()
      assert.deepEqual(await money(id), ['partially_paid', 5_000, 5_000])
    }
  })

  it('books an authorization only after capture, with the captured amount', async () => {
    const { id } = await invoiceOf()
    const object = charge(5_000, { captured: false })
    assert.equal((await send('charge.succeeded', id, object)).state, 'stored')
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    await send('charge.captured', id, { ...object, captured: true, amount_captured: 4_500 })
    assert.deepEqual(await money(id), ['partially_paid', 4_500, 5_500])
  })

  it('is booked on a draft invoice, which it issues, and on an uncollectible one', async () => {
    const draft = await invoiceOf(10_000, 'draft')
    await charged(draft['id'], 1_000)
    const paid = await read(draft['id'])
    assert.deepEqual([paid['status'], paid['location_address']], ['partially_paid', draft['location_address']])
    const { id } = await invoiceOf(10_000, 'uncollectible')
    await charged(id, 10_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })

  it('books an overpayment, and a charge on an invoice already marked as paid', async () => {
    const over = await invoiceOf()
    await charged(over['id'], 12_000)
    assert.deepEqual(await money(over['id']), ['paid', 12_000, 0])
    const { id } = await invoiceOf(10_000, 'paid')
    await charged(id, 4_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.deepEqual((await paymentsOf(id)).map(({ kind, amount_cents }) => [kind, amount_cents]).sort(), [
      ['charge', 4_000],
      ['manual', 6_000],
    ])
  })

  it('books a platform payment for the company of the destination account', async () => {
    const { id } = await invoiceOf()
    await charged(id, 10_000, { transfer_data: { destination: ACCOUNT } }, { account: null, endpoint: 'platform' })
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe('a refund event', () => {
  const sendChargeRefund = (invoice: string, ch: object, sum: number): Promise<StoredEvent> =>
    send('charge.refunded', invoice, { ...ch, amount_refunded: sum })
  const refund = (invoice: string, { id }: { id: string }, amount: number, more: object = {}): Promise<StoredEvent> =>
    send('refund.created', invoice, {
      id: newProviderId('re'),
      object: 'refund',
      charge: id,
      amount,
      status: 'succeeded',
      ...more,
    })

  it('sets partially_paid for a partial refund and sent for a full one', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await send('charge.succeeded', id, ch)
    await sendChargeRefund(id, ch, 3_000)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
    assert.equal((await read(id))['paid_at'], null)
    await sendChargeRefund(id, ch, 10_000)
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    assert.deepEqual(
      (await paymentsOf(id)).map(({ kind, amount_cents }) => [kind, amount_cents]),
      [
        ['charge', 10_000],
        ['refund', -3_000],
        ['refund', -7_000],
      ],
    )
  })

  it('books a refund once for charge totals and single refunds in any order', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await sendChargeRefund(id, ch, 3_000)
    await send('charge.succeeded', id, ch)
    await refund(id, ch, 1_000)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
    await refund(id, ch, 2_000)
    await refund(id, ch, 4_000)
    assert.deepEqual(await money(id), ['partially_paid', 3_000, 7_000])
    await sendChargeRefund(id, ch, 1_000)
    await sendChargeRefund(id, ch, 7_000)
    assert.deepEqual(await money(id), ['partially_paid', 3_000, 7_000])
  })

  it('has no effect while the refund is pending, failed or canceled', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await send('charge.succeeded', id, ch)
    for (const status of ['pending', 'failed', 'canceled'])
      assert.equal((await refund(id, ch, 1_000, { status })).state, 'stored')
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe('the activity of an invoice', () => {
  it('lists each payment and refund once, with the changes it made', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    for (const type of ['charge.succeeded', 'charge.captured']) await send(type, id, ch)
    for (const sum of [3_000, 3_000]) await send('charge.refunded', id, { ...ch, amount_refunded: sum })
    assert.deepEqual(
      (await activityOf(scene, id)).map(({ tool, changed }) => [tool, changed]),
      [
        [
          'invoices.payment_received',
          {
            status: ['sent', 'paid'],
            amount_paid_cents: [0, 10_000],
            amount_cents: [null, 10_000],
            charge: [null, ch.id],
          },
        ],
        [
          'invoices.payment_refunded',
          {
            status: ['paid', 'partially_paid'],
            amount_paid_cents: [10_000, 7_000],
            amount_cents: [null, 3_000],
            charge: [null, ch.id],
          },
        ],
      ],
    )
  })
})

describe('a payment event without effect', () => {
  it('names no invoice, or none of the company that owns the account', async () => {
    const other = await makeCompany(service)
    const { id: theirs } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const foreign = (
      await other.call('invoices_create', { customer_id: theirs, line_items: [{ name: 'x', unit_price_cents: 100 }] })
    )['id']
    for (const [invoice, reason] of [
      [null, 'no_invoice'],
      ['x', 'no_invoice'],
      [newId(), 'unknown_invoice'],
      [foreign, 'unknown_invoice'],
    ] as const) {
      const { state, reason: why } = await charged(invoice as string, 100)
      assert.deepEqual([state, why], ['stored', reason])
    }
    assert.equal((await other.call('invoices_get', { id: foreign }))['amount_paid_cents'], 0)
  })

  it("waits as unrouted if its account isn't connected, and is applied after the connection", async () => {
    const { id } = await invoiceOf()
    const event = newProviderId('evt')
    for (const account of [null, 'acct_later', 'acct_later2'])
      assert.equal(
        (await charged(id, 1_000, {}, { account, ...(account === 'acct_later' ? { id: event } : {}) })).state,
        'unrouted',
      )
    assert.deepEqual(
      await charged(null, 1_000, {}, { account: 'acct_later' }).then(({ state, reason }) => [state, reason]),
      ['stored', 'no_invoice'],
    )
    await connectPaymentAccount(service.database, null, company.tenant, 'acct_later')
    await work()
    assert.equal((await readEvent(event)).state, 'applied')
    assert.deepEqual(await money(id), ['partially_paid', 1_000, 9_000])
  })

  it('has an unsupported type', async () => {
    const { id } = await invoiceOf()
    for (const type of ['payout.paid', 'charge.updated', 'v2.core.account_link.returned', 'invoice.paid', '__proto__'])
      assert.equal((await send(type, id, charge(1_000))).state, 'stored')
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
  })
})
