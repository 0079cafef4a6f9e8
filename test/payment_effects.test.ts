import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../src/db/database.ts'
import { writeTenant } from '../src/db/tenant.ts'
import { connectPaymentAccount, discardParkedEvent, findParkedBytes, listParkedEvents, replayParkedEvent } from '../src/messages/parked_events.ts'
import { newId } from '../src/shape/id.ts'
import { CHORES } from '../src/worker/chores.ts'
import { enrolAll, runDue } from '../src/worker/worker.ts'
import { makeCompany, startTestService } from './harness.ts'
import type { Company, Result, TestService } from './harness.ts'
import { WEBHOOK_ENV, providerOf } from './webhook_calls.ts'
import { remembering } from './workers.ts'

let service: TestService
let company: Company
let customer: string
let provider: ReturnType<typeof providerOf>
let work: () => Promise<unknown>
let now = Temporal.Now.instant()
const ACCOUNT = 'acct_ours'
const { log, lines } = remembering()
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeCompany(service)
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana', locations: [{ address_line1: '1 Elm' }] }))['id']
  await connectPaymentAccount(service.database, null, company.tenant, ACCOUNT)
  const chores = CHORES.filter(({ name }) => name.startsWith('payment_'))
  const shop = { database: service.database, log, clock: () => now, stopping: new AbortController().signal }
  await enrolAll(shop, chores)
  work = () => {
    now = now.add({ seconds: 20 })
    return runDue(shop, chores)
  }
})
after(async () => {
  assert.deepEqual(lines, [])
  await service.stop()
})

const invoiceOf = (cents = 10_000, status = 'sent'): Promise<Result> => company.call('invoices_create', { customer_id: customer, line_items: [{ name: 'x', unit_price_cents: cents }] })
  .then((made) => (status === 'draft' ? made : company.call('invoices_update', { id: made['id'], status })))
const read = (id: string): Promise<Result> => company.call('invoices_get', { id })
const money = async (id: string): Promise<unknown[]> => {
  const { status, amount_paid_cents, balance_due_cents } = await read(id)
  return [status, amount_paid_cents, balance_due_cents]
}
type Payment = { kind: string; amount_cents: number; source: string | null; charge: string | null }
const inTenant = <T>(query: ReturnType<typeof sql>): Promise<T[]> => writeTenant(service.database, { tenant: company.tenant }, (db) => db.all<T>(query))
const paymentsOf = (id: string): Promise<Payment[]> =>
  inTenant<Payment>(sql`select kind, amount_cents, source, charge from payments where tenant_id = ${company.tenant} and invoice_id = ${id} order by at, id`)
const disputed = async (id: string): Promise<boolean> =>
  (await inTenant<{ disputed: boolean }>(sql`select disputed from invoices where tenant_id = ${company.tenant} and id = ${id}`))[0]!.disputed

const fresh = (kind: string): string => `${kind}_${newId()}`
type Made = { id: string; state: string; reason: string | null }
/** Sends an event about an object that names the invoice, and has the worker apply it. */
async function send(type: string, invoice: string | null, object: object, { account = ACCOUNT as string | null, id = fresh('evt'), endpoint = 'connect' as 'connect' | 'platform' } = {}): Promise<Made> {
  const event = { id, type, account, livemode: false, data: { object: { currency: 'usd', ...(invoice === null ? {} : { metadata: { invoice_id: invoice } }), ...object } } }
  assert.equal((await provider.event(event, endpoint)).status, 200)
  await work()
  return ended(id)
}
const ended = async (id: string): Promise<Made> => (await service.database.send([sql`select id, state, reason from payment_events where event_id = ${id}`]))[0]!.rows[0] as Made
const charge = (amount: number, more: object = {}) => ({ id: fresh('ch'), object: 'charge', amount, captured: true, ...more })
const charged = (invoice: string, amount: number, more: object = {}, how = {}): Promise<Made> => send('charge.succeeded', invoice, charge(amount, more), how)

