import { HTTPException } from 'hono/http-exception'
import { membershipIn } from '../access/memberships.ts'
import type { Membership } from '../access/memberships.ts'
import { findSession } from '../access/sessions.ts'
import type { Session } from '../access/sessions.ts'
import { signInFirst } from '../html/answer.ts'
import type { Visit } from '../html/visit.ts'
import { notHere } from './not_here.ts'
import type { Site } from './site.ts'

/** A person at a page of a company they belong to. */
export type Visitor = Session & Membership

/** Who is signed in at this browser, or null. */
export const personAt = ({ database, cookie }: Site, visit: Visit): Promise<Session | null> =>
  findSession(database, cookie.read(visit.req.header('cookie')))

/** Who is signed in; anybody else is sent to sign in, and back here when this was a page and not a form. */
export async function requirePerson(site: Site, visit: Visit): Promise<Session> {
  const session = await personAt(site, visit)
  if (session !== null) return session
  const { pathname, search } = new URL(visit.req.url)
  throw new HTTPException(303, { res: signInFirst(visit.req.method === 'GET' ? pathname + search : '/') })
}

/** A member of the company in the path (`/:tenant/…`). To others, and of no company, there is no such page. */
export async function requireMember(site: Site, visit: Visit): Promise<Visitor> {
  const session = await requirePerson(site, visit)
  const membership = await membershipIn(site.database, visit.req.param('tenant') ?? '', session.user.id)
  if (membership === null) throw new HTTPException(404, { res: notHere() })
  return { ...session, ...membership }
}
