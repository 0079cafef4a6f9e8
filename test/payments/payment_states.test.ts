import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { billingStateOf, type Billing } from '../../src/records/invoices/index.ts'
import { makeCompany, type Company, type TestService } from '../harness/harness.ts'
import {
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
let { invoiceOf, read, money, send, charged } = {} as PaymentScene
before(async () => {
  scene = await openPaymentScene()
  ;({ service, company, invoiceOf, read, money, send, charged } = scene)
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
const isDisputed = async (id: string): Promise<boolean> =>
  (
    await scene.all<{ disputed: boolean }>(
      sql`select disputed from invoices where tenant_id = ${company.tenant} and id = ${id}`,
    )
  )[0]!.disputed
const billing = (id: string, tenant = company.tenant): Promise<Billing> =>
  readTenant(service.database, { tenant }, (db) => billingStateOf(db, id))

describe('a dispute', () => {
  const dispute = (type: string, invoice: string, id: string, more: object): Promise<StoredEvent> =>
    send(`charge.dispute.${type}`, invoice, { id, object: 'dispute', charge: `ch_${invoice}`, amount: 10_000, ...more })

  it('flags the invoice until it is closed, and takes back the money if lost', async () => {
    const { id } = await invoiceOf()
    await charged(id, 10_000)
    const [won, lost] = [newProviderId('dp'), newProviderId('dp')]
    await dispute('created', id, won, { status: 'needs_response' })
    assert.equal(await isDisputed(id), true)
    await dispute('created', id, lost, { status: 'needs_response' })
    await dispute('closed', id, won, { status: 'won' })
    assert.deepEqual([await isDisputed(id), ...(await money(id))], [true, 'paid', 10_000, 0])
    await dispute('closed', id, lost, { status: 'lost', amount: 2_500 })
    await dispute('closed', id, lost, { status: 'lost', amount: 2_500 })
    assert.deepEqual([await isDisputed(id), ...(await money(id))], [false, 'partially_paid', 7_500, 2_500])
  })

  it('stays closed if its created event arrives after the closed event', async () => {
    const { id } = await invoiceOf()
    const dp = newProviderId('dp')
    await dispute('closed', id, dp, { status: 'won' })
    await dispute('created', id, dp, { status: 'needs_response' })
    assert.equal(await isDisputed(id), false)
  })

  it("appears once opened and once closed in the invoice's activity, and never in invoices_get", async () => {
    const { id } = await invoiceOf()
    await charged(id, 10_000)
    const [won, lost, other] = [newProviderId('dp'), newProviderId('dp'), newProviderId('dp')]
    for (const dp of [won, won, lost]) await dispute('created', id, dp, { reason: 'fraudulent' })
    for (const end of ['won', 'won']) await dispute('closed', id, won, { status: end })
    for (const end of ['lost', 'lost']) await dispute('closed', id, lost, { status: end, amount: 2_500 })
    await dispute('closed', id, other, { status: 'warning_closed' })
    const told = (await activityOf(scene, id)).slice(1)
    assert.deepEqual(
      told.map(({ tool, changed }) => [tool, changed]),
      [
        [
          'invoices.dispute_opened',
          { disputed: [false, true], dispute: [null, won], amount_cents: [null, 10_000], reason: [null, 'fraudulent'] },
        ],
        [
          'invoices.dispute_opened',
          { dispute: [null, lost], amount_cents: [null, 10_000], reason: [null, 'fraudulent'] },
        ],
        ['invoices.dispute_won', { dispute: [null, won], outcome: [null, 'won'] }],
        [
          'invoices.dispute_lost',
          {
            status: ['paid', 'partially_paid'],
            amount_paid_cents: [10_000, 7_500],
            disputed: [true, false],
            dispute: [null, lost],
            outcome: [null, 'lost'],
            amount_cents: [null, 2_500],
          },
        ],
        ['invoices.dispute_closed', { dispute: [null, other], outcome: [null, 'warning_closed'] }],
      ],
    )
    assert.deepEqual(
      Object.keys(await read(id)).filter((name) => name.includes('disput')),
      [],
    )
  })
})

describe('the billing state of an invoice', () => {
  it("lists disputes and payments with the provider's ids", async () => {
    const { id } = await invoiceOf()
    const [event, ch, dp, odd] = [newProviderId('evt'), charge(10_000), newProviderId('dp'), newProviderId('dp')]
    assert.deepEqual(await billing(id), { disputed: false, bank_payment: null, disputes: [], payments: [], tips: [] })
    await send('charge.succeeded', id, ch, { id: event })
    await send('charge.dispute.created', id, { id: dp, amount: 'x', reason: 'a b', charge: ch.id })
    await send('charge.dispute.created', id, { id: odd, amount: 10_000, reason: 'fraudulent', charge: ch.id })
    const { disputed, disputes, payments } = await billing(id)
    assert.equal(disputed, true)
    assert.deepEqual(
      disputes.map(({ dispute, amount_cents, reason, outcome, closed, closed_at }) => [
        dispute,
        amount_cents,
        reason,
        outcome,
        closed,
        closed_at,
      ]),
      [
        [odd, 10_000, 'fraudulent', null, false, null],
        [dp, null, null, null, false, null],
      ],
    )
    assert.deepEqual(
      payments.map(({ kind, amount_cents, charge, event_id }) => [kind, amount_cents, charge, event_id]),
      [['charge', 10_000, ch.id, event]],
    )
    for (const one of [dp, odd]) await send('charge.dispute.closed', id, { id: one, status: 'won' })
    const after = await billing(id)
    assert.deepEqual(
      [
        after.disputed,
        after.disputes.map(({ outcome, closed }) => [outcome, closed]),
        after.disputes.every(({ closed_at }) => closed_at !== null),
      ],
      [
        false,
        [
          ['won', true],
          ['won', true],
        ],
        true,
      ],
    )
  })

  it('lists a manual payment without provider ids', async () => {
    const { id } = await invoiceOf(10_000, 'paid')
    assert.deepEqual(
      (await billing(id)).payments.map(({ kind, amount_cents, charge, event_id }) => [
        kind,
        amount_cents,
        charge,
        event_id,
      ]),
      [['manual', 10_000, null, null]],
    )
  })

  it('returns not found for another company', async () => {
    const other = await makeCompany(service)
    const { id } = await invoiceOf()
    await assert.rejects(billing(id, other.tenant), /invoice not found/)
  })
})

describe('a failed payment', () => {
  const sendFailure = (id: string, object: object, type = 'charge.failed'): Promise<StoredEvent> =>
    send(type, id, { id: newProviderId('ch'), object: 'charge', amount: 10_000, ...object })

  it('adds an activity entry without a user and leaves the invoice unchanged', async () => {
    const { id } = await invoiceOf()
    const before = await read(id)
    const { state } = await sendFailure(id, {
      id: 'ch_declined',
      failure_code: 'card_declined',
      failure_message: 'Your card was declined.',
    })
    assert.equal(state, 'applied')
    assert.deepEqual(await activityOf(scene, id), [
      {
        tool: 'invoices.payment_failed',
        user_id: null,
        client: 'payments provider',
        record_type: 'invoice',
        changed: {
          attempt: [null, 'ch_declined'],
          amount_cents: [null, 10_000],
          code: [null, 'card_declined'],
          message: [null, 'Your card was declined.'],
        },
      },
    ])
    assert.deepEqual([await read(id), (await paymentsOf(id)).length], [before, 0])
  })

  it('adds one entry for its charge and intent in any order, and one for each further attempt', async () => {
    const intent = (ch: string | undefined): object => ({
      id: 'pi_1',
      object: 'payment_intent',
      latest_charge: null,
      last_payment_error: {
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'No funds',
        charge: ch,
      },
    })
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { id } = await invoiceOf()
      const ch = newProviderId('ch')
      const tell = [
        () => sendFailure(id, { id: ch, payment_intent: 'pi_1' }),
        () => sendFailure(id, intent(ch), 'payment_intent.payment_failed'),
      ]
      const states = []
      for (const i of order) states.push((await tell[i]!()).reason)
      assert.deepEqual(states, [null, 'already_counted'])
      assert.equal((await activityOf(scene, id)).length, 1)
      await sendFailure(id, intent(undefined), 'payment_intent.payment_failed')
      await sendFailure(id, { id: newProviderId('ch') })
      assert.equal((await activityOf(scene, id)).length, 3)
    }
  })

  it('is recorded for another currency, an unreadable amount and a void invoice', async () => {
    const { id } = await invoiceOf()
    await company.call('invoices_void', { id })
    for (const object of [
      { currency: 'eur' },
      { amount: 'x' },
      { amount: -1, failure_message: 'a\0b', failure_code: 'with space' },
    ])
      assert.equal((await sendFailure(id, object)).state, 'applied')
    assert.deepEqual(
      (await activityOf(scene, id)).map(({ changed }) => [
        changed['amount_cents'],
        changed['message'],
        changed['code'],
      ]),
      [
        [[null, 10_000], undefined, undefined],
        [undefined, undefined, undefined],
        [undefined, [null, 'ab'], undefined],
      ],
    )
  })
})
