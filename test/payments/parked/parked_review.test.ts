import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import { COMMAND_LINE, type ReviewScope } from '../../../src/identity/people/review_scope.ts'
import { assignParkedEvent, discardParkedEvent, replayParkedEvent } from '../../../src/payments/events/parked_review.ts'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeCompany, type Company, type TestService } from '../../harness/harness.ts'
import { ACCOUNT, charge, newProviderId } from '../../harness/money/payments.ts'
import { reviewsOf } from '../../harness/database/reviews.ts'
import { openParkedScene, type ParkedScene } from './scene.ts'

let paying: ParkedScene
let service: TestService
let company: Company
let owners: ReviewScope
let { invoiceOf, money, charged, readEvent, work, isListed, stateOf, paidVoid } = {} as ParkedScene
before(async () => {
  paying = await openParkedScene()
  ;({ service, company, owners } = paying)
  ;({ invoiceOf, money, charged, readEvent, work, isListed, stateOf, paidVoid } = paying)
})
after(async () => {
  assert.deepEqual(paying.lines, [])
  await service.stop()
})

const reviews = (id: string): Promise<unknown[][]> => reviewsOf(service.database, id)

describe('assigning a parked event', () => {
  it("books a void invoice's payment on another invoice once", async () => {
    const [dead, { id }] = [await paidVoid(4_000), await invoiceOf()]
    const done = await Promise.allSettled(
      [1, 2].map(() => assignParkedEvent(service.database, owners, dead.id, { tenant: company.tenant, invoice: id })),
    )
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await work()
    await work()
    assert.deepEqual(
      [await money(id), await stateOf(dead.id), await isListed(dead.id)],
      [['partially_paid', 4_000, 6_000], 'applied', false],
    )
    assert.deepEqual(await reviews(dead.id), [
      [
        'payment_events.assign',
        company.owner.id,
        { reason: 'void_invoice', event: dead.event, tenant: company.tenant, invoice: id },
      ],
    ])
    assert.equal((await paying.provider.event({ id: dead.event })).text, '{"received":true,"deduped":true}')
  })

  it('sets the company of a payment without an account, for the named invoice or another one', async () => {
    const [{ id: first }, { id: second }] = [await invoiceOf(), await invoiceOf()]
    const [named, moved] = [
      await charged(first, 100, {}, { account: null }),
      await charged(first, 200, {}, { account: 'acct_unknown' }),
    ]
    await assignParkedEvent(service.database, COMMAND_LINE, named.id, { tenant: company.tenant })
    await assignParkedEvent(service.database, COMMAND_LINE, moved.id, { tenant: company.tenant, invoice: second })
    await work()
    assert.deepEqual([(await money(first))[1], (await money(second))[1]], [100, 200])
  })

  it('refuses an unknown, void or foreign invoice or another currency, and keeps the event in review', async () => {
    const other = await makeCompany(service)
    const { id: theirs } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const foreign = (
      await other.call('invoices_create', { customer_id: theirs, line_items: [{ name: 'x', unit_price_cents: 100 }] })
    )['id']
    const [dead, { id }] = [await paidVoid(), await invoiceOf()]
    const euros = await charged(id, 100, { currency: 'eur' })
    const assign = (event: string, invoice: string, tenant = company.tenant) =>
      assignParkedEvent(service.database, COMMAND_LINE, event, { tenant, invoice })
    for (const odd of ['nonsense', newId(), foreign])
      await assert.rejects(assign(dead.id, odd), /invoice must be the id of an invoice of this company/)
    await assert.rejects(assign(dead.id, dead.invoice), /is void, which is final/)
    await assert.rejects(assign(euros.id, id), /is in EUR and INV-\d+ in USD/)
    await assert.rejects(assign(dead.id, foreign, other.tenant), /belongs to another company/)
    await assert.rejects(assign(dead.id, id, newId()), /tenant not found/)
    await assert.rejects(assign(newId(), id), /parked event not found/)
    await assert.rejects(assign('nonsense', id), /parked event not found/)
    assert.deepEqual(
      [await stateOf(dead.id), await stateOf(euros.id), await reviews(dead.id)],
      ['review', 'review', []],
    )
  })

  it('refuses an event from the other mode, and one with an unreadable amount', async () => {
    const { id } = await invoiceOf()
    const [live, odd] = [await charged(id, 100, {}, { livemode: true }), await charged(id, 10.5)]
    const to = { tenant: company.tenant, invoice: id as string }
    await assert.rejects(assignParkedEvent(service.database, COMMAND_LINE, live.id, to), /other mode/)
    await assert.rejects(
      assignParkedEvent(service.database, COMMAND_LINE, odd.id, to),
      /amount of this event can't be read/,
    )
  })
})

