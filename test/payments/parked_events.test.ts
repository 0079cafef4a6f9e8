import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addOperator } from '../../src/identity/people/operators.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { sql } from '../../src/platform/db/database.ts'
import { COMMAND_LINE, reviewScopeOf, type ReviewScope } from '../../src/identity/people/review_scope.ts'
import { findParkedEvent, listParkedEvents, type ParkedEvent } from '../../src/payments/events/parked_events.ts'
import {
  assignParkedEvent,
  discardParkedEvent,
  openParkedEvent,
  replayParkedEvent,
} from '../../src/payments/events/parked_review.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, type Company, type TestService } from '../harness/harness.ts'
import { ACCOUNT, activityOf, charge, fresh, startPaying, type Paying } from '../harness/money/paying.ts'
import { reviewsOf } from '../harness/database/reviews.ts'

let paying: Paying
let service: TestService
let company: Company
let { invoiceOf, money, charged, readEvent, work } = {} as Paying
let owners: ReviewScope
before(async () => {
  paying = await startPaying()
  ;({ service, company, invoiceOf, money, charged, readEvent, work } = paying)
  owners = (await reviewScopeOf(service.database, company.owner.id, company.tenant))!
})
after(async () => {
  assert.deepEqual(paying.lines, [])
  await service.stop()
})

const listEvents = async (scope: ReviewScope = COMMAND_LINE): Promise<ParkedEvent[]> =>
  (await listParkedEvents(service.database, scope, { limit: 200 })).rows
const isListed = async (id: string, scope: ReviewScope = COMMAND_LINE): Promise<boolean> =>
  (await listEvents(scope)).some((event) => event.id === id)
const reviews = (id: string): Promise<unknown[][]> => reviewsOf(service.database, id)
const stateOf = async (id: string): Promise<string> =>
  (await service.database.send([sql`select state from payment_events where id = ${id}`]))[0]!.rows[0]![
    'state'
  ] as string

/** Returns an invoice that is void, and money that came for it. */
async function paidVoid(amount = 10_000) {
  const { id } = await invoiceOf()
  await company.call('invoices_void', { id })
  const event = fresh('evt')
  const parked = await charged(id, amount, {}, { id: event })
  return { id: parked.id, event, invoice: id as string }
}

