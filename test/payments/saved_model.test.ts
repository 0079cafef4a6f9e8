import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { submit } from '../harness/identity/people_pages.ts'
import type { FakeMethod } from '../harness/money/saved_objects.ts'
import { TOTAL, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

/** Arbitrary steps on one invoice. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('charge' as const),
    cents: fc.integer({ min: 1, max: TOTAL }),
    result: fc.constantFrom('succeeded' as const, 'processing' as const, 'declined' as const),
    // The point at which the provider's response is lost: before or after the request is done.
    lost: fc.constantFrom(
      '',
      '/v1/payment_intents before',
      '/v1/payment_intents after',
      'confirm before',
      'confirm after',
    ),
  }),
  fc.record({ kind: fc.constant('bank' as const), isPaid: fc.boolean() }),
  fc.record({ kind: fc.constant('events' as const), order: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('work' as const) }),
  fc.record({ kind: fc.constant('cash' as const), cents: fc.integer({ min: 1, max: 5_000 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Charge = Extract<Step, { kind: 'charge' }>

/** Plays all steps on a new invoice and returns the total of its cash payments. */
async function play(invoice: string, method: FakeMethod, steps: readonly Step[]): Promise<number> {
  const begin = scene.saved.events.length
  let cash = 0
  const sendEvents = (order: readonly number[]): Promise<void> => {
    const events = scene.saved.events.slice(begin)
    const picked = order.flatMap((at) => (events.length === 0 ? [] : [events[at % events.length]!]))
    return scene.sendEvents([...picked, ...picked.map((event) => ({ ...event, id: `evt_${newId()}` }))])
  }
  const decide = (isPaid: boolean): void => {
    for (const intent of scene.intentsOf(invoice))
      if (intent.status === 'processing')
        void (isPaid ? scene.saved.succeed(intent) : scene.saved.decline(intent, 'insufficient_funds'))
  }
  for (const one of steps) {
    if (one.kind === 'charge') await chargeOnce(invoice, method, one)
    else if (one.kind === 'bank') decide(one.isPaid)
    else if (one.kind === 'events') await sendEvents(one.order)
    else if (one.kind === 'work') await scene.workOn(0)
    else {
      const { balance_due_cents } = await scene.read(invoice)
      const cents = Math.min(one.cents, Number(balance_due_cents))
      if (cents === 0) continue
      const form = scene.office.at('invoices', invoice, 'payment')
      await submit(scene.office.browser, form, { method: 'cash', amount_cents: (cents / 100).toFixed(2) })
      cash += cents
    }
  }
  await scene.workOn(0)
  decide(steps.length % 2 === 0)
  await scene.workOn(0)
  const all = scene.saved.events.slice(begin)
  await scene.sendEvents(all.toReversed())
  return cash
}

async function chargeOnce(invoice: string, method: FakeMethod, { cents, result, lost }: Charge): Promise<void> {
  method.result = result === 'declined' ? { decline_code: 'insufficient_funds' } : result
  scene.saved.state.around = async (path, when) => {
    if (lost !== '' && `${path} ${when}`.endsWith(lost)) throw new Error('lost')
  }
  const there = scene.office.at('invoices', invoice, 'charge')
  await scene.office.browser.post(there, { press: newId(), amount_cents: (cents / 100).toFixed(2) })
  scene.saved.state.around = undefined
}

describe('charges of a saved card', () => {
  it("match the provider's ledger despite lost responses, bank delays and events in any order", async () => {
    await scene.allow({ max_charge: '500.00' })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
        const one = await scene.customerWithCard()
        const invoice = await scene.invoiceOf(one.id)
        const cash = await play(invoice, one.method, steps)
        const ledger = scene.taken(invoice)
        const [rows, charges] = await Promise.all([
          scene.all<{ charge: string; amount_cents: number }>(
            sql`select charge, amount_cents from payments where invoice_id = ${invoice} and kind = 'charge'`,
          ),
          scene.all<{ intent: string | null; state: string; amount_cents: number }>(
            sql`select intent, state, amount_cents from saved_charges where invoice_id = ${invoice}`,
          ),
        ])
        const pairs = (list: { name: string; cents: number }[]): string[] =>
          list.map(({ name, cents }) => `${name} ${cents}`).sort()
        const taken = pairs(ledger.map(({ intent, amount }) => ({ name: intent, cents: amount })))
        assert.deepEqual(pairs(rows.map((row) => ({ name: row.charge, cents: row.amount_cents }))), taken)
        assert.deepEqual(
          pairs(
            charges
              .filter(({ state }) => state === 'succeeded')
              .map(({ intent, amount_cents }) => ({ name: String(intent), cents: amount_cents })),
          ),
          taken,
        )
        assert.deepEqual(
          charges.filter(({ state }) => ['starting', 'created', 'processing'].includes(state)),
          [],
        )
        const sum = ledger.reduce((total, { amount }) => total + amount, 0)
        assert.equal((await scene.money(invoice))[1], sum + cash)
        // Each attempt at the provider matches a charge that wasn't canceled.
        const tried = scene
          .intentsOf(invoice)
          .filter(({ charge }) => charge !== null)
          .map(({ id }) => id)
        const known = charges.filter(({ state }) => state !== 'canceled').flatMap(({ intent }) => intent ?? [])
        assert.deepEqual(tried.toSorted(), known.toSorted())
      }),
      { numRuns: 25, seed: 20_263 },
    )
  })
})
