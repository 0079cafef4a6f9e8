import { ConfigError, address, list, oneOf, originOf, text, type Environment } from './environment.ts'

/** Secrets that sign inbound webhooks (docs/spec/webhooks.md#signing-secrets). Null or empty if not configured. */
export type WebhookConfig = {
  /** Whether to accept only the providers' own signature forms. */
  strictSignatures: boolean
  payments: { mode: 'test' | 'live' | null; platform: string | null; connect: string | null }
  /** Several during a rotation. */
  sms: readonly string[]
  email: readonly string[]
}

/** Secret key of the payments provider, and the API's origin. */
export type PaymentsConfig = { key: string; apiUrl: string }

/** Shortest secret of a webhook; a shorter one counts as none (docs/spec/webhooks.md#shortest-secret). */
export const MIN_SECRET_BYTES = 16

/** A key. `own` marks keys of the provider's own form; the others are for the literal form. */
export type EmailKey = { bytes: Buffer; own: boolean }

export function webhooks(env: Environment): WebhookConfig {
  const mode = paymentsMode(env)
  const secret = (...names: string[]): string | null =>
    names.map((name) => text(env, name)).find((given) => given !== undefined) ?? null
  const of = mode?.toUpperCase()
  return {
    strictSignatures: oneOf(env, 'WEBHOOK_STRICT_SIGNATURES', ['0', '1']) === '1',
    payments: {
      mode,
      platform: mode && secret(`PAYMENTS_WEBHOOK_SECRET_PLATFORM_${of}`),
      connect:
        mode &&
        secret(`PAYMENTS_WEBHOOK_SECRET_CONNECT_${of}`, `PAYMENTS_WEBHOOK_SECRET_${of}`, 'PAYMENTS_WEBHOOK_SECRET'),
    },
    sms: list(env, 'SMS_WEBHOOK_SECRET'),
    email: (text(env, 'EMAIL_WEBHOOK_SECRET') ?? '').split(/\s+/).filter((part) => part !== ''),
  }
}

export function payments(env: Environment): PaymentsConfig | null {
  const apiUrl = originOf('PAYMENTS_API_URL', address(env, 'PAYMENTS_API_URL', 'https://api.stripe.com'))
  const key = text(env, 'PAYMENTS_SECRET_KEY')
  return key === undefined ? null : { key, apiUrl }
}

/** Reads the mode from the key's prefix. */
function paymentsMode(env: Environment): 'test' | 'live' | null {
  const key = text(env, 'PAYMENTS_SECRET_KEY')
  if (key === undefined) return null
  const mode = /^[sr]k_(test|live)_/.exec(key)?.[1]
  if (mode === undefined)
    throw new ConfigError('PAYMENTS_SECRET_KEY must start with sk_test_, rk_test_, sk_live_ or rk_live_')
  return mode as 'test' | 'live'
}

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** Returns the keys of the secrets for e-mail that can be used; `strict`: those of the provider's own form. */
export const emailKeys = (secrets: readonly string[], strict: boolean): EmailKey[] =>
  secrets.flatMap(keysOf).filter(({ own }) => own || !strict)

/** Returns the keys of a secret; one in the provider's form that decodes to too few bytes gives none. */
function keysOf(secret: string): EmailKey[] {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const decoded = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined
  if (decoded !== undefined && secret.startsWith(PREFIX) && decoded.length < MIN_SECRET_BYTES) return []
  const keys = [
    ...(decoded === undefined ? [] : [{ bytes: decoded, own: true }]),
    { bytes: Buffer.from(secret), own: false },
  ]
  return keys.filter(({ bytes }) => bytes.length >= MIN_SECRET_BYTES)
}
