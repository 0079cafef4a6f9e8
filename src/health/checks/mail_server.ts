import type { Config } from '../../platform/config/config.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { checkSmtp } from '../../messaging/outbox/senders/smtp.ts'
import { wrongFinding, type Finding } from '../finding.ts'

const TIMEOUT_MS = 15_000

/** Reports whether the mail server accepts our sign-in. */
export async function mailServerFinding({ mailServer }: Pick<Config, 'mailServer'>): Promise<Finding> {
  const check = 'mail server'
  if (mailServer === null) return { check, ok: true, says: phrase`not configured (SMTP_URL); mail stays in the outbox` }
  const address = `${mailServer.host}:${mailServer.port}`
  try {
    await checkSmtp(mailServer, AbortSignal.timeout(TIMEOUT_MS))
    return { check, ok: true, says: phrase`connected to ${address}` }
  } catch (error) {
    return wrongFinding(
      check,
      phrase`${address}: ${errorMessage(error)}`,
      phrase`Check the host, port, user and password in SMTP_URL, and that this machine can reach the port.`,
    )
  }
}
