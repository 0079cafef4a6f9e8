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
  { cookie, knownBrowserCookie, pendingSignInCookie }: Site,
  signInResult: SignInResult | BoundSignInResult,
  response: Response,
): Response {
  if ('pending' in signInResult) {
    const to = ownPath(response.headers.get('location'))
    return redirect(`/sign-in/second?to=${encodeURIComponent(to)}`, {
      'Set-Cookie': pendingSignInCookie.set(signInResult.pending),
    })
  }
  response.headers.append('Set-Cookie', cookie.set(signInResult.secret))
  if ('known' in signInResult) response.headers.append('Set-Cookie', knownBrowserCookie.set(signInResult.known))
  return response
}

/** Returns a request's network address, user agent, and cookies of the earlier session and the known browser. */
export const originOf = (
  { clientAddressOf, cookie, knownBrowserCookie }: Site,
  request: PageRequest,
): Required<SignInOrigin> => {
  const cookies = request.req.header('cookie')
  return {
    address: clientAddressOf(request.env.incoming),
    agent: request.req.header('user-agent') ?? null,
    earlier: cookie.read(cookies),
    known: knownBrowserCookie.read(cookies),
  }
}

/** Returns this browser's session for all companies, or null. */
export const currentSession = ({ database, cookie }: Site, request: PageRequest): Promise<Session | null> =>
  findSession(database, cookie.read(request.req.header('cookie')))

/** Returns this browser's session, for all companies or for one, or null. */
export const currentAnySession = ({ database, cookie }: Site, request: PageRequest): Promise<AnySession | null> =>
  findAnySession(database, cookie.read(request.req.header('cookie')))

/** Returns the session. Signed-out visitors are sent to sign in, and back here with the form they sent. */
export async function requirePerson(site: Site, request: PageRequest): Promise<Session> {
  const session = await currentSession(site, request)
  if (session !== null) return session
  const { pathname, search } = new URL(request.req.url)
  throw new HttpRefusal(
    request.req.method === 'POST'
      ? await signInAgain(request, pathname, signInMethods(site))
      : signInAnswer(pathname + search),
  )
}

/**
 * Returns a member of the company in the path (`/:tenant/…`). Answers 404 to others, and for an unknown company. If the
 * company requires a second factor or its own provider, that comes first. `extraQueries` may add queries to the same
 * round trip.
 */
export async function requireMember(
  site: Site,
  request: PageRequest,
  extraQueries?: (db: Db) => void,
): Promise<MemberSession> {
  const tenant = request.req.param('tenant') ?? ''
  const session = await sessionFor(site, request, tenant)
  if (session === null) throw await signInRedirect(site, request, tenant)
  const member = await findSignedInMember(site.database, tenant, session.user.id, extraQueries)
  if (member === null) throw notFoundRefusal()
  const missing = await missingSignIn(site.database, session, member)
  if (missing === 'session') throw await signInRedirect(site, request, tenant)
  if (missing === 'provider') throw providerRedirect(request, tenant)
  if (missing === 'factors') await requireTwoFactors(site, request, session, tenant)
  if (member.requiresSecondFactor) await requireTwoFactors(site, request, session, member.company.id)
  await recordSessionUse(site.database, session, member.company.id, originOf(site, request))
  return { ...session, ...member }
}
