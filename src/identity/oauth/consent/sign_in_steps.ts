import { factorsOf, hasSecondFactor } from '../../factors/factors.ts'
import type { RelyingParty } from '../../factors/passkeys/relying_party.ts'
import { isSecondFactorRequired } from '../../factors/rule.ts'
import { isBound, isTwoFactor, type AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { pageResponse, companySignInPath, redirect } from '../../../platform/http/answer.ts'
import { confirmPage } from '../../../platform/html/confirm_page.ts'
import { messageRefusal } from '../../../platform/html/message.ts'
import type { HttpRefusal } from '../../../platform/errors/http_refusal.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Offer } from '../port.ts'

/**
 * Redirects the user to a second factor, or to its setup, before they connect an app to a company that requires one;
 * undefined if nothing is missing (docs/spec/accounts.md#second-factor).
 */
export async function askSecondFactor(
  database: Database,
  { session, offer: { tenant }, to }: { session: AnySession; offer: Offer; to: string },
): Promise<Response | undefined> {
  if (isTwoFactor(session.methods) || !(await isSecondFactorRequired(database, tenant.id))) return undefined
  if (isBound(session)) throw factorMissingRefusal()
  const has = hasSecondFactor(await factorsOf(database.send, session.user.id))
  const query = has ? { second: 'yes', to } : { company: tenant.id, to }
  return redirect(`/${has ? 'confirm' : 'factors'}?${new URLSearchParams(query).toString()}`)
}

/** Refuses a session whose provider reported only one of two required factors. It can't use our factors. */
export const factorMissingRefusal = (): HttpRefusal =>
  messageRefusal({
    title: say`Second factor required`,
    status: 403,
    body: say`Your company asks for two factors, and its provider asked you for one. Tell an owner: the provider has to ask for a second one, or sign in with your own account here.`,
    next: { label: say`Sign in`, href: '/sign-in' },
  })

/** Asks for reauthentication before an app may write, and keeps the choices (docs/spec/accounts.md#step-up). */
export async function askConfirmation(
  { database, relyingParty }: { database: Database; relyingParty: RelyingParty | null },
  session: AnySession,
  to: string,
  chosen: URLSearchParams,
): Promise<Response> {
  if (isBound(session)) return redirect(companySignInPath(session.boundTo, to, true))
  const { user } = session
  const { hasPassword, passkeys, hasTotp } = await factorsOf(database.send, user.id)
  const methods = { password: hasPassword, passkey: relyingParty !== null && passkeys > 0, code: hasTotp }
  const encoded = Buffer.from(chosen.toString()).toString('base64url')
  return pageResponse(confirmPage({ person: user, to, typed: encoded, isSecond: false, methods }), { status: 401 })
}