describe('kept for review', () => {
  it("is money for a void invoice, in another currency, or that can't be read; nothing is booked", async () => {
    const { id } = await invoiceOf()
    const dead = await paidVoid()
    const kept = [
      await readEvent(dead.event),
      await charged(id, 10_000, { currency: 'eur' }),
      await charged(id, 10_000, { currency: undefined }),
      await charged(id, 10.5),
      await charged(id, -1),
      await charged(id, 1e15),
    ]
    assert.deepEqual(
      kept.map(({ state, reason }) => [state, reason]),
      [
        ['review', 'void_invoice'],
        ['review', 'other_currency'],
        ['review', 'other_currency'],
        ['review', 'unreadable_amount'],
        ['review', 'unreadable_amount'],
        ['review', 'unreadable_amount'],
      ],
    )
    assert.deepEqual(
      [await money(id), await activityOf(paying, id), await activityOf(paying, dead.invoice)],
      [['sent', 0, 10_000], [], []],
    )
    assert.deepEqual(
      (await listEvents()).slice(0, 6).map(({ id }) => id),
      kept.map(({ id }) => id).toReversed(),
    )
  })

  it('is money of an account that nobody has connected, where it names an invoice; a state of such an account is not', async () => {
    const { id } = await invoiceOf()
    const [nowhere, unknown, nothing] = [
      await charged(id, 100, {}, { account: null }),
      await charged(id, 100, {}, { account: 'acct_unknown' }),
      await charged(null, 100, {}, { account: 'acct_unknown' }),
    ]
    const state = await paying.send('account.updated', null, { charges_enabled: true }, { account: 'acct_unknown' })
    assert.deepEqual(
      [nowhere, unknown, nothing, state].map(({ state, reason }) => [state, reason]),
      [
        ['unrouted', 'no_account'],
        ['unrouted', 'unknown_account'],
        ['stored', 'no_invoice'],
        ['unrouted', 'unknown_account'],
      ],
    )
    assert.deepEqual(await Promise.all([nowhere, unknown, nothing, state].map(({ id }) => isListed(id))), [
      true,
      true,
      false,
      false,
    ])
  })

  it('is listed newest first, page by page, and by its reason', async () => {
    const all = await listEvents()
    const paged: ParkedEvent[] = []
    for (let before: string | null | undefined; before !== null;) {
      const { rows, next } = await listParkedEvents(service.database, COMMAND_LINE, {
        limit: 3,
        ...(before === undefined ? {} : { before }),
      })
      paged.push(...rows)
      before = next
    }
    assert.deepEqual(paged, all)
    const { rows } = await listParkedEvents(service.database, COMMAND_LINE, { reason: 'other_currency' })
    assert.deepEqual([rows.length, new Set(rows.map(({ reason }) => reason))], [2, new Set(['other_currency'])])
  })

  it('is shown with what it says', async () => {
    const dead = await paidVoid(1_234)
    const { effect, amount_cents, currency, invoice, invoice_id, text, tenant_id, event_id } = await openParkedEvent(
      service.database,
      COMMAND_LINE,
      dead.id,
    )
    assert.deepEqual(
      [effect, amount_cents, currency, invoice?.status, invoice_id, tenant_id, event_id],
      ['charge', 1_234, 'USD', 'void', dead.invoice, company.tenant, dead.event],
    )
    assert.equal(JSON.parse(text).data.object.amount, 1_234)
    assert.match(text, /\n {2}"type": "charge\.succeeded"/)
    const deep = `{"id":"${fresh('evt')}","livemode":true,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    await paying.provider.payments('connect', deep)
    const { effect: none, text: asItCame } = await openParkedEvent(
      service.database,
      COMMAND_LINE,
      (await listEvents())[0]!.id,
    )
    assert.deepEqual([none, asItCame], [null, deep])
    assert.equal(
      (await findParkedEvent(service.database, COMMAND_LINE, dead.id)).raw.toString(),
      JSON.stringify(JSON.parse(text)),
    )
  })
})

describe('a desk', () => {
  it("is an operator's for everything, an owner's for the own company, nobody else's", async () => {
    const { database } = service
    const [office, other] = [await company.member('office'), await makeCompany(service)]
    assert.equal(await reviewScopeOf(database, office.id, company.tenant), null)
    assert.equal(await reviewScopeOf(database, other.owner.id, company.tenant), null)
    for (const user of [company.owner.id, office.id]) assert.equal(await reviewScopeOf(database, user, null), null)
    await addOperator(database, await findUser(database, office.email))
    assert.deepEqual(await reviewScopeOf(database, office.id, null), { by: { user: office.id }, tenant: null })
    assert.equal(await reviewScopeOf(database, office.id, company.tenant), null)
    for (const odd of ['nonsense', newId()]) assert.equal(await reviewScopeOf(database, company.owner.id, odd), null)
  })

  it("of an owner has what is the company's and nothing else", async () => {
    const [dead, { id }, other] = [await paidVoid(), await invoiceOf(), await makeCompany(service)]
    const unknown = await charged(id, 100, {}, { account: 'acct_unknown' })
    const theirs = (await reviewScopeOf(service.database, other.owner.id, other.tenant))!
    assert.deepEqual(
      [await isListed(dead.id, owners), await isListed(unknown.id, owners), await isListed(dead.id, theirs)],
      [true, false, false],
    )
    for (const [desk, event] of [
      [owners, unknown.id],
      [theirs, dead.id],
    ] as const) {
      const { database } = service
      await assert.rejects(openParkedEvent(database, desk, event), /parked event not found/)
      await assert.rejects(discardParkedEvent(database, desk, event), /parked event not found/)
      await assert.rejects(replayParkedEvent(database, desk, event, 'test'), /parked event not found/)
      await assert.rejects(
        assignParkedEvent(database, desk, event, { tenant: desk.tenant!, invoice: id }),
        /parked event not found/,
      )
    }
    await assert.rejects(
      assignParkedEvent(service.database, owners, dead.id, { tenant: other.tenant, invoice: id }),
      /tenant not found/,
    )
    assert.equal(await stateOf(dead.id), 'review')
  })
})

describe('assign', () => {
  it('books money for a void invoice on another one, once, by an owner', async () => {
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

  it('says whose the money of no account is, for the invoice it names or another', async () => {
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

  it("refuses an invoice that is none, void, another company's or in another currency, and the event waits", async () => {
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
    await assert.rejects(assign(dead.id, foreign, other.tenant), /another company's/)
    await assert.rejects(assign(dead.id, id, newId()), /tenant not found/)
    await assert.rejects(assign(newId(), id), /parked event not found/)
    await assert.rejects(assign('nonsense', id), /parked event not found/)
    assert.deepEqual(
      [await stateOf(dead.id), await stateOf(euros.id), await reviews(dead.id)],
      ['review', 'review', []],
    )
  })

  it("refuses an event of the other mode, and one whose amount can't be read", async () => {
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

describe('replay', () => {
  it('applies an event by what is so now, and keeps it when nothing has changed', async () => {
    const dead = await paidVoid()
    await replayParkedEvent(service.database, owners, dead.id, 'test')
    await work()
    assert.deepEqual([await stateOf(dead.id), await isListed(dead.id, owners)], ['review', true])
    assert.deepEqual(await reviews(dead.id), [
      ['payment_events.replay', company.owner.id, { reason: 'void_invoice', event: dead.event }],
    ])
  })

  it('refuses money of no connected account, which is applied once the account is connected', async () => {
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

  it('takes an event of the other mode only once the service has that mode; then it counts as ingested', async () => {
    const { id } = await invoiceOf()
    const make = () => ({
      id: fresh('evt'),
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
        /this is a live event and the service works/,
      )
    await replayParkedEvent(service.database, COMMAND_LINE, one.id, 'live')
    await work()
    assert.deepEqual(await money(id), ['partially_paid', 2_500, 7_500])
    assert.equal((await paying.provider.event({ ...first, livemode: false })).text, '{"received":true,"deduped":true}')
    assert.equal((await paying.provider.event({ ...second, livemode: false })).text, '{"received":true,"ingested":1}')
    await assert.rejects(
      replayParkedEvent(service.database, COMMAND_LINE, two.id, 'live'),
      /ingested in the right mode since/,
    )
    await discardParkedEvent(service.database, COMMAND_LINE, two.id)
  })
})

describe('discard', () => {
  it('puts an event away for good, once, and is written down', async () => {
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
