import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { endStalePages } from '../../../src/payments/checkout_pages.ts'
import { openCheckout } from '../../../src/payments/hosted_checkout.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { WEBHOOK_ENV } from '../../harness/clients/webhook_calls.ts'
import { startCheckoutProvider, type FakeSession } from '../../harness/money/checkout_provider.ts'
import { paidThere } from '../../harness/money/paid_there.ts'
import { ACCOUNT } from '../../harness/money/payments.ts'
import { fieldValueOf, openPortalScene } from '../portal_scene.ts'

export type CheckoutScene = Awaited<ReturnType<typeof openCheckoutScene>>

/** Starts the service and a fake provider, with a company whose customers pay by invoice link. */
export async function openCheckoutScene(env: Record<string, string> = {}) {
  const provider = await startCheckoutProvider(WEBHOOK_ENV.PAYMENTS_SECRET_KEY)
  const portal = await openPortalScene({ ...WEBHOOK_ENV, ...env, PAYMENTS_API_URL: provider.apiUrl })
  const { office, service } = portal
  await connectPaymentAccount(service.database, null, office.id, ACCOUNT)
  return {
    provider,
    portal,
    /** Opens an invoice in a new browser and presses "Pay", on an earlier page if the current one has no such button. */
    pay: async (path: string, browser = portal.browser()) => {
      const { text } = await browser.get(path)
      return browser.post(`${path}/pay`, {
        press: text.includes('name="press"') ? fieldValueOf(text, 'press') : newId(),
      })
    },
    sessionsOf: (invoice: unknown): FakeSession[] =>
      provider.started().filter(({ asked }) => asked['client_reference_id'] === invoice),
    statesOf: async (invoice: unknown): Promise<string[]> =>
      (
        await portal.all<{ state: string }>(
          sql`select state from checkout_sessions where invoice_id = ${invoice} order by created_at`,
        )
      ).map(({ state }) => state),
    update: (id: unknown, patch: object) => office.call('invoices_update', { id, ...patch }),
    read: (id: unknown) => office.call('invoices_get', { id }),
    /** Expires checkout sessions with an outdated amount, as the worker does. */
    endEnded: () =>
      endStalePages(
        (work) => writeTenant(service.database, { tenant: office.id }, work),
        openCheckout({ key: WEBHOOK_ENV.PAYMENTS_SECRET_KEY, apiUrl: provider.apiUrl }),
      ),
    payThere: (session: FakeSession, more: object = {}) => paidThere(service, session, more),
    stop: async (): Promise<void> => {
      await service.stop()
      await provider.stop()
    },
  }
}
