import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { newProviderId, openPaymentScene, type PaymentScene } from '../harness/money/payments.ts'

let scene: PaymentScene
before(async () => {
  scene = await openPaymentScene()
})
after(async () => {
  assert.deepEqual(scene.lines, [])
  await scene.service.stop()
})

const TOTAL = 10_000

/** Arbitrary history of one payment. Each refund is partial, and no two share a second. */
const story = fc.record({
  amount: fc.integer({ min: 5_000, max: TOTAL + 2_000 }),
  tellers: fc
    .subarray(['intent', 'charge', 'capture'], { minLength: 1 })
    .filter((tellers) => tellers.includes('intent') || tellers.includes('charge')),
  refunds: fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 1_500 }),
      fate: fc.constantFrom('kept', 'failed', 'canceled'),
      names: fc.constantFrom('both', 'charge', 'intent'),
    }),
    { maxLength: 3 },
  ),
  told: fc.constantFrom('one by one', 'in sums', 'both'),
  dispute: fc.constantFrom(null, 'open', 'won', 'lost'),
  copies: fc.array(fc.nat(), { maxLength: 4 }),
  order: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 }),
  pauses: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never
type Event = { id: string; type: string; created: number; object: object }

/** Returns the expected amounts: the payment, minus refunds that didn't fail, minus a lost dispute. */
function outcomeOf({ amount, refunds, dispute }: Story): unknown[] {
  const lost = dispute === 'lost' ? 1_000 : 0
  const paid =
    amount - refunds.filter(({ fate }) => fate === 'kept').reduce((sum, { amount }) => sum + amount, 0) - lost
  return [paid >= TOTAL ? 'paid' : paid > 0 ? 'partially_paid' : 'sent', paid, paid >= TOTAL ? 0 : TOTAL - paid]
}

/** Returns the provider's events for a history, in chronological order. */
function eventsOf(invoice: string, { amount, tellers, refunds, told, dispute }: Story): Event[] {
  const [pi, ch] = [newProviderId('pi'), newProviderId('ch')]
  const events: Event[] = []
  let now = 1_800_000_000
  const event = (type: string, object: object): void =>
    void events.push({ id: newProviderId('evt'), type, created: (now += 10), object: { currency: 'usd', ...object } })
  const charge = { id: ch, object: 'charge', payment_intent: pi, amount, amount_captured: amount, captured: true }
  const metadata = { invoice_id: invoice }
  if (tellers.includes('intent'))
    event('payment_intent.succeeded', {
      id: pi,
      object: 'payment_intent',
      amount,
      amount_received: amount,
      latest_charge: ch,
      metadata,
    })
  if (tellers.includes('charge')) event('charge.succeeded', { ...charge, amount_refunded: 0, metadata })
  if (tellers.includes('capture')) event('charge.captured', { ...charge, amount_refunded: 0, metadata: {} })
  const standing = new Set<(typeof refunds)[number]>()
  const sum = (): number => [...standing].reduce((sum, { amount }) => sum + amount, 0)
  const endings: (() => void)[] = []
  for (const one of refunds) {
    const { amount: cents, fate, names } = one
    const re = {
      id: newProviderId('re'),
      object: 'refund',
      amount: cents,
      created: now + 10,
      charge: names === 'intent' ? null : ch,
      payment_intent: names === 'charge' ? null : pi,
      metadata: {},
    }
    standing.add(one)
    if (told !== 'in sums')
      event('refund.created', { ...re, status: fate === 'canceled' ? 'requires_action' : 'succeeded' })
    else now += 10
    if (told !== 'one by one') event('charge.refunded', { ...charge, amount_refunded: sum(), metadata })
    const end = (): void => {
      standing.delete(one)
      event(fate === 'failed' ? 'refund.failed' : 'refund.updated', { ...re, status: fate })
      if (fate === 'failed') event('charge.refund.updated', { ...re, status: fate })
    }
    if (fate !== 'kept' && cents % 2 === 0) end()
    else if (fate !== 'kept') endings.push(end)
  }
  endings.forEach((end) => end())
  const dp = { id: newProviderId('dp'), object: 'dispute', amount: 1_000, charge: ch, payment_intent: pi, metadata: {} }
  if (dispute !== null) event('charge.dispute.created', { ...dp, status: 'needs_response' })
  if (dispute === 'won' || dispute === 'lost') event('charge.dispute.closed', { ...dp, status: dispute })
  return events
}

describe('the events of a payment', () => {
  it("match the model's balance in any order, with duplicates and pauses", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (story) => {
        const { id } = await scene.invoiceOf(TOTAL)
        const events = eventsOf(id, story)
        const again = story.copies
          .map((i): Event => events[i % events.length]!)
          .map((event, i) => (i % 2 === 0 ? event : { ...event, id: newProviderId('evt') }))
        const sent = [...events, ...again]
          .map((event, i) => ({ event, place: story.order[i % 40]! }))
          .sort((a, b) => a.place - b.place)
        for (const [
          i,
          {
            event: { object, ...event },
          },
        ] of sent.entries()) {
          await scene.provider.event({ ...event, account: 'acct_ours', livemode: false, data: { object } })
          if (story.pauses[i % 40]) await scene.work()
        }
        for (let i = 0; i < 3; i++) await scene.work()
        assert.deepEqual(await scene.money(id), outcomeOf(story))
      }),
      { numRuns: 60, seed: 20_261 },
    )
  })
})
