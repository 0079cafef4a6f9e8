import { isPermanentFailure, openPaymentsApi, PaymentsApiError, type PaymentsAccess } from '../payments_api.ts'
import { parseCode, parseId } from '../events/event_object.ts'
import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { toStorableText } from '../../platform/validation/text/storable.ts'

/** Request for a page on which a customer saves a card or bank account; `id` is its idempotency key. */
export type SetupRequest = {
  id: string
  account: string
  tenant: string
  customer: string
  /** The provider's customer id, if there is one. */
  providerCustomer: string | null
  currency: string
  email: string | null
  language: 'en' | 'es'
  expiresAt: number
  savedUrl: string
  backUrl: string
}

/** A saved card or bank account, with the provider's ids. */
export type SavedDetails = {
  provider_customer: string
  method: string
  kind: string
  brand: string | null
  last_four: string | null
  expires_on: string | null
}

/** Request to charge a saved method; `id` is its idempotency key. */
type IntentRequest = {
  id: string
  account: string
  tenant: string
  invoice: string
  label: string
  amount_cents: number
  currency: string
  provider_customer: string
  method: string
}

/** State of a payment intent; `charge` is the latest attempt. */
export type IntentState = {
  status: string
  charge: string | null
  amount_received: number | null
  currency: string | null
  code: string | null
  message: string | null
}

/** Why the provider did nothing: it refused permanently, or can't be reached now. */
type Failure = { failed: 'refused'; code: string | null; message: string } | { failed: 'unreachable' }

/** The provider's operations on saved cards and bank accounts. */
export type SavedPayments = {
  startSetup(request: SetupRequest): Promise<{ session: string; url: string } | Failure>
  /** Returns the result of a setup page; undefined while it is open or the provider can't be reached. */
  setupResult(account: string, session: string): Promise<SavedDetails | 'ended' | undefined>
  /** Detaches a saved method at the provider. Returns false if that fails for now. */
  detach(account: string, method: string): Promise<boolean>
  /** Creates a payment intent, which moves no money yet. */
  createIntent(request: IntentRequest): Promise<{ intent: string } | Failure>
  /** Confirms a payment intent, at most once, even if the response is lost; `readIntent` returns the outcome. */
  confirmIntent(account: string, intent: string, id: string): Promise<void>
  cancelIntent(account: string, intent: string): Promise<void>
  /** Returns undefined if the state is unknown now. */
  readIntent(account: string, intent: string): Promise<IntentState | undefined>
}

type Api = ReturnType<typeof openPaymentsApi>

/** Opens the provider's saved payment methods; each request acts on its own connected account. */
export function openSavedPayments(access: PaymentsAccess): SavedPayments {
  const api = openPaymentsApi(access)
  return {
    startSetup: (request) =>
      attempt(async () => {
        const options = { account: request.account, idempotencyKey: request.id }
        const { id: session, url } = await api.post('/v1/checkout/sessions', setupFields(request), options)
        return typeof url === 'string' && typeof session === 'string' ? { session, url } : NO_ANSWER
      }),

    setupResult: async (account, session) => {
      const result = await attempt(() => findSetup(api, account, session))
      if (result === undefined || result === 'ended' || !('failed' in result)) return result
      return result.failed === 'refused' ? 'ended' : undefined
    },

    async detach(account, method) {
      const result = await attempt(async () => {
        await api.post(`/v1/payment_methods/${encodeURIComponent(method)}/detach`, {}, { account })
        return 'detached' as const
      })
      // A method that is unknown or not attached at the provider can't be charged.
      return result === 'detached' || result.failed === 'refused'
    },

    createIntent: (request) =>
      attempt(async () => {
        const options = { account: request.account, idempotencyKey: request.id }
        const { id: intent } = await api.post('/v1/payment_intents', intentFields(request), options)
        return typeof intent === 'string' ? { intent } : NO_ANSWER
      }),

    async confirmIntent(account, intent, id) {
      const options = { account, idempotencyKey: `${id} confirm` }
      await attempt(() => api.post(`${intentPath(intent)}/confirm`, { off_session: true }, options))
    },

    async cancelIntent(account, intent) {
      await attempt(() => api.post(`${intentPath(intent)}/cancel`, {}, { account }))
    },

    async readIntent(account, intent) {
      const answer = await attempt(async () => toState(await api.get(intentPath(intent), { account })))
      return 'failed' in answer ? undefined : answer
    },
  }
}

