import { networkOf } from '../addresses.ts'
import { logAccountEventOnce } from '../security/account_events.ts'
import { takeAttempt, clearAttempts, refundAttempt } from '../sign_in/attempts.ts'
import type { SignInOrigin } from '../sign_in/complete_sign_in.ts'
import { findKnownBrowser } from '../sign_in/known_browsers.ts'
import { spendTotp, type Secrets } from './authenticator.ts'
import { parseRecoveryCode, spendRecoveryCode } from './recovery_codes.ts'

/**
 * The factor that recognized somebody, the seconds to wait, or that no key here opens the app's secret; null for a
 * wrong code.
 */
type CodeResult = { method: 'totp' | 'recovery' } | { wait: number } | { sealed: true } | null

/** Limits tries in a quarter of an hour on one account from one network, or from a browser that it knows. */
const MAX_FROM_NETWORK = 10

/**
 * Limits tries with codes of an app on one account from all unknown browsers together: of a million codes three are
 * right. A known browser, a passkey and a recovery code are never kept out by it.
 */
const MAX_FROM_EVERYWHERE = 20

/** Takes a code of the app or a recovery code of a person who was recognized by something else before. */
export async function checkCode(
  secrets: Secrets,
  { id, email }: { id: string; email: string },
  text: string,
  origin: SignInOrigin,
): Promise<CodeResult> {
  const { database } = secrets
  const browser = await findKnownBrowser(database, origin.known ?? null, email)
  const place = `second factor ${id} ${browser === null ? `from ${networkOf(origin.address)}` : `at ${browser}`}`
  const code = parseRecoveryCode(text)
  const everywhere = browser === null && code === null ? [`second factor ${id}`] : []
  const limits = [
    { subject: place, most: MAX_FROM_NETWORK },
    ...everywhere.map((subject) => ({ subject, most: MAX_FROM_EVERYWHERE })),
  ]
  for (const limit of limits) {
    const wait = await takeAttempt(database, [limit])
    if (wait > 0) return { wait }
  }
  const isRight =
    code === null ? await spendTotp(secrets, id, text, Date.now()) : await spendRecoveryCode(database, id, code, origin)
  if (isRight === 'sealed') {
    await Promise.all(limits.map(({ subject }) => refundAttempt(database, subject)))
    return { sealed: true }
  }
  if (!isRight) {
    await database.send([logAccountEventOnce({ user: id, kind: 'second_factor_failed', origin })])
    return null
  }
  await clearAttempts(database, place)
  await Promise.all(everywhere.map((subject) => refundAttempt(database, subject)))
  return { method: code === null ? 'totp' : 'recovery' }
}
