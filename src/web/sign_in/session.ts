import { findEmployed, type Employed } from '../../access/people/browser.ts'
import { findSession, type Session } from '../../access/sign_in/sessions.ts'
import type { Db } from '../../db/tenant.ts'
import { signInFirst } from '../../html/answer.ts'
import type { Visit } from '../../html/visit.ts'
import { HttpRefusal } from '../../http_refusal.ts'
import { signInAgain } from './again.ts'
import { noPage } from '../not_here.ts'
import type { Site } from '../site.ts'

/** Describes a person at a page of a company they belong to. */
export type Visitor = Session & Employed

/** Adds the cookies of somebody who was just signed in to an answer. */
export function signedIn(
  { cookie, known }: Site,
  secrets: { secret: string; known: string },
  response: Response,
): Response {
  response.headers.append('Set-Cookie', cookie.set(secrets.secret))
  response.headers.append('Set-Cookie', known.set(secrets.known))
  return response
}

/** Returns who is signed in at this browser, or null. */
export const personAt = ({ database, cookie }: Site, visit: Visit): Promise<Session | null> =>
  findSession(database, cookie.read(visit.req.header('cookie')))

/** Returns who is signed in; anybody else is sent to sign in, and back here with what they typed. */
export async function requirePerson(site: Site, visit: Visit): Promise<Session> {
  const session = await personAt(site, visit)
  if (session !== null) return session
  const { pathname, search } = new URL(visit.req.url)
  throw new HttpRefusal(
    visit.req.method === 'POST' ? await signInAgain(visit, pathname) : signInFirst(pathname + search),
  )
}

/**
 * Returns a member of the company in the path (`/:tenant/…`). For others, and where there is no such company, there is
 * no such page. `beside` may ask for more in the same round trip.
 */
export async function requireMember(site: Site, visit: Visit, beside?: (db: Db) => void): Promise<Visitor> {
  const session = await requirePerson(site, visit)
  const employed = await findEmployed(site.database, visit.req.param('tenant') ?? '', session.user.id, beside)
  if (employed === null) throw noPage()
  return { ...session, ...employed }
}