const NO_ANSWER: Failure = { failed: 'unreachable' }

const intentPath = (intent: string): string => `/v1/payment_intents/${encodeURIComponent(intent)}`

async function attempt<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentsApiError)) throw error
    return isPermanentFailure(error)
      ? { failed: 'refused', code: error.code, message: toStorableText(error.message, 500) }
      : { failed: 'unreachable' }
  }
}

function setupFields({ id, tenant, customer, providerCustomer, email, ...request }: SetupRequest) {
  const metadata = { payment_method_id: id, tenant_id: tenant }
  return {
    mode: 'setup',
    currency: request.currency.toLowerCase(),
    ...(providerCustomer === null
      ? { customer_creation: 'always', ...(email !== null && { customer_email: email }) }
      : { customer: providerCustomer }),
    client_reference_id: customer,
    metadata,
    setup_intent_data: { metadata },
    locale: request.language,
    expires_at: request.expiresAt,
    success_url: request.savedUrl,
    cancel_url: request.backUrl,
  }
}

const intentFields = (request: IntentRequest) => ({
  amount: request.amount_cents,
  currency: request.currency.toLowerCase(),
  customer: request.provider_customer,
  payment_method: request.method,
  // No customer is present to follow a redirect.
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  description: request.label,
  metadata: { invoice_id: request.invoice, tenant_id: request.tenant, charge_id: request.id },
})

/** Finds the method saved on a setup page; verifying a bank account may take days. */
async function findSetup(api: Api, account: string, session: string): Promise<SavedDetails | 'ended' | undefined> {
  const page = await api.get(`/v1/checkout/sessions/${encodeURIComponent(session)}`, { account })
  if (page['status'] === 'expired') return 'ended'
  const [customer, setup] = [parseId(page['customer']), parseId(page['setup_intent'])]
  if (page['status'] !== 'complete' || customer === undefined || setup === undefined) return undefined
  const { status, payment_method } = await api.get(`/v1/setup_intents/${encodeURIComponent(setup)}`, { account })
  if (status === 'canceled' || status === 'requires_payment_method') return 'ended'
  const method = parseId(payment_method)
  if (status !== 'succeeded' || method === undefined) return undefined
  const path = `/v1/customers/${encodeURIComponent(customer)}/payment_methods/${encodeURIComponent(method)}`
  return toDetails(customer, method, await api.get(path, { account }))
}

/** Returns the details of a method to display: kind, brand, last digits and expiry. */
export function toDetails(customer: string, method: string, answer: JsonFields): SavedDetails {
  const kind = parseCode(answer['type']) ?? 'other'
  const details = toFields(answer[kind])
  return {
    provider_customer: customer,
    method,
    kind,
    brand: toStorableText(details['brand'] ?? details['bank_name'], 60) || null,
    last_four: /^\d{4}$/.test(String(details['last4'])) ? String(details['last4']) : null,
    expires_on: lastDayOf(details['exp_year'], details['exp_month']),
  }
}

function lastDayOf(year: unknown, month: unknown): string | null {
  if (!Number.isInteger(year) || !Number.isInteger(month)) return null
  try {
    const { daysInMonth } = Temporal.PlainYearMonth.from({ year: Number(year), month: Number(month) })
    return Temporal.PlainDate.from({ year: Number(year), month: Number(month), day: daysInMonth }).toString()
  } catch {
    return null
  }
}

function toState({ status, latest_charge, amount_received, currency, last_payment_error }: JsonFields): IntentState {
  const { code, decline_code, message, charge } = toFields(last_payment_error)
  return {
    status: String(status),
    charge: parseId(latest_charge) ?? parseId(charge) ?? null,
    amount_received: Number.isSafeInteger(amount_received) ? Number(amount_received) : null,
    currency: parseCode(currency)?.toUpperCase() ?? null,
    code: parseCode(decline_code) ?? parseCode(code) ?? null,
    message: toStorableText(message, 500) || null,
  }
}
