import { missingFor } from '../../identity/providers/company/company_rule.ts'
import { findEmployed, type Employed } from '../../identity/people/recovery/browser.ts'
import type { Entered, EnteredBound, SignInOrigin } from '../../identity/sign_in/entering.ts'
import { findAnySession, findSession, type AnySession, type Session } from '../../identity/sign_in/sessions.ts'
import { noteUse } from '../../identity/sign_in/session_uses.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { ownPath, redirect, signInFirst } from '../../platform/http/answer.ts'
import type { Visit } from '../../platform/http/visit.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { signInAgain } from './again.ts'
import { providerFirst, sessionFor, signInFor } from './companies/company_session.ts'
import { requireTwoFactors } from './recent.ts'
import { noPage } from '../not_here.ts'
import { waysIn } from './sign_in_page.ts'
import type { Site } from '../site.ts'

/** Describes a person at a page of a company they belong to, signed in for all of theirs or for that one alone. */
export type Visitor = AnySession & Employed

/**
 * Adds the cookies of somebody who was just signed in to an answer. Where a second factor is asked for, that comes first,
 * and then the page to which the answer leads.
 */
export function signedIn({ cookie, known, pending }: Site, entered: Entered, response: Response): Response {
  if ('pending' in entered) {
    const to = ownPath(response.headers.get('location'))
    return redirect(`/sign-in/second?to=${encodeURIComponent(to)}`, { 'Set-Cookie': pending.set(entered.pending) })
  }
  response.headers.append('Set-Cookie', cookie.set(entered.secret))
  response.headers.append('Set-Cookie', known.set(entered.known))
  return response
}

/** Does the same for whoever a company's own provider named: no browser is remembered. */
export function signedInBound({ cookie, pending }: Site, entered: EnteredBound, response: Response): Response {
  if ('pending' in entered) {
    const to = ownPath(response.headers.get('location'))
    return redirect(`/sign-in/second?to=${encodeURIComponent(to)}`, { 'Set-Cookie': pending.set(entered.pending) })
  }
  response.headers.append('Set-Cookie', cookie.set(entered.secret))
  return response
}

/** Says where a visitor is, and what their browser holds of sessions and sign-ins before. */
export const originOf = ({ senderOf, cookie, known }: Site, visit: Visit): Required<SignInOrigin> => {
  const cookies = visit.req.header('cookie')
  return {
    address: senderOf(visit.env.incoming),
    agent: visit.req.header('user-agent') ?? null,
    earlier: cookie.read(cookies),
    known: known.read(cookies),
  }
}

/** Returns who is signed in at this browser, for all their companies, or null. */
export const personAt = ({ database, cookie }: Site, visit: Visit): Promise<Session | null> =>
  findSession(database, cookie.read(visit.req.header('cookie')))

/** Returns who is signed in at this browser, for all their companies or for one, or null. */
export const anybodyAt = ({ database, cookie }: Site, visit: Visit): Promise<AnySession | null> =>
  findAnySession(database, cookie.read(visit.req.header('cookie')))

/** Returns who is signed in; anybody else is sent to sign in, and back here with what they typed. */
export async function requirePerson(site: Site, visit: Visit): Promise<Session> {
  const session = await personAt(site, visit)
  if (session !== null) return session
  const { pathname, search } = new URL(visit.req.url)
  throw new HttpRefusal(
    visit.req.method === 'POST' ? await signInAgain(visit, pathname, waysIn(site)) : signInFirst(pathname + search),
  )
}

/**
 * Returns a member of the company in the path (`/:tenant/…`). For others, and where there is no such company, there is
 * no such page; where the company asks for a second factor, or for its own provider, that comes first. `beside` may ask for more in the same round trip.
 */
export async function requireMember(site: Site, visit: Visit, beside?: (db: Db) => void): Promise<Visitor> {
  const tenant = visit.req.param('tenant') ?? ''
  const session = await sessionFor(site, visit, tenant)
  if (session === null) throw await signInFor(site, visit, tenant)
  const employed = await findEmployed(site.database, tenant, session.user.id, beside)
  if (employed === null) throw noPage()
  const missing = await missingFor(site.database, session, employed)
  if (missing === 'session') throw await signInFor(site, visit, tenant)
  if (missing === 'provider') throw providerFirst(visit, tenant)
  if (missing === 'factors') await requireTwoFactors(site, visit, session, tenant)
  if (employed.asksSecondFactor) await requireTwoFactors(site, visit, session, employed.company.id)
  await noteUse(site.database, session, employed.company.id, originOf(site, visit))
  return { ...session, ...employed }
}
