import { sql } from '../../../src/platform/db/database.ts'
import { COMMAND_LINE, reviewScopeOf, type ReviewScope } from '../../../src/identity/people/review_scope.ts'
import { listParkedEvents, type ParkedEvent } from '../../../src/payments/events/parked_events.ts'
import { newProviderId, openPaymentScene } from '../../harness/money/payments.ts'

export type ParkedScene = Awaited<ReturnType<typeof openParkedScene>>

/** Starts a company that takes payments, with helpers to review parked events. */
export async function openParkedScene() {
  const scene = await openPaymentScene()
  const { service, company, invoiceOf, charged } = scene
  const owners: ReviewScope = (await reviewScopeOf(service.database, company.owner.id, company.tenant))!
  const listEvents = async (scope: ReviewScope = COMMAND_LINE): Promise<ParkedEvent[]> =>
    (await listParkedEvents(service.database, scope, { limit: 200 })).rows
  return {
    ...scene,
    owners,
    listEvents,
    isListed: async (id: string, scope: ReviewScope = COMMAND_LINE): Promise<boolean> =>
      (await listEvents(scope)).some((event) => event.id === id),
    stateOf: async (id: string): Promise<string> =>
      (await service.database.send([sql`select state from payment_events where id = ${id}`]))[0]!.rows[0]![
        'state'
      ] as string,
    /** Makes a void invoice and a payment for it. */
    async paidVoid(amount = 10_000) {
      const { id } = await invoiceOf()
      await company.call('invoices_void', { id })
      const event = newProviderId('evt')
      const parked = await charged(id, amount, {}, { id: event })
      return { id: parked.id, event, invoice: id as string }
    },
  }
}
