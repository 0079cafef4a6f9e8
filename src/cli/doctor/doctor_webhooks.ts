import type { Client } from 'pg'
import { MIN_SECRET_BYTES, emailKeys, type Config } from '../../platform/config/config.ts'
import type { Finding } from '../finding.ts'

/** Number of companies' resources at a provider that calls our webhooks. */
export type ProviderUse = { numbers: number; mailboxes: number; paymentAccounts: number }

export async function readProviderUse(client: Client): Promise<ProviderUse> {
  const { rows } = await client.query<ProviderUse>(`select (select count(*)::int from managed_numbers) as numbers,
    (select count(*)::int from mailboxes) as mailboxes, (select count(*)::int from payment_accounts) as "paymentAccounts"`)
  return rows[0]!
}

/** Finds providers whose webhooks are answered 500, because a secret is missing or too short. */
export const webhookFindings = (
  config: Pick<Config, 'webhooks' | 'payments' | 'smsAccount'>,
  use: ProviderUse,
): Finding[] => [paymentsWebhooks(config, use), smsWebhooks(config, use), emailWebhooks(config, use)]

function paymentsWebhooks(
  { webhooks: { payments }, payments: key }: Pick<Config, 'webhooks' | 'payments'>,
  { paymentAccounts }: ProviderUse,
): Finding {
  const check = 'payments webhooks'
  if (key === null || payments.mode === null) {
    if (paymentAccounts === 0) return { check, ok: true, says: 'not configured (PAYMENTS_SECRET_KEY)' }
    const says = `${formatCount(paymentAccounts, 'account is', 'accounts are')} connected, and PAYMENTS_SECRET_KEY is missing: no payment is booked`
    return { check, ok: false, says, mend: 'Set PAYMENTS_SECRET_KEY and the secrets of its webhooks.' }
  }
  const [connect, platform] = ['CONNECT', 'PLATFORM'].map(
    (endpoint) => `PAYMENTS_WEBHOOK_SECRET_${endpoint}_${payments.mode!.toUpperCase()}`,
  ) as [string, string]
  const mend = "Set the secret that the provider shows for this webhook's address."
  const flaw = flawOf(connect, payments.connect) ?? (payments.platform && flawOf(platform, payments.platform))
  if (flaw) return { check, ok: false, says: `${flaw}: the webhook answers 500 and no payment is booked`, mend }
  if (payments.platform !== null) return { check, ok: true, says: 'secrets are set for connect and platform' }
  const says = `the secret is set for connect; ${platform} is missing, so events of your own account are not taken`
  return { check, ok: true, warning: true, says, mend }
}

function smsWebhooks(
  { webhooks, smsAccount }: Pick<Config, 'webhooks' | 'smsAccount'>,
  { numbers }: ProviderUse,
): Finding {
  const check = 'SMS webhooks'
  const name = 'SMS_WEBHOOK_SECRET'
  if (smsAccount === null && numbers === 0 && webhooks.sms.length === 0)
    return { check, ok: true, says: `not configured (${name})` }
  const flaw = webhooks.sms.length === 0 ? flawOf(name, null) : flawIn(webhooks.sms.map((one) => flawOf(name, one)))
  if (flaw === null) return { check, ok: true, says: 'the secret is set' }
  const says = `${flaw}: the webhook answers 500, and replies, opt-outs and statuses don't arrive`
  return { check, ok: false, says, mend: "Set it to the auth token of the SMS provider's account." }
}

function emailWebhooks({ webhooks }: Pick<Config, 'webhooks'>, { mailboxes }: ProviderUse): Finding {
  const check = 'e-mail webhooks'
  const name = 'EMAIL_WEBHOOK_SECRET'
  if (mailboxes === 0 && webhooks.email.length === 0) return { check, ok: true, says: `not configured (${name})` }
  const isShort = webhooks.email.some((one) => emailKeys([one], webhooks.strictSignatures).length === 0)
  if (webhooks.email.length > 0 && !isShort) return { check, ok: true, says: 'the secret is set' }
  const flaw = isShort ? tooShort(name) : flawOf(name, null)
  const says = `${flaw}: the webhook answers 500, and mail to ${formatCount(mailboxes, 'mailbox', 'mailboxes')} doesn't arrive`
  return { check, ok: false, says, mend: 'Set it to the secret that the e-mail provider shows, whsec_….' }
}

const flawOf = (name: string, secret: string | null): string | null =>
  secret === null ? `${name} is missing` : Buffer.byteLength(secret) < MIN_SECRET_BYTES ? tooShort(name) : null

const flawIn = (flaws: readonly (string | null)[]): string | null => flaws.find((flaw) => flaw !== null) ?? null

const tooShort = (name: string): string => `${name} is shorter than ${MIN_SECRET_BYTES} bytes`

export const formatCount = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`
