import assert from 'node:assert/strict'
import type { Chore } from '../../src/worker/chore.ts'
import { CHORES } from '../../src/worker/chores.ts'
import { enrolAll, runDue } from '../../src/worker/worker.ts'
import type { FakeSession } from './checkout_provider.ts'
import type { TestService } from './harness.ts'
import { charge, fresh } from './paying.ts'
import { providerOf } from './webhook_calls.ts'
import { remembering } from './workers.ts'

/** Does chores of a service that are due, as its worker would. */
export async function runChores({ database }: TestService, chores: readonly Chore[]): Promise<void> {
  const { log } = remembering()
  const shop = (seconds: number) => ({
    database,
    log,
    clock: () => Temporal.Now.instant().add({ seconds }),
    stopping: new AbortController().signal,
  })
  await enrolAll(shop(0), chores)
  await runDue(shop(20), chores)
}

/** Pays on the provider's page: the session is complete, and the provider tells of it three times over, signed. */
export async function paidThere(service: TestService, session: FakeSession, more: object = {}): Promise<void> {
  session.status = 'complete'
  const [line] = session.asked['line_items'] as { price_data: { unit_amount: number; currency: string } }[]
  const { unit_amount: amount, currency } = line!.price_data
  const { metadata } = session.asked['payment_intent_data'] as { metadata: object }
  const intent = fresh('pi')
  const paid = { currency, metadata, ...more }
  const events = [
    ['checkout.session.completed', { id: session.id, object: 'checkout.session', metadata: session.asked['metadata'] }],
    ['charge.succeeded', { ...charge(amount, { payment_intent: intent }), ...paid }],
    ['payment_intent.succeeded', { id: intent, object: 'payment_intent', amount, amount_received: amount, ...paid }],
  ] as const
  for (const [type, object] of events) {
    const { status } = await providerOf(service).event({
      id: fresh('evt'),
      type,
      account: session.account,
      livemode: false,
      data: { object },
    })
    assert.equal(status, 200)
  }
  await runChores(
    service,
    CHORES.filter(({ name }) => name.startsWith('payment_')),
  )
}
