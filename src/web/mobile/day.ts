import { dayOf, missingTo, type DayReader } from '../../mobile/day.ts'
import type { Visit } from '../../platform/http/visit.ts'
import type { MemberContext } from '../member_context.ts'
import { directionsTo } from '../today/directions.ts'
import type { Site } from '../site.ts'
import { UNKEPT, requireFieldMember } from './member.ts'

/** Answers what a phone keeps of today and tomorrow, or what it lacks of that; 304 where it has all. */
export async function showDay(site: Site, visit: Visit): Promise<Response> {
  const context = await requireFieldMember(site, visit)
  const day = await context.read((db) => dayOf(db, readerOf(context, visit)))
  const headers = { ...UNKEPT, ETag: `"${day.version}"`, 'Cache-Control': 'private, no-cache' }
  if (visit.req.header('if-none-match')?.replace(/^W\//, '') === headers.ETag)
    return new Response(null, { status: 304, headers })
  return visit.json(missingTo(hasIn(visit), day), 200, headers)
}

/** Limits what a phone may say that it has: the versions of 60 visits and of the catalog. */
const MOST_HAS = 61 * 17

/** Returns the versions that a phone says it has; one that says too much is sent all. */
function hasIn(visit: Visit): Set<string> {
  const has = visit.req.query('has') ?? ''
  return new Set(has.length > MOST_HAS ? [] : has.split('.'))
}

/** Returns for whom a day is, at this phone. */
export const readerOf = (context: MemberContext, visit: Visit): DayReader => {
  const { caller, company, user } = context
  const browser = visit.req.header('user-agent')
  return {
    caller,
    company,
    person: { user_id: user.id, name: user.name, language: user.language },
    directions: (address) => directionsTo(address, browser),
  }
}
