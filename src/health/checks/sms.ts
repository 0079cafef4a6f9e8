import { errorMessage } from '../../platform/errors/error_code.ts'
import type { Config } from '../../platform/config/config.ts'
import { checkSmsAccount } from '../../messaging/outbox/senders/sms_api.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { wrongFinding, type Finding } from '../finding.ts'

const TIMEOUT_MS = 15_000

/** Reports whether the SMS provider accepts our account. */
export async function smsFinding({ smsAccount, smsFrom }: Pick<Config, 'smsAccount' | 'smsFrom'>): Promise<Finding> {
  const check = 'SMS account'
  if (smsAccount === null)
    return { check, ok: true, says: phrase`not configured (SMS_ACCOUNT_SID); texts stay in the outbox` }
  try {
    const name = await checkSmsAccount(smsAccount, AbortSignal.timeout(TIMEOUT_MS))
    const message =
      smsFrom === null
        ? phrase`signed in as ${name}; texts come from each company's own number`
        : phrase`signed in as ${name}; texts come from ${smsFrom} or a company's own number`
    return { check, ok: true, says: message }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const fix = phrase`Check SMS_ACCOUNT_SID and SMS_AUTH_TOKEN, and that this machine can reach SMS_API_URL.`
    return wrongFinding(check, errorMessage(cause) || String(cause), fix)
  }
}
