import assert from 'node:assert/strict'
import type { PeriodicTask } from '../../../src/worker/periodic_task.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import type { FakeSession } from './checkout_provider.ts'
import type { TestService } from '../harness.ts'
import { charge, newProviderId } from './payments.ts'
import { providerOf } from '../clients/webhook_calls.ts'
import { captureLines } from '../processes/workers.ts'

/** Number of runs. Each run is some seconds later than the last, so that every task is due again. */
let turns = 0

/** Runs a service's due tasks, as its worker would. */
export async function runChores({ database }: TestService, chores: readonly PeriodicTask[]): Promise<void> {
  const { log } = captureLines()
  const shop = (seconds: number) => ({
    database,
    log,
    clock: () => Temporal.Now.instant().add({ seconds }),
    stopping: new AbortController().signal,
  })
  await enrollAll(shop(0), chores)
  await runDue(shop(20 * ++turns), chores)
}

type Told = readonly (readonly [type: string, object: object])[]

/** Sends signed events of an account, then runs the task that applies them. */
async function sendEvents(service: TestService, account: string, events: Told): Promise<void> {
  for (const [type, object] of events) {
    const event = { id: newProviderId('evt'), type, account, livemode: false, data: { object } }
    const { status } = await providerOf(service).event(event)
    assert.equal(status, 200)
  }
  await runChores(
    service,
    PERIODIC_TASKS.filter(({ name }) => name.startsWith('payment_')),
  )
}

export type PaidThere = { account: string; charge: { amount: number } & Record<string, unknown> }

/** Pays on the provider's page. Completes the session and sends its event three times. */
export async function paidThere(service: TestService, session: FakeSession, more: object = {}): Promise<PaidThere> {
  session.status = 'complete'
  const [line] = session.asked['line_items'] as { price_data: { unit_amount: number; currency: string } }[]
  const { unit_amount: amount, currency } = line!.price_data
  const { metadata } = session.asked['payment_intent_data'] as { metadata: object }
  const intent = newProviderId('pi')
  const paid = { currency, metadata, ...more }
  const made = { ...charge(amount, { payment_intent: intent }), ...paid }
  await sendEvents(service, session.account, [
    ['checkout.session.completed', { id: session.id, object: 'checkout.session', metadata: session.asked['metadata'] }],
    ['charge.succeeded', made],
    ['payment_intent.succeeded', { id: intent, object: 'payment_intent', amount, amount_received: amount, ...paid }],
  ])
  return { account: session.account, charge: made }
}

/** Refunds the full payment. */
export const givenBack = (service: TestService, { account, charge }: PaidThere): Promise<void> =>
  sendEvents(service, account, [['charge.refunded', { ...charge, amount_refunded: charge.amount }]])
