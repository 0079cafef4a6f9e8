import { list, oneOf, text } from '../../parsers.ts'
import { payments, type PaymentsMode } from './payments.ts'
import { setting, topic, type Setting } from '../../setting.ts'

/** Secrets that sign inbound webhooks (docs/spec/webhooks.md#signing-secrets). Null or empty if not configured. */
export type WebhookConfig = {
  /** Whether to accept only the providers' own signature forms. */
  strictSignatures: boolean
  payments: { mode: PaymentsMode | null; platform: string | null; connect: string | null }
  /** Several during a rotation. */
  sms: readonly string[]
  email: readonly string[]
}

const secret = (name: string, about: string): Setting<string | null> =>
  setting(name, { parse: text, default: null, isSecret: true, about })

const CONNECT = 'Signs payment events of connected accounts'
const PLATFORM = 'Signs payment events of your own account'

export const webhooks = topic(
  'Webhooks',
  {
    connectTest: secret('PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST', `${CONNECT}, in test mode.`),
    connectLive: secret('PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE', `${CONNECT}, in live mode.`),
    test: secret('PAYMENTS_WEBHOOK_SECRET_TEST', 'Used if `PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST` is not set.'),
    live: secret('PAYMENTS_WEBHOOK_SECRET_LIVE', 'Used if `PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE` is not set.'),
    any: secret('PAYMENTS_WEBHOOK_SECRET', `${CONNECT} if neither of those is set, in either mode.`),
    platformTest: secret('PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST', `${PLATFORM}, in test mode.`),
    platformLive: secret('PAYMENTS_WEBHOOK_SECRET_PLATFORM_LIVE', `${PLATFORM}, in live mode.`),
    sms: setting('SMS_WEBHOOK_SECRET', {
      parse: list,
      default: [],
      isSecret: true,
      about: "Signs inbound texts and delivery statuses: the SMS account's auth token, or several separated by commas.",
    }),
    email: setting('EMAIL_WEBHOOK_SECRET', {
      parse: (value) => value.split(/\s+/),
      default: [],
      isSecret: true,
      about: 'Signs inbound mail and delivery events: `whsec_…`, or several separated by spaces.',
    }),
    strictSignatures: setting('WEBHOOK_STRICT_SIGNATURES', {
      parse: (value, name) => oneOf('0', '1')(value, name) === '1',
      default: false,
      defaultText: '0',
      about: "`1` accepts only the providers' own signature formats.",
      more: 'Set it unless your own software signs requests in a simpler way.',
    }),
  },
  ({ strictSignatures, sms, email, ...secrets }, env): { webhooks: WebhookConfig } => {
    const mode = payments.settings.account.read(env)?.mode ?? null
    const byMode = {
      test: { platform: secrets.platformTest, connect: secrets.connectTest ?? secrets.test ?? secrets.any },
      live: { platform: secrets.platformLive, connect: secrets.connectLive ?? secrets.live ?? secrets.any },
    }
    const ofMode = mode === null ? { platform: null, connect: null } : byMode[mode]
    return { webhooks: { strictSignatures, payments: { mode, ...ofMode }, sms, email } }
  },
)

/** Minimum webhook secret in bytes; a shorter one counts as missing (docs/spec/webhooks.md#minimum-secret-length). */
export const MIN_SECRET_BYTES = 16

/** Signing key. `isProviderForm` marks a key in the provider's own form; the others are the secret's literal bytes. */
type EmailKey = { bytes: Buffer; isProviderForm: boolean }

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** Returns the usable keys of email secrets; with `strict`, only those in the provider's own form. */
export const emailKeys = (secrets: readonly string[], strict: boolean): EmailKey[] =>
  secrets.flatMap(keysOf).filter(({ isProviderForm }) => isProviderForm || !strict)

/** Returns the keys of a secret: none if it has the provider's form and decodes to too few bytes. */
function keysOf(secret: string): EmailKey[] {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const decoded = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined
  if (decoded !== undefined && secret.startsWith(PREFIX) && decoded.length < MIN_SECRET_BYTES) return []
  const keys = [
    ...(decoded === undefined ? [] : [{ bytes: decoded, isProviderForm: true }]),
    { bytes: Buffer.from(secret), isProviderForm: false },
  ]
  return keys.filter(({ bytes }) => bytes.length >= MIN_SECRET_BYTES)
}
