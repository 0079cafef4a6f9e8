import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { COMMAND_LINE, reviewScopeOf, type ReviewScope } from '../../../src/identity/people/review_scope.ts'
import { findParkedEvent, listParkedEvents, type ParkedEvent } from '../../../src/payments/events/parked_events.ts'
import {
  assignParkedEvent,
  discardParkedEvent,
  openParkedEvent,
  replayParkedEvent,
} from '../../../src/payments/events/parked_review.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeCompany, type Company, type TestService } from '../../harness/harness.ts'
import { activityOf, newProviderId } from '../../harness/money/payments.ts'
import { openParkedScene, type ParkedScene } from './scene.ts'

let paying: ParkedScene
let service: TestService
let company: Company
let owners: ReviewScope
let { invoiceOf, money, charged, readEvent, listEvents, isListed, stateOf, paidVoid } = {} as ParkedScene
before(async () => {
  paying = await openParkedScene()
  ;({ service, company, owners } = paying)
  ;({ invoiceOf, money, charged, readEvent, listEvents, isListed, stateOf, paidVoid } = paying)
})
after(async () => {
  assert.deepEqual(paying.lines, [])
  await service.stop()
})

describe('payment events for review', () => {
  it('include payments for a void invoice, in another currency or with a bad amount; none is booked', async () => {
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

  it('include payments for an unconnected account that name an invoice, but not its state updates', async () => {
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

  it('are listed newest first, with paging and a filter by reason', async () => {
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

  it('show the parsed details and the raw text', async () => {
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
    const deep = `{"id":"${newProviderId('evt')}","livemode":true,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
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

describe('the review scope', () => {
  it('covers all events for an operator, the own company for an owner, and nothing for others', async () => {
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

  it("of an owner hides other companies' events and refuses every action on them", async () => {
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