describe('money comes', () => {
  it('in part, then the rest: partially_paid, then paid', async () => {
    const { id } = await invoiceOf()
    const first = await charged(id, 4_000)
    assert.equal(first.state, 'applied')
    assert.deepEqual(await money(id), ['partially_paid', 4_000, 6_000])
    assert.equal((await read(id))['paid_at'], null)
    await charged(id, 6_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.notEqual((await read(id))['paid_at'], null)
    assert.deepEqual((await paymentsOf(id)).map(({ kind, amount_cents, source }) => [kind, amount_cents, source === first.id]), [['charge', 4_000, true], ['charge', 6_000, false]])
  })

  it('as a payment intent', async () => {
    const { id } = await invoiceOf()
    await send('payment_intent.succeeded', id, { id: fresh('pi'), object: 'payment_intent', amount: 10_000, amount_received: 9_000 })
    assert.deepEqual(await money(id), ['partially_paid', 9_000, 1_000])
  })

  it('once, though its charge, its intent and its capture all tell of it, in any order', async () => {
    for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) {
      const { id } = await invoiceOf()
      const [pi, ch] = [fresh('pi'), fresh('ch')]
      const tell = [
        () => send('payment_intent.succeeded', id, { id: pi, object: 'payment_intent', amount_received: 5_000, latest_charge: ch }),
        () => send('charge.succeeded', id, charge(5_000, { id: ch, payment_intent: pi })),
        () => send('charge.captured', id, charge(5_000, { id: ch, payment_intent: { id: pi, object: 'payment_intent' } })),
      ]
      for (const i of order) await tell[i]!()
      assert.deepEqual(await money(id), ['partially_paid', 5_000, 5_000])
    }
  })

  it('only when it is captured', async () => {
    const { id } = await invoiceOf()
    const object = charge(5_000, { captured: false })
    assert.equal((await send('charge.succeeded', id, object)).state, 'stored')
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    await send('charge.captured', id, { ...object, captured: true, amount_captured: 4_500 })
    assert.deepEqual(await money(id), ['partially_paid', 4_500, 5_500])
  })

  it('for a draft, which it takes out of draft, and for what was written off', async () => {
    const draft = await invoiceOf(10_000, 'draft')
    await charged(draft['id'], 1_000)
    const paid = await read(draft['id'])
    assert.deepEqual([paid['status'], paid['location_address']], ['partially_paid', draft['location_address']])
    const { id } = await invoiceOf(10_000, 'uncollectible')
    await charged(id, 10_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })

  it('beyond the total, and for an invoice that was marked paid by hand', async () => {
    const over = await invoiceOf()
    await charged(over['id'], 12_000)
    assert.deepEqual(await money(over['id']), ['paid', 12_000, 0])
    const { id } = await invoiceOf(10_000, 'paid')
    await charged(id, 4_000)
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
    assert.deepEqual((await paymentsOf(id)).map(({ kind, amount_cents }) => [kind, amount_cents]).sort(), [['charge', 4_000], ['manual', 6_000]])
  })

  it('through the platform, to the account that is its destination', async () => {
    const { id } = await invoiceOf()
    await charged(id, 10_000, { transfer_data: { destination: ACCOUNT } }, { account: null, endpoint: 'platform' })
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe('money goes back', () => {
  const refunded = (invoice: string, ch: object, sum: number): Promise<Made> => send('charge.refunded', invoice, { ...ch, amount_refunded: sum })
  const refund = (invoice: string, { id }: { id: string }, amount: number, more: object = {}): Promise<Made> => send('refund.created', invoice, { id: fresh('re'), object: 'refund', charge: id, amount, status: 'succeeded', ...more })

  it('in part, then all of it: partially_paid, then sent', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await send('charge.succeeded', id, ch)
    await refunded(id, ch, 3_000)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
    assert.equal((await read(id))['paid_at'], null)
    await refunded(id, ch, 10_000)
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    assert.deepEqual((await paymentsOf(id)).map(({ kind, amount_cents }) => [kind, amount_cents]), [['charge', 10_000], ['refund', -3_000], ['refund', -7_000]])
  })

  it('once, though sums and single refunds tell of it, in any order', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await refunded(id, ch, 3_000)
    await send('charge.succeeded', id, ch)
    await refund(id, ch, 1_000)
    assert.deepEqual(await money(id), ['partially_paid', 7_000, 3_000])
    await refund(id, ch, 2_000)
    await refund(id, ch, 4_000)
    assert.deepEqual(await money(id), ['partially_paid', 3_000, 7_000])
    await refunded(id, ch, 1_000)
    await refunded(id, ch, 7_000)
    assert.deepEqual(await money(id), ['partially_paid', 3_000, 7_000])
  })

  it('not while the refund waits, nor when it failed', async () => {
    const { id } = await invoiceOf()
    const ch = charge(10_000)
    await send('charge.succeeded', id, ch)
    for (const status of ['pending', 'failed', 'canceled']) assert.equal((await refund(id, ch, 1_000, { status })).state, 'stored')
    assert.deepEqual(await money(id), ['paid', 10_000, 0])
  })
})

describe('a dispute', () => {
  const dispute = (type: string, invoice: string, id: string, more: object): Promise<Made> => send(`charge.dispute.${type}`, invoice, { id, object: 'dispute', charge: 'ch_1', amount: 10_000, ...more })

  it('flags the invoice until it is closed, lost ones take the money', async () => {
    const { id } = await invoiceOf()
    await charged(id, 10_000)
    const [won, lost] = [fresh('dp'), fresh('dp')]
    await dispute('created', id, won, { status: 'needs_response' })
    assert.equal(await disputed(id), true)
    await dispute('created', id, lost, { status: 'needs_response' })
    await dispute('closed', id, won, { status: 'won' })
    assert.deepEqual([await disputed(id), ...await money(id)], [true, 'paid', 10_000, 0])
    await dispute('closed', id, lost, { status: 'lost', amount: 2_500 })
    await dispute('closed', id, lost, { status: 'lost', amount: 2_500 })
    assert.deepEqual([await disputed(id), ...await money(id)], [false, 'partially_paid', 7_500, 2_500])
  })

  it('that is told to be opened after it was closed stays closed', async () => {
    const { id } = await invoiceOf()
    const dp = fresh('dp')
    await dispute('closed', id, dp, { status: 'won' })
    await dispute('created', id, dp, { status: 'needs_response' })
    assert.equal(await disputed(id), false)
  })
})

describe('stored without effect', () => {
  it('when it names no invoice of the tenant whose account it is', async () => {
    const other = await makeCompany(service)
    const { id: theirs } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const foreign = (await other.call('invoices_create', { customer_id: theirs, line_items: [{ name: 'x', unit_price_cents: 100 }] }))['id']
    for (const [invoice, reason] of [[null, 'no_invoice'], ['x', 'no_invoice'], [newId(), 'unknown_invoice'], [foreign, 'unknown_invoice']] as const) {
      const { state, reason: why } = await charged(invoice as string, 100)
      assert.deepEqual([state, why], ['stored', reason])
    }
    assert.equal((await other.call('invoices_get', { id: foreign }))['amount_paid_cents'], 0)
  })

  it('when nobody connected its account; once somebody does, it is applied', async () => {
    const { id } = await invoiceOf()
    const event = fresh('evt')
    for (const account of [null, 'acct_later', 'acct_later2']) assert.equal((await charged(id, 1_000, {}, { account, ...(account === 'acct_later' ? { id: event } : {}) })).state, 'unrouted')
    await connectPaymentAccount(service.database, null, company.tenant, 'acct_later')
    await work()
    assert.equal((await ended(event)).state, 'applied')
    assert.deepEqual(await money(id), ['partially_paid', 1_000, 9_000])
  })

  it('when its type has none', async () => {
    const { id } = await invoiceOf()
    for (const type of ['payout.paid', 'charge.failed', 'payment_intent.payment_failed', 'account.updated']) assert.equal((await send(type, id, charge(1_000))).state, 'stored')
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
  })
})

describe('kept for review', () => {
  it('when the invoice is void, the currency another or the amount none; replayed or discarded with a trace', async () => {
    const { id } = await invoiceOf()
    const dead = (await invoiceOf())['id']
    await company.call('invoices_void', { id: dead })
    const kept = [
      await charged(dead, 10_000), await charged(id, 10_000, { currency: 'eur' }), await charged(id, 10_000, { currency: undefined }), await charged(id, 10.5), await charged(id, -1), await charged(id, 1e15),
    ]
    assert.deepEqual(kept.map(({ state, reason }) => [state, reason]), [
      ['review', 'void_invoice'], ['review', 'other_currency'], ['review', 'other_currency'], ['review', 'unreadable_amount'], ['review', 'unreadable_amount'], ['review', 'unreadable_amount'],
    ])
    assert.deepEqual([await money(id), (await paymentsOf(dead)).length], [['sent', 0, 10_000], 0])
    assert.deepEqual((await listParkedEvents(service.database)).map(({ id }) => id), kept.map(({ id }) => id))
    await discardParkedEvent(service.database, { user: company.owner.id }, kept[0]!.id)
    await replayParkedEvent(service.database, null, kept[1]!.id)
    await work()
    assert.deepEqual((await listParkedEvents(service.database)).map(({ id }) => id), kept.slice(1).map(({ id }) => id))
    await assert.rejects(discardParkedEvent(service.database, null, kept[0]!.id), /not found/)
    await assert.rejects(replayParkedEvent(service.database, null, 'nonsense'), /not found/)
    const acts = (await service.database.send([sql`select act, user_id, record_id from reviews where record_type = 'payment_event' order by at, id`]))[0]!.rows
    assert.deepEqual(acts.map(({ act, user_id, record_id }) => [act, user_id, record_id]), [['payment_events.discard', company.owner.id, kept[0]!.id], ['payment_events.replay', null, kept[1]!.id]])
  })

  it('when it is of the other mode; replayed it is ingested and applied, unless it was ingested since', async () => {
    const { id } = await invoiceOf()
    const make = () => ({ id: fresh('evt'), type: 'charge.succeeded', account: ACCOUNT, livemode: true, data: { object: charge(2_500, { currency: 'usd', metadata: { invoice_id: id } }) } })
    const [first, second] = [make(), make()]
    for (const event of [first, second]) await provider.event(event)
    await work()
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    const parked = (await listParkedEvents(service.database, { limit: 200 })).filter(({ reason }) => reason === 'mode_mismatch')
    assert.equal((await findParkedBytes(service.database, parked[0]!.id)).toString(), JSON.stringify(first))
    await replayParkedEvent(service.database, null, parked[0]!.id)
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 2_500, 7_500])
    assert.equal((await provider.event({ ...first, livemode: false })).text, '{"received":true,"deduped":true}')
    assert.equal((await provider.event({ ...second, livemode: false })).text, '{"received":true,"ingested":1}')
    await assert.rejects(replayParkedEvent(service.database, null, parked[1]!.id), /ingested in the right mode since/)
    await discardParkedEvent(service.database, null, parked[1]!.id)
  })
})

describe('an account', () => {
  it('belongs to one company', async () => {
    const other = await makeCompany(service)
    await assert.rejects(connectPaymentAccount(service.database, null, other.tenant, ACCOUNT), /belongs to another company/)
    await connectPaymentAccount(service.database, null, company.tenant, ACCOUNT)
    await assert.rejects(connectPaymentAccount(service.database, null, company.tenant, 'a b'), /account must be/)
  })
})
