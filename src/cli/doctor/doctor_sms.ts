import type { Config } from '../../platform/config/config.ts'
import { checkSmsAccount } from '../../messaging/outbox/senders/sms_api.ts'
import type { Finding } from '../finding.ts'

const TIMEOUT_MS = 15_000

/** Finds whether the SMS provider knows our account. */
export async function smsFinding({ smsAccount, smsFrom }: Pick<Config, 'smsAccount' | 'smsFrom'>): Promise<Finding> {
  const check = 'SMS account'
  if (smsAccount === null)
    return { check, ok: true, says: 'not configured (SMS_ACCOUNT_SID); texts are kept under Outbox and not sent' }
  try {
    const name = await checkSmsAccount(smsAccount, AbortSignal.timeout(TIMEOUT_MS))
    const from = smsFrom === null ? "from each company's own number" : `from ${smsFrom} or a company's own number`
    return { check, ok: true, says: `${name} lets us in; texts come ${from}` }
  } catch (error) {
    const { message, cause } = error as Error
    const says = cause instanceof Error ? cause.message || String(cause) : message
    return {
      check,
      ok: false,
      says,
      mend: 'Check SMS_ACCOUNT_SID and SMS_AUTH_TOKEN, and whether this machine reaches SMS_API_URL.',
    }
  }
}
