import { isRefusedForGood, openPaymentsApi, PaymentsApiError, type PaymentsAccess } from './payments_api.ts'

/** A page to pay an amount on, in the smallest unit of the currency. */
export type CheckoutRequest = {
  /** Names the request: asked again, the provider answers with the same page. */
  id: string
  account: string
  tenant: string
  invoice: string
  /** Text that the customer reads: `Invoice INV-1042`. */
  label: string
  amount_cents: number
  /** Tip beside it; null for none. */
  tip: { cents: number; label: string } | null
  currency: string
  /** True where the amount is a part of what is owed. */
  isPart: boolean
  /** Address for the provider's receipt, where the customer has one. */
  email: string | null
  language: 'en' | 'es'
  /** When the page expires, in seconds since 1970. */
  expiresAt: number
  paidUrl: string
  backUrl: string
}

/** Why there is no page: the provider refuses it for good, or can't be asked now. */
type CheckoutFailure = 'refused' | 'unreachable'

/** What the payments provider does for a page of payment. */
export type HostedCheckout = {
  start(asked: CheckoutRequest): Promise<{ session: string; url: string } | CheckoutFailure>
  /**
   * Ends a page; `complete` for one whose money is paid or on its way, and `undefined` when that can't be known now.
   */
  end(account: string, session: string): Promise<'expired' | 'complete' | undefined>
  /**
   * Returns what became of a page, and leaves it as it is; `undefined` for one that is open, or that can't be asked
   * about now.
   */
  status(account: string, session: string): Promise<'expired' | 'complete' | undefined>
}

const SESSIONS = '/v1/checkout/sessions'

/** Opens the provider's hosted checkout, on the connected account of each request. */
export function openCheckout(access: PaymentsAccess): HostedCheckout {
  const api = openPaymentsApi(access)
  return {
    async start(request) {
      try {
        const options = { account: request.account, idempotencyKey: request.id }
        const { id: session, url } = await api.post(SESSIONS, sessionFields(request), options)
        return typeof url === 'string' && typeof session === 'string' ? { session, url } : 'refused'
      } catch (error) {
        return failureOf(error)
      }
    },

    async end(account, session) {
      try {
        await api.post(`${SESSIONS}/${encodeURIComponent(session)}/expire`, {}, { account })
        return 'expired'
      } catch (error) {
        if (failureOf(error) === 'unreachable') return undefined
        return statusOf(api, account, session)
      }
    },

    status: (account, session) => statusOf(api, account, session),
  }
}

/** Returns what the provider is sent to make a page. */
function sessionFields(request: CheckoutRequest) {
  const { tenant, invoice, label, email, tip } = request
  const metadata = { invoice_id: invoice, tenant_id: tenant, ...(tip !== null && { tip_cents: String(tip.cents) }) }
  const line = (name: string, unit_amount: number) => ({
    quantity: 1,
    price_data: { currency: request.currency.toLowerCase(), unit_amount, product_data: { name } },
  })
  return {
    mode: 'payment',
    submit_type: 'pay',
    client_reference_id: invoice,
    line_items: [line(label, request.amount_cents), ...(tip === null ? [] : [line(tip.label, tip.cents)])],
    // The customer pays in the currency of the invoice, to the cent.
    adaptive_pricing: { enabled: false },
    metadata,
    ...(email !== null && { customer_email: email }),
    payment_intent_data: { description: label, metadata, ...(email !== null && { receipt_email: email }) },
    locale: request.language,
    expires_at: request.expiresAt,
    success_url: request.paidUrl,
    cancel_url: request.backUrl,
  }
}

type PaymentsApi = ReturnType<typeof openPaymentsApi>

/** Returns what became of a page; one that the account doesn't know can't be paid on. */
async function statusOf(
  api: PaymentsApi,
  account: string,
  session: string,
): Promise<'expired' | 'complete' | undefined> {
  try {
    const { status, payment_status, payment_intent } = await api.get(`${SESSIONS}/${encodeURIComponent(session)}`, {
      account,
    })
    if (status === 'expired') return 'expired'
    if (status !== 'complete') return undefined
    if (payment_status !== 'unpaid' || typeof payment_intent !== 'string') return 'complete'
    return (await isGivenUp(api, account, payment_intent)) ? 'expired' : 'complete'
  } catch (error) {
    return failureOf(error) === 'unreachable' ? undefined : 'expired'
  }
}

/** Checks whether pending money won't come; a bank may say so days later. False when that can't be known. */
async function isGivenUp(api: PaymentsApi, account: string, intent: string): Promise<boolean> {
  try {
    const { status } = await api.get(`/v1/payment_intents/${encodeURIComponent(intent)}`, { account })
    return status === 'requires_payment_method' || status === 'canceled'
  } catch (error) {
    if (!(error instanceof PaymentsApiError)) throw error
    return false
  }
}

function failureOf(error: unknown): CheckoutFailure {
  if (!(error instanceof PaymentsApiError)) throw error
  return isRefusedForGood(error) ? 'refused' : 'unreachable'
}
