import { isPermanentFailure, openPaymentsApi, PaymentsApiError, type PaymentsAccess } from './payments_api.ts'

/** Request for a checkout page; amounts are in the smallest unit of the currency. */
export type CheckoutRequest = {
  /** Idempotency key: the provider answers a repeated request with the same page. */
  id: string
  account: string
  tenant: string
  invoice: string
  /** Line item text for the customer: `Invoice INV-1042`. */
  label: string
  amount_cents: number
  /** Tip on top of the amount; null for none. */
  tip: { cents: number; label: string } | null
  currency: string
  /** Whether the amount is a part of the balance. */
  isPart: boolean
  /** Email address for the provider's receipt; null if the customer has none. */
  email: string | null
  language: 'en' | 'es'
  /** Expiry of the page, as Unix time in seconds. */
  expiresAt: number
  paidUrl: string
  backUrl: string
}

/** Why there is no page: the provider refused it permanently, or can't be reached now. */
type CheckoutFailure = 'refused' | 'unreachable'

/** The provider's hosted checkout pages. */
export type HostedCheckout = {
  start(request: CheckoutRequest): Promise<{ session: string; url: string } | CheckoutFailure>
  /** Expires a page. Returns `complete` if its money is paid or on its way, and `undefined` if that is unknown now. */
  end(account: string, session: string): Promise<'expired' | 'complete' | undefined>
  /** Returns the status of a page; `undefined` if it is open or the provider can't be reached. */
  status(account: string, session: string): Promise<'expired' | 'complete' | undefined>
}

const SESSIONS = '/v1/checkout/sessions'

/** Opens the provider's hosted checkout; each request acts on its own connected account. */
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

/** Returns the form fields for a new page. */
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

/** Returns the status of a page; `expired` if the account doesn't know it, since nobody can pay on it. */
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

/** Checks whether a pending payment failed, which a bank may report days later. Returns false if unknown. */
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
  return isPermanentFailure(error) ? 'refused' : 'unreachable'
}
