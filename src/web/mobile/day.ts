import { readFieldDay, omitCached, type DayReader, type FieldDay } from '../../mobile/day.ts'
import { canSend } from '../../messaging/outbox/senders/senders.ts'
import { CHANNELS } from '../../messaging/templates/kinds.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { MemberContext } from '../member_context.ts'
import { MILE_COUNTRIES } from '../schedule/map/day_map.ts'
import { mapSvg, type MapStop } from '../schedule/map/map_svg.ts'
import { phoneStreetsHtml } from '../schedule/map/streets.ts'
import { directionsTo } from '../today/directions.ts'
import type { Site } from '../site.ts'
import { NO_STORE_HEADERS, requireFieldMember } from './member.ts'

/** Returns what a phone stores of today and tomorrow, or the parts it lacks; 304 if nothing changed. */
export async function showDay(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  const day = await context.read((db) => readFieldDay(db, readerOf(site, context, request)))
  const headers = { ...NO_STORE_HEADERS, ETag: `"${day.version}"`, 'Cache-Control': 'private, no-cache' }
  if (request.req.header('if-none-match')?.replace(/^W\//, '') === headers.ETag)
    return new Response(null, { status: 304, headers })
  return request.json(
    { ...omitCached(readVersions(request), day), map: renderRouteMap(day, phoneStreetsHtml(site, context)) },
    200,
    headers,
  )
}

/** Renders a map of the user's route today, each pin linking to its visit; null with fewer than two stops. */
function renderRouteMap({ visits, today, company }: FieldDay, streets: Html | ''): string | null {
  const ownVisits = visits.filter(({ mine, day }) => mine && day === today)
  const stops = ownVisits.flatMap(({ id, title, status, position }, i): MapStop[] =>
    position === null ? [] : [{ job: id, label: String(i + 1), title, at: position, isDone: status === 'done' }],
  )
  if (stops.length < 2) return null
  const isInMiles = MILE_COUNTRIES.has(company.country)
  const [routes, hasPlaces] = [[{ color: 0, isRoute: true, stops }], streets !== '']
  return html`${mapSvg({ routes, towns: new Map(), isInMiles, target: 'v-', hasPlaces })}${streets}`.toString()
}

/** Maximum characters of the versions a phone can list: 60 visits and the catalog. */
const MAX_HAS_LENGTH = 61 * 17

/** Returns the versions a phone already has; a list that is too long counts as empty. */
function readVersions(request: PageRequest): Set<string> {
  const versions = request.req.query('has') ?? ''
  return new Set(versions.length > MAX_HAS_LENGTH ? [] : versions.split('.'))
}

/** Returns the reader of a day on this phone. */
export const readerOf = ({ senders, pushKey }: Site, context: MemberContext, request: PageRequest): DayReader => {
  const { caller, company, user } = context
  const browser = request.req.header('user-agent')
  return {
    caller,
    company,
    person: { user_id: user.id, name: user.name, language: user.language },
    pushKey,
    directions: (address) => directionsTo(address, browser),
    channels: async (db) => {
      const available = await Promise.all(CHANNELS.map((channel) => canSend(db, senders, channel)))
      return CHANNELS.filter((_, index) => available[index])
    },
  }
}
