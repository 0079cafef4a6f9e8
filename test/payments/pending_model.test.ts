import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { billingStateOf } from '../../src/records/invoices/index.ts'
import { ACCOUNT, activityOf, newProviderId, openPaymentScene, type PaymentScene } from '../harness/money/payments.ts'

let scene: PaymentScene
before(async () => {
  scene = await openPaymentScene()
})
after(async () => {
  assert.deepEqual(scene.lines, [])
  await scene.service.stop()
})

const TOTAL = 10_000

/** Arbitrary attempts on one payment, in order, and the state of the last one. */
const story = fc.record({
  refused: fc.array(fc.constantFrom('card', 'bank'), { maxLength: 3 }),
  last: fc.constantFrom('none', 'pending', 'paid'),
  order: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }),
  copies: fc.array(fc.nat(), { maxLength: 5 }),
  pauses: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never
type Event = { id: string; type: string; created: number; data: { object: object } }

/** Returns the provider's events for a history, in chronological order. */
function eventsOf(invoice: string, { refused, last }: Story): Event[] {
  const [pi, cs] = [newProviderId('pi'), newProviderId('cs')]
  const events: Event[] = []
  let now = 1_800_000_000
  const metadata = { invoice_id: invoice }
  const event = (type: string, object: object): void =>
    void events.push({
      id: newProviderId('evt'),
      type,
      created: now,
      data: { object: { currency: 'usd', metadata, ...object } },
    })
  const intent = (type: string, more: object): void =>
    event(`payment_intent.${type}`, { id: pi, object: 'payment_intent', amount: TOTAL, ...more })
  const session = (type: string, payment_status: string): void =>
    event(`checkout.session.${type}`, {
      id: cs,
      object: 'checkout.session',
      payment_intent: pi,
      payment_status,
      amount_total: TOTAL,
    })
  const begin = (): void => {
    intent('processing', {})
    session('completed', 'unpaid')
  }
  for (const by of refused) {
    now += 60
    if (by === 'bank') begin()
    now += 60
    intent('payment_failed', { last_payment_error: { code: 'refused', charge: newProviderId('py') } })
    if (by === 'bank') session('async_payment_failed', 'unpaid')
  }
  now += 60
  if (last !== 'none') begin()
  now += 60
  if (last === 'paid') {
    intent('succeeded', { amount_received: TOTAL, latest_charge: newProviderId('py') })
    session('async_payment_succeeded', 'paid')
  }
  return events
}

/** Returns the expected bank payment state, money, and number of activity entries by kind. */
function outcomeOf({ refused, last }: Story): unknown[] {
  const isByBank = last !== 'none' || refused.includes('bank')
  const state = last === 'pending' ? 'pending' : last === 'none' && isByBank ? 'failed' : null
  return [
    state,
    last === 'paid' ? ['paid', TOTAL, 0] : ['sent', 0, TOTAL],
    { failed: refused.length, pending: isByBank ? 1 : 0, received: last === 'paid' ? 1 : 0 },
  ]
}

async function actual(id: string): Promise<unknown[]> {
  const { bank_payment } = await readTenant(scene.service.database, { tenant: scene.company.tenant }, (db) =>
    billingStateOf(db, id),
  )
  const tools = (await activityOf(scene, id)).map(({ tool }) => tool)
  const times = (tool: string): number => tools.filter((one) => one === `invoices.payment_${tool}`).length
  return [
    bank_payment?.state ?? null,
    await scene.money(id),
    { failed: times('failed'), pending: times('pending'), received: times('received') },
  ]
}

describe('the events of a bank payment', () => {
  it("match the model's final state in any order, delayed and duplicated", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (story) => {
        const { id } = await scene.invoiceOf(TOTAL)
        const events = eventsOf(id, story)
        const again = events.length === 0 ? [] : story.copies.map((i) => events[i % events.length]!)
        const copies = again.map((event, i) => (i % 2 === 0 ? event : { ...event, id: newProviderId('evt') }))
        const sent = [...events, ...copies]
          .map((event, i) => ({ event, at: story.order[i % 30]! }))
          .toSorted((a, b) => a.at - b.at)
        for (const [i, { event }] of sent.entries()) {
          await scene.provider.event({ ...event, account: ACCOUNT, livemode: false })
          if (story.pauses[i % 30]) await scene.work()
        }
        for (let i = 0; i < 3; i++) await scene.work()
        assert.deepEqual(await actual(id), outcomeOf(story))
      }),
      { numRuns: 40, seed: 20_262 },
    )
  })
})

describe('a single bank payment event', () => {
  const OURS = { object: 'checkout.session', payment_status: 'unpaid', payment_intent: 'pi_1' }

  it("for an unconnected account is stored, and doesn't go to review", async () => {
    const { id } = await scene.invoiceOf()
    for (const type of ['payment_intent.processing', 'checkout.session.completed', 'checkout.session.expired']) {
      const { state, reason, tenant_id } = await scene.send(type, id, { id: 'x', ...OURS }, { account: 'acct_foreign' })
      assert.deepEqual([state, reason, tenant_id], ['stored', null, null], type)
    }
  })

  it('changes nothing without a known invoice or a pending payment', async () => {
    const { id } = await scene.invoiceOf()
    const before = await actual(id)
    const ends = [
      await scene.send('checkout.session.completed', null, { id: newProviderId('cs'), ...OURS }),
      await scene.send('checkout.session.completed', scene.customer, { id: newProviderId('cs'), ...OURS }),
      await scene.send('checkout.session.completed', id, { id: newProviderId('cs'), ...OURS, payment_status: 'paid' }),
      await scene.send('checkout.session.completed', id, { id: newProviderId('cs'), ...OURS, payment_intent: null }),
      await scene.send('checkout.session.expired', id, { id: newProviderId('cs'), object: 'checkout.session' }),
      await scene.send('checkout.session.async_payment_succeeded', id, { id: newProviderId('cs'), ...OURS }),
    ]
    assert.deepEqual(
      ends.map(({ state, reason }) => [state, reason]),
      [
        ['stored', null],
        ['stored', 'unknown_invoice'],
        ['stored', 'no_money'],
        ['stored', 'no_money'],
        ['stored', 'no_money'],
        ['stored', null],
      ],
    )
    assert.deepEqual(await actual(id), before)
  })
})
