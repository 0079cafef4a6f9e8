import type { ErrorObject } from 'ajv'

export type Form = Record<string, unknown>
export type Answer = { status: number; body: object }

/** Card or bank account at the provider. `result` is the result of a charge. */
export type FakeMethod = {
  id: string
  account: string
  /** Null after it is detached. That is permanent. */
  customer: string | null
  type: 'card' | 'us_bank_account'
  about: object
  result: 'succeeded' | 'processing' | 'requires_action' | { decline_code: string }
}
/** Payment intent at the provider. */
export type FakeIntent = {
  id: string
  account: string
  asked: Form
  method: string | null
  status: string
  charge: string | null
  error: object | null
}
/** Setup page, and its intent. */
export type FakeSetup = {
  id: string
  account: string
  asked: Form
  status: 'open' | 'complete' | 'expired'
  customer: string | null
  setupIntent: string | null
  url: string
}
/** Money that the provider has taken. */
export type LedgerEntry = { intent: string; charge: string; account: string; amount: number; metadata: Form }
export type ProviderEvent = {
  id: string
  type: string
  account: string
  livemode: boolean
  created: number
  data: object
}

export type ProviderRequest = {
  method: string
  path: string
  asked: Form
  written: string
  account: string
  key: string | undefined
}

export const ok = (body: object): Answer => ({ status: 200, body })

/** Returns a setup page as the provider's API shows it. */
export const shownSetup = ({ id, status, customer, setupIntent, url }: FakeSetup): object => ({
  id,
  object: 'checkout.session',
  mode: 'setup',
  status,
  payment_status: 'no_payment_required',
  customer,
  setup_intent: setupIntent,
  url: status === 'open' ? url : null,
})

/** Returns a payment method as the provider's API shows it. */
export const shownMethod = ({ id, type, customer, about }: FakeMethod): object => ({
  id,
  object: 'payment_method',
  type,
  customer,
  [type]: about,
})

export const makeStateError = ({ status }: FakeIntent): Answer =>
  makeErrorAnswer(400, 'payment_intent_unexpected_state', `This PaymentIntent's status is ${status}`)

export const makeErrorAnswer = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message } },
})

export const problems = (errors: ErrorObject[] | null | undefined): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
