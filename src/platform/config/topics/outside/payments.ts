import { address, origin } from '../../parsers.ts'
import { ConfigError, setting, topic } from '../../setting.ts'

/** Secret key of the payments provider, and the API's origin. */
type PaymentsConfig = { key: string; apiUrl: string }

export type PaymentsMode = 'test' | 'live'

export const payments = topic(
  'Payments',
  {
    account: setting('PAYMENTS_SECRET_KEY', {
      parse: (key, name) => ({ key, mode: paymentsMode(key, name) }),
      default: null,
      isSecret: true,
      about: 'Secret key of the payments provider: `sk_test_…` or `sk_live_…`.',
      more: 'Its prefix decides whether this is a test or a live installation. Customers can then pay invoices by card.',
    }),
    apiUrl: setting('PAYMENTS_API_URL', {
      parse: (value, name) => origin(address(value, name), name),
      default: 'https://api.stripe.com',
      about: "Origin of the provider's API; the key is sent nowhere else.",
    }),
  },
  ({ account, apiUrl }): { payments: PaymentsConfig | null } => ({
    payments: account === null ? null : { key: account.key, apiUrl },
  }),
)

/** Reads the mode from the key's prefix. The error never includes the key. */
function paymentsMode(key: string, name: string): PaymentsMode {
  const mode = /^[sr]k_(test|live)_/.exec(key)?.[1]
  if (mode !== 'test' && mode !== 'live')
    throw new ConfigError(`${name} must start with sk_test_, rk_test_, sk_live_ or rk_live_`)
  return mode
}
