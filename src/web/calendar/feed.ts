import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { companyOf } from '../../identity/companies/company.ts'
import type { RequestAuthenticator } from '../../identity/credentials/authenticate.ts'
import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { readTenant, type Database } from '../../platform/db/tenant.ts'
import { HttpRefusal, jsonAnswer, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { hours } from '../../records/format/formats.ts'
import { listCalendarVisits, type CalendarVisit } from '../../records/jobs/index.ts'
import { toICalendar, type CalendarEvent } from './icalendar.ts'

/** Matches the path of a calendar: an API key, and whether it has the visits of its member or of the company. */
export const CALENDAR_PATH = /^\/calendar\/([^/]{1,100})\/(mine|company)\.ics$/

/** The same paths as routes. */
export const CALENDAR_ROUTES = ['/calendar/:key/mine.ics', '/calendar/:key/company.ics']

type FeedOptions = { authenticator: RequestAuthenticator; database: Database; baseUrl: string }

/**
 * Returns the handler of calendar subscriptions, whose only credential is the URL. The API key in it needs `read:jobs`,
 * and is checked and refused as at the tool endpoint. Throws `HttpRefusal`.
 */
export const openCalendarFeed =
  ({ authenticator, database, baseUrl }: FeedOptions) =>
  async (request: IncomingMessage, [, key = '', calendarKind]: readonly string[]): Promise<HttpAnswer> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw refuseWith(405, 'method_not_allowed', 'Use GET to read a calendar', { Allow: 'GET, HEAD' })
    const session = await authenticator.admit(request, key)
    return session.run(async (caller) => {
      if (!caller.scopes.has('read:jobs'))
        throw refuseWith(403, 'insufficient_scope', 'The API key of this calendar needs read:jobs')
      if (calendarKind === 'mine' && caller.user === null)
        throw refuseWith(404, 'not_found', "A company's API key has no visits of its own")
      return toAnswer(request, await readCalendar(database, caller, { isOwn: calendarKind === 'mine', baseUrl }))
    })
  }

type CalendarOptions = { isOwn: boolean; baseUrl: string }

async function readCalendar(database: Database, caller: Caller, { isOwn, baseUrl }: CalendarOptions): Promise<string> {
  const [company, visits] = await readTenant(database, entryOf(caller), (db) =>
    Promise.all([companyOf(db), listCalendarVisits(db, Temporal.Now.instant(), isOwn ? caller.user : null)]),
  )
  return toICalendar(
    company.name,
    visits.map((visit) => toEvent(visit, `${baseUrl}/${caller.tenant.id}`)),
  )
}

const toEvent = (visit: CalendarVisit, companyUrl: string): CalendarEvent => ({
  uid: `${visit.id}@callout`,
  sequence: visit.revision,
  changedAt: Temporal.Instant.from(visit.updated_at),
  time: timeOf(visit),
  summary: `${visit.title} · ${visit.customer_name}`,
  location: visit.location_address,
  description: [visit.display_number, ...visit.crew, ...arrivalOf(visit)].join('\n'),
  url: `${companyUrl}/jobs/${visit.id}`,
  isCanceled: visit.status === 'cancelled',
})

/** Returns the promised arrival window if it differs from the start time, without word joiners. */
function arrivalOf({ all_day, arrival_window_minutes: minutes, scheduled_start, timezone }: CalendarVisit): string[] {
  const until = Temporal.Instant.from(scheduled_start).add({ minutes }).toString()
  return all_day || minutes === 0
    ? []
    : [say`Arrival ${hours(scheduled_start, until, timezone).replaceAll('\u2060', '')}`]
}

function timeOf({ all_day, scheduled_start, scheduled_end, timezone }: CalendarVisit): CalendarEvent['time'] {
  const [start, end] = [Temporal.Instant.from(scheduled_start), Temporal.Instant.from(scheduled_end)]
  if (!all_day) return { start, end }
  const lastDay = end.subtract({ milliseconds: 1 }).toZonedDateTimeISO(timezone).toPlainDate()
  return { firstDay: start.toZonedDateTimeISO(timezone).toPlainDate(), dayAfter: lastDay.add({ days: 1 }) }
}

/** Returns the calendar, or 304 if it hasn't changed since the client read it. */
function toAnswer({ headers }: IncomingMessage, calendar: string): HttpAnswer {
  const etag = `"${hash('sha256', calendar, 'base64url')}"`
  const cacheHeaders = { ETag: etag, 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' }
  if (headers['if-none-match'] === etag) return { status: 304, headers: cacheHeaders }
  return { status: 200, headers: { ...cacheHeaders, 'Content-Type': 'text/calendar; charset=utf-8' }, body: calendar }
}

const refuseWith = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): HttpRefusal => new HttpRefusal(jsonAnswer(status, { error, error_description: description }, headers))
