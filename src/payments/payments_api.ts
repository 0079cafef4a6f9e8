import { newId } from '../platform/validation/id.ts'
import { toFields } from '../platform/validation/json_fields.ts'

/** Access to the payments provider; the key goes only to `apiUrl`. */
export type PaymentsAccess = { key: string; apiUrl: string }

type FormValue = string | number | boolean | readonly FormValue[] | { readonly [name: string]: FormValue }

export type PaymentsForm = Readonly<Record<string, FormValue>>

/** `account` is the connected account to act on; `idempotencyKey` makes a write safe to repeat. */
type RequestOptions = { account?: string; idempotencyKey?: string }

type PaymentsApi = {
  get(path: string, options?: RequestOptions): Promise<Record<string, unknown>>
  post(path: string, form: PaymentsForm, options?: RequestOptions): Promise<Record<string, unknown>>
}

/** Version of the provider's API that this program is written for. */
const API_VERSION = '2026-10-28.endive'

/** Timeout of each attempt in milliseconds. */
const TIMEOUT_MS = 10_000
const RETRY_AFTER_MS = 500
const MAX_ATTEMPTS = 2

/** A failed request. `status` is the HTTP status, 0 without a response; `code` is the provider's error code. */
export class PaymentsApiError extends Error {
  readonly status: number
  readonly code: string | null

  constructor(
    message: string,
    status: number,
    { code = null, ...options }: ErrorOptions & { code?: string | null } = {},
  ) {
    super(message, options)
    this.name = 'PaymentsApiError'
    this.status = status
    this.code = code
  }
}

/** Checks whether the provider refused a request permanently; other failures may be transient. */
export const isPermanentFailure = ({ status }: PaymentsApiError): boolean =>
  status >= 400 && status < 500 && status !== 409 && status !== 429

/** Opens the provider's API with our key. Every failed request throws `PaymentsApiError`. */
export function openPaymentsApi({ key, apiUrl }: PaymentsAccess): PaymentsApi {
  async function send(
    method: 'GET' | 'POST',
    path: string,
    { account, idempotencyKey }: RequestOptions,
    form?: PaymentsForm,
  ) {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${key}`,
      Accept: 'application/json',
      'Stripe-Version': API_VERSION,
      ...(account !== undefined && { 'Stripe-Account': account }),
      ...(method === 'POST' && { 'Idempotency-Key': idempotencyKey ?? newId() }),
    }
    const body = form && toForm(form)
    for (let attempt = 1; ; attempt++) {
      const answer = await request(new URL(path, apiUrl), { method, headers, ...(body && { body }) })
      if (!(answer instanceof PaymentsApiError)) return answer
      if (attempt === MAX_ATTEMPTS || !mayRetry(answer)) throw answer
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    }
  }

  return {
    get: (path, options = {}) => send('GET', path, options),
    post: (path, form, options = {}) => send('POST', path, options, form),
  }
}

async function request(url: URL, init: RequestInit): Promise<Record<string, unknown> | PaymentsApiError> {
  try {
    // A redirect would send the key elsewhere.
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const answer = (await response.json()) as Record<string, unknown>
    if (response.ok) return answer
    const { message, code } = toFields(answer['error'])
    const text = typeof message === 'string' ? message : `The provider answered ${response.status}`
    return new PaymentsApiError(text, response.status, { code: typeof code === 'string' ? code.slice(0, 100) : null })
  } catch (cause) {
    return new PaymentsApiError('The payments provider could not be reached', 0, { cause })
  }
}

/** Checks whether an immediate retry with the same idempotency key may succeed. */
const mayRetry = ({ status }: PaymentsApiError): boolean => status === 0 || status === 409 || status >= 500

/** Encodes a form in the provider's format: `line_items[0][price_data][currency]`. */
function toForm(form: PaymentsForm): URLSearchParams {
  const params = new URLSearchParams()
  const append = (name: string, value: FormValue): void => {
    if (typeof value !== 'object') return params.append(name, String(value))
    for (const [member, one] of Object.entries(value)) append(`${name}[${member}]`, one)
  }
  for (const [name, value] of Object.entries(form)) append(name, value)
  return params
}