describe('replaying a parked event', () => {
  it('applies it again, and keeps it in review if nothing has changed', async () => {
    const dead = await paidVoid()
    await replayParkedEvent(service.database, owners, dead.id, 'test')
    await work()
    assert.deepEqual([await stateOf(dead.id), await isListed(dead.id, owners)], ['review', true])
    assert.deepEqual(await reviews(dead.id), [
      ['payment_events.replay', company.owner.id, { reason: 'void_invoice', event: dead.event }],
    ])
  })

  it('refuses a payment for an unconnected account, which is applied once the account is connected', async () => {
    const { id } = await invoiceOf()
    const [nowhere, unknown] = [
      await charged(id, 100, {}, { account: null }),
      await charged(id, 200, {}, { account: 'acct_soon' }),
    ]
    await assert.rejects(
      replayParkedEvent(service.database, COMMAND_LINE, nowhere.id, 'test'),
      /assign it to a company/,
    )
    await assert.rejects(
      replayParkedEvent(service.database, COMMAND_LINE, unknown.id, 'test'),
      /no company has connected acct_soon/,
    )
    await connectPaymentAccount(service.database, null, company.tenant, 'acct_soon')
    await work()
    assert.deepEqual([(await money(id))[1], await stateOf(unknown.id)], [200, 'applied'])
  })

  it('accepts an event from the other mode only after the service runs in that mode', async () => {
    const { id } = await invoiceOf()
    const make = () => ({
      id: newProviderId('evt'),
      type: 'charge.succeeded',
      account: ACCOUNT,
      livemode: true,
      data: { object: charge(2_500, { currency: 'usd', metadata: { invoice_id: id } }) },
    })
    const [first, second] = [make(), make()]
    for (const event of [first, second]) await paying.provider.event(event)
    await work()
    assert.deepEqual(await money(id), ['sent', 0, 10_000])
    const [one, two] = [await readEvent(first.id), await readEvent(second.id)]
    assert.equal(await isListed(one.id, owners), false)
    for (const mode of ['test', null] as const)
      await assert.rejects(
        replayParkedEvent(service.database, COMMAND_LINE, one.id, mode),
        /this is a live event, but the service runs/,
      )
    await replayParkedEvent(service.database, COMMAND_LINE, one.id, 'live')
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 2_500, 7_500])
    assert.equal((await paying.provider.event({ ...first, livemode: false })).text, '{"received":true,"deduped":true}')
    assert.equal((await paying.provider.event({ ...second, livemode: false })).text, '{"received":true,"ingested":1}')
    await assert.rejects(
      replayParkedEvent(service.database, COMMAND_LINE, two.id, 'live'),
      /since been ingested in the right mode/,
    )
    await discardParkedEvent(service.database, COMMAND_LINE, two.id)
  })
})

describe('discarding a parked event', () => {
  it('removes it permanently, once, and writes an audit entry', async () => {
    const [dead, { id }] = [await paidVoid(), await invoiceOf()]
    const unknown = await charged(id, 100, {}, { account: 'acct_never' })
    const done = await Promise.allSettled([1, 2].map(() => discardParkedEvent(service.database, owners, dead.id)))
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await discardParkedEvent(service.database, COMMAND_LINE, unknown.id)
    await connectPaymentAccount(service.database, null, company.tenant, 'acct_never')
    await work()
    assert.deepEqual(
      [await stateOf(dead.id), await stateOf(unknown.id), (await money(id))[1]],
      ['discarded', 'discarded', 0],
    )
    assert.deepEqual(await reviews(dead.id), [
      ['payment_events.discard', company.owner.id, { reason: 'void_invoice', event: dead.event }],
    ])
    await assert.rejects(discardParkedEvent(service.database, owners, dead.id), /not found/)
    await assert.rejects(replayParkedEvent(service.database, COMMAND_LINE, dead.id, 'test'), /not found/)
    const [latest] = await service.database.send([sql`select act, record_id from reviews order by id desc limit 2`])
    assert.deepEqual(
      latest!.rows.map(({ act }) => act),
      ['payment_accounts.connect', 'payment_events.discard'],
    )
    assert.equal(latest!.rows[1]!['record_id'], unknown.id)
  })
})
