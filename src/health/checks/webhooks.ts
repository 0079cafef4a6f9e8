import { sql, type Database } from '../../platform/db/tenant.ts'
import { onlyRow } from '../../platform/db/sql.ts'
import { MIN_SECRET_BYTES, emailKeys, type Config } from '../../platform/config/config.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'

/** Number of companies' resources at providers that call our webhooks. */
type ProviderUse = { numbers: number; mailboxes: number; paymentAccounts: number }

type WebhookSettings = Pick<Config, 'webhooks' | 'payments' | 'smsAccount'>

/** Reports providers whose webhooks are answered with 500 because a secret is missing or too short. */
export async function webhookFindings(send: Database['send'], config: WebhookSettings): Promise<Finding[]> {
  const [answer] = await send([
    sql<ProviderUse>`select (select count(*)::int from managed_numbers) as numbers,
      (select count(*)::int from mailboxes) as mailboxes,
      (select count(*)::int from payment_accounts) as "paymentAccounts"`,
  ])
  const use = onlyRow(answer)
  return [paymentsWebhooks(config, use), smsWebhooks(config, use), emailWebhooks(config, use)]
}

function paymentsWebhooks(
  { webhooks: { payments }, payments: key }: WebhookSettings,
  { paymentAccounts }: ProviderUse,
): Finding {
  const check = 'payments webhooks'
  const accounts = phraseCount(paymentAccounts, '{0} account is', '{0} accounts are')
  if (key === null || payments.mode === null)
    return paymentAccounts === 0
      ? { check, ok: true, says: phrase`not configured (${'PAYMENTS_SECRET_KEY'})` }
      : wrongFinding(
          check,
          phrase`${accounts} connected, and PAYMENTS_SECRET_KEY is missing: no payment is booked`,
          phrase`Set PAYMENTS_SECRET_KEY and the secrets of its webhooks.`,
        )
  const mode = payments.mode.toUpperCase()
  const [connect, platform] = [
    `PAYMENTS_WEBHOOK_SECRET_CONNECT_${mode}`,
    `PAYMENTS_WEBHOOK_SECRET_PLATFORM_${mode}`,
  ] as const
  const mend = phrase`Set the secret that the provider shows for this webhook's address.`
  const flaw = flawOf(connect, payments.connect) ?? (payments.platform && flawOf(platform, payments.platform))
  if (flaw) return wrongFinding(check, phrase`${flaw}: the webhook answers 500 and no payment is booked`, mend)
  if (payments.platform !== null) return { check, ok: true, says: phrase`secrets are set for connect and platform` }
  const says = phrase`set for connect; ${platform} is missing, so events of your own account are not taken`
  return warningFinding(check, says, mend)
}

function smsWebhooks({ webhooks, smsAccount }: WebhookSettings, { numbers }: ProviderUse): Finding {
  const check = 'SMS webhooks'
  const name = 'SMS_WEBHOOK_SECRET'
  if (smsAccount === null && numbers === 0 && webhooks.sms.length === 0)
    return { check, ok: true, says: phrase`not configured (${name})` }
  const flaw = webhooks.sms.length === 0 ? flawOf(name, null) : flawIn(webhooks.sms.map((one) => flawOf(name, one)))
  if (flaw === null) return { check, ok: true, says: phrase`the secret is set` }
  return wrongFinding(
    check,
    phrase`${flaw}: the webhook answers 500, and replies, opt-outs and statuses don't arrive`,
    phrase`Set it to the auth token of the SMS provider's account.`,
  )
}

function emailWebhooks({ webhooks }: Pick<Config, 'webhooks'>, { mailboxes }: ProviderUse): Finding {
  const check = 'e-mail webhooks'
  const name = 'EMAIL_WEBHOOK_SECRET'
  if (mailboxes === 0 && webhooks.email.length === 0) return { check, ok: true, says: phrase`not configured (${name})` }
  const isShort = webhooks.email.some((one) => emailKeys([one], webhooks.strictSignatures).length === 0)
  if (webhooks.email.length > 0 && !isShort) return { check, ok: true, says: phrase`the secret is set` }
  const to = phraseCount(mailboxes, '{0} mailbox', '{0} mailboxes')
  const flaw = isShort ? tooShort(name) : missing(name)
  return wrongFinding(
    check,
    phrase`${flaw}: the webhook answers 500, and mail to ${to} doesn't arrive`,
    phrase`Set it to the secret that the e-mail provider shows, whsec_….`,
  )
}

const flawOf = (name: string, secret: string | null): Phrase | null =>
  secret === null ? missing(name) : Buffer.byteLength(secret) < MIN_SECRET_BYTES ? tooShort(name) : null

const flawIn = (flaws: readonly (Phrase | null)[]): Phrase | null => flaws.find((flaw) => flaw !== null) ?? null

const missing = (name: string): Phrase => phrase`${name} is missing`

const tooShort = (name: string): Phrase => phrase`${name} is shorter than ${MIN_SECRET_BYTES} bytes`
