import { networkOf } from '../addresses.ts'
import { logAccountEventOnce } from '../security/account_events.ts'
import { takeAttempt, clearAttempts, refundAttempt } from '../sign_in/attempts.ts'
import type { SignInOrigin } from '../sign_in/complete_sign_in.ts'
import { findKnownBrowser } from '../sign_in/known_browsers.ts'
import { spendTotp, type SecretStore } from './authenticator.ts'
import { parseRecoveryCode, spendRecoveryCode } from './recovery_codes.ts'

/** Factor that identified the user, the seconds to wait, `sealed` without a key for the secret, or null if wrong. */
type CodeResult = { method: 'totp' | 'recovery' } | { wait: number } | { sealed: true } | null

/** Maximum tries in 15 minutes on one account from one network, or from one browser that it recognizes. */
const MAX_FROM_NETWORK = 10

/**
 * Maximum tries with app codes on one account from all unrecognized browsers together: 3 of a million codes are right.
 * It never blocks a recognized browser, a passkey or a recovery code.
 */
const MAX_FROM_EVERYWHERE = 20

/** Checks an app code or a recovery code of a user who already passed another factor. */
export async function checkCode(
  secrets: SecretStore,
  { id, email }: { id: string; email: string },
  text: string,
  origin: SignInOrigin,
): Promise<CodeResult> {
  const { database } = secrets
  const browser = await findKnownBrowser(database, origin.known ?? null, email)
  const attemptSubject = `second factor ${id} ${browser === null ? `from ${networkOf(origin.address)}` : `at ${browser}`}`
  const code = parseRecoveryCode(text)
  const accountSubjects = browser === null && code === null ? [`second factor ${id}`] : []
  const limits = [
    { subject: attemptSubject, max: MAX_FROM_NETWORK },
    ...accountSubjects.map((subject) => ({ subject, max: MAX_FROM_EVERYWHERE })),
  ]
  for (const limit of limits) {
    const wait = await takeAttempt(database, [limit])
    if (wait > 0) return { wait }
  }
  const result =
    code === null ? await spendTotp(secrets, id, text, Date.now()) : await spendRecoveryCode(database, id, code, origin)
  if (result === 'sealed') {
    await Promise.all(limits.map(({ subject }) => refundAttempt(database, subject)))
    return { sealed: true }
  }
  if (!result) {
    await database.send([logAccountEventOnce({ user: id, kind: 'second_factor_failed', origin })])
    return null
  }
  await clearAttempts(database, attemptSubject)
  await Promise.all(accountSubjects.map((subject) => refundAttempt(database, subject)))
  return { method: code === null ? 'totp' : 'recovery' }
}
