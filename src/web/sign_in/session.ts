import { missingSignIn } from '../../identity/providers/company/company_rule.ts'
import { findSignedInMember, type SignedInMember } from '../../identity/people/recovery/signed_in_member.ts'
import type { SignInResult, BoundSignInResult, SignInOrigin } from '../../identity/sign_in/complete_sign_in.ts'
import { findAnySession, findSession, type AnySession, type Session } from '../../identity/sign_in/sessions.ts'
import { recordSessionUse } from '../../identity/sign_in/session_uses.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { ownPath, redirect, signInAnswer } from '../../platform/http/answer.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { signInAgain } from './sign_in_again.ts'
import { providerRedirect, sessionFor, signInRedirect } from './companies/company_session.ts'
import { requireTwoFactors } from './recent.ts'
import { notFoundRefusal } from '../not_found.ts'
import { signInMethods } from './sign_in_page.ts'
import type { Site } from '../site.ts'

/** Session of a company's member, valid for all their companies or for this one only. */
export type MemberSession = AnySession & SignedInMember

/**
 * Adds the cookies of a new session to a response. If a second factor is required, it asks for that first and then
 * continues to the response's page. Browsers aren't remembered for a company's own provider.
 */
export function addSessionCookies(
  { cookie, known, pending }: Site,
  entered: SignInResult | BoundSignInResult,
  response: Response,
): Response {
  if ('pending' in entered) {
    const to = ownPath(response.headers.get('location'))
    return redirect(`/sign-in/second?to=${encodeURIComponent(to)}`, { 'Set-Cookie': pending.set(entered.pending) })
  }
  response.headers.append('Set-Cookie', cookie.set(entered.secret))
  if ('known' in entered) response.headers.append('Set-Cookie', known.set(entered.known))
  return response
}

/** Returns a request's network address, user agent, and cookies of the earlier session and the known browser. */
export const originOf = ({ senderOf, cookie, known }: Site, visit: PageRequest): Required<SignInOrigin> => {
  const cookies = visit.req.header('cookie')
  return {
    address: senderOf(visit.env.incoming),
    agent: visit.req.header('user-agent') ?? null,
    earlier: cookie.read(cookies),
    known: known.read(cookies),
  }
}

/** Returns this browser's session for all companies, or null. */
export const currentSession = ({ database, cookie }: Site, visit: PageRequest): Promise<Session | null> =>
  findSession(database, cookie.read(visit.req.header('cookie')))

/** Returns this browser's session, for all companies or for one, or null. */
export const currentAnySession = ({ database, cookie }: Site, visit: PageRequest): Promise<AnySession | null> =>
  findAnySession(database, cookie.read(visit.req.header('cookie')))

/** Returns the session. Signed-out visitors are sent to sign in, and back here with the form they sent. */
export async function requirePerson(site: Site, visit: PageRequest): Promise<Session> {
  const session = await currentSession(site, visit)
  if (session !== null) return session
  const { pathname, search } = new URL(visit.req.url)
  throw new HttpRefusal(
    visit.req.method === 'POST'
      ? await signInAgain(visit, pathname, signInMethods(site))
      : signInAnswer(pathname + search),
  )
}

/**
 * Returns a member of the company in the path (`/:tenant/…`). Answers 404 to others, and for an unknown company. If the
 * company requires a second factor or its own provider, that comes first. `beside` may add queries to the same round
 * trip.
 */
export async function requireMember(site: Site, visit: PageRequest, beside?: (db: Db) => void): Promise<MemberSession> {
  const tenant = visit.req.param('tenant') ?? ''
  const session = await sessionFor(site, visit, tenant)
  if (session === null) throw await signInRedirect(site, visit, tenant)
  const employed = await findSignedInMember(site.database, tenant, session.user.id, beside)
  if (employed === null) throw notFoundRefusal()
  const missing = await missingSignIn(site.database, session, employed)
  if (missing === 'session') throw await signInRedirect(site, visit, tenant)
  if (missing === 'provider') throw providerRedirect(visit, tenant)
  if (missing === 'factors') await requireTwoFactors(site, visit, session, tenant)
  if (employed.asksSecondFactor) await requireTwoFactors(site, visit, session, employed.company.id)
  await recordSessionUse(site.database, session, employed.company.id, originOf(site, visit))
  return { ...session, ...employed }
}
