import { EVENT_STREAM_HEADERS, eventText, openEvents } from '../../platform/http/event_stream.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { Site } from '../site.ts'
import { readScheduleView, type ScheduleView } from './schedule_view.ts'
import { requireSchedule } from './board/board.ts'
import type { Change, ChangedJob } from '../../scheduling/changes.ts'

const RETRY = 'retry: 5000\n\n'
/** Maximum events queued for a slow reader. */
const MAX_WAITING = 100

/** Streams changes to the visible days as they happen (server-sent events). */
export async function streamChanges(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, request)
  const query = new URL(request.req.url).searchParams
  if (request.req.method === 'HEAD') return new Response(null, { headers: EVENT_STREAM_HEADERS })
  // A service that is shutting down ends the stream at once. The browser reconnects to another instance.
  if (site.changes.closed.aborted) return new Response(RETRY, { headers: EVENT_STREAM_HEADERS })
  if (!site.changes.canConnect(context.user.id))
    return new Response('Too many schedules are open', { status: 429, headers: { 'Retry-After': '60' } })
  const since = parseInstant(request.req.header('last-event-id') ?? query.get('since'))
  const formatEvent = eventFormatter(readScheduleView(context, query), context.company.timezone)
  const { changes, cookie } = site
  const [tenant, session] = [context.company.id, cookie.read(request.req.header('cookie')) ?? '']
  const { send, end, closed, response } = openEvents({ maxWaiting: MAX_WAITING, beat: changes.intervals.heartbeat })
  const sendChange = (change: Change): void => send(formatEvent(change))
  const { ready, leave } = changes.watch(tenant, { user: context.user.id, session, send: sendChange, end })
  closed.addEventListener('abort', leave)
  // Missed changes are read after the watch begins, so that none is lost in between.
  const catchUp = async (): Promise<void> => {
    await ready
    if (closed.aborted) return
    send(RETRY)
    const change = since === null ? undefined : await changes.since(tenant, since)
    await changes.checkAccess(tenant)
    if (change !== undefined && (change.jobs.length > 0 || change.isMore)) sendChange(change)
  }
  void catchUp().catch(end)
  return response
}

/**
 * Returns a change as an event: jobs that are now in view or unscheduled, and jobs elsewhere that may have left the
 * view.
 */
function eventFormatter({ days }: ScheduleView, zone: string): (change: Change) => string {
  const begin = days[0]!.toZonedDateTime(zone).epochMilliseconds
  const end = days.at(-1)!.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const isInView = ({ status, scheduled_start, scheduled_end }: ChangedJob): boolean =>
    status === 'unscheduled' ||
    (scheduled_start !== null &&
      scheduled_end !== null &&
      Date.parse(scheduled_start) < end &&
      Date.parse(scheduled_end) > begin)
  return ({ jobs, isMore, at }) => {
    const { here = [], elsewhere = [] } = Object.groupBy(jobs, (job) => (isInView(job) ? 'here' : 'elsewhere'))
    const data = { here: here.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id), more: isMore }
    return `id: ${at}\n${eventText('change', data)}`
  }
}

function parseInstant(text: string | null | undefined): string | null {
  if (text == null || text === '') return null
  try {
    return utc(Temporal.Instant.from(text))
  } catch {
    return null
  }
}
