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
          phrase`${accounts} connected, but PAYMENTS_SECRET_KEY is missing: no payments are recorded`,
          phrase`Set PAYMENTS_SECRET_KEY and its webhook secrets.`,
        )
  const mode = payments.mode.toUpperCase()
  const [connect, platform] = [
    `PAYMENTS_WEBHOOK_SECRET_CONNECT_${mode}`,
    `PAYMENTS_WEBHOOK_SECRET_PLATFORM_${mode}`,
  ] as const
  const fix = phrase`Set the secret that the provider shows for this webhook's address.`
  const problem =
    secretProblem(connect, payments.connect) ?? (payments.platform && secretProblem(platform, payments.platform))
  if (problem) return wrongFinding(check, phrase`${problem}: the webhook returns 500 and no payment is recorded`, fix)
  if (payments.platform !== null) return { check, ok: true, says: phrase`secrets are set for connect and platform` }
  const message = phrase`set for connect; ${platform} is missing, so events from your own account are not accepted`
  return warningFinding(check, message, fix)
}

function smsWebhooks({ webhooks, smsAccount }: WebhookSettings, { numbers }: ProviderUse): Finding {
  const check = 'SMS webhooks'
  const name = 'SMS_WEBHOOK_SECRET'
  if (smsAccount === null && numbers === 0 && webhooks.sms.length === 0)
    return { check, ok: true, says: phrase`not configured (${name})` }
  const problem =
    webhooks.sms.length === 0
      ? secretProblem(name, null)
      : firstProblem(webhooks.sms.map((one) => secretProblem(name, one)))
  if (problem === null) return { check, ok: true, says: phrase`the secret is set` }
  return wrongFinding(
    check,
    phrase`${problem}: the webhook returns 500, and replies, opt-outs and statuses don't arrive`,
    phrase`Set it to the auth token of your SMS account.`,
  )
}

function emailWebhooks({ webhooks }: Pick<Config, 'webhooks'>, { mailboxes }: ProviderUse): Finding {
  const check = 'e-mail webhooks'
  const name = 'EMAIL_WEBHOOK_SECRET'
  if (mailboxes === 0 && webhooks.email.length === 0) return { check, ok: true, says: phrase`not configured (${name})` }
  const isShort = webhooks.email.some((one) => emailKeys([one], webhooks.strictSignatures).length === 0)
  if (webhooks.email.length > 0 && !isShort) return { check, ok: true, says: phrase`the secret is set` }
  const to = phraseCount(mailboxes, '{0} mailbox', '{0} mailboxes')
  const problem = isShort ? tooShortText(name) : missingText(name)
  return wrongFinding(
    check,
    phrase`${problem}: the webhook returns 500, and mail to ${to} doesn't arrive`,
    phrase`Set it to the secret that the email provider shows, whsec_….`,
  )
}

const secretProblem = (name: string, secret: string | null): Phrase | null =>
  secret === null ? missingText(name) : Buffer.byteLength(secret) < MIN_SECRET_BYTES ? tooShortText(name) : null

const firstProblem = (problems: readonly (Phrase | null)[]): Phrase | null =>
  problems.find((problem) => problem !== null) ?? null

const missingText = (name: string): Phrase => phrase`${name} is missing`

const tooShortText = (name: string): Phrase => phrase`${name} is shorter than ${MIN_SECRET_BYTES} bytes`
