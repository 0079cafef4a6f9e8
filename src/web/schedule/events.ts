import type { PageRequest } from '../../platform/http/page_request.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { Site } from '../site.ts'
import { readScheduleView, type ScheduleView } from './schedule_view.ts'
import { requireSchedule } from './board/board.ts'
import type { Change, ChangedJob } from '../../scheduling/changes.ts'

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}
const RETRY = 5_000

/** Sends what others change of the day or week that is shown, as it happens (server-sent events). */
export async function streamChanges(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, visit)
  const query = new URL(visit.req.url).searchParams
  if (visit.req.method === 'HEAD') return new Response(null, { headers: HEADERS })
  if (!site.changes.hasRoom(context.user.id))
    return new Response('Too many schedules are open', { status: 429, headers: { 'Retry-After': '60' } })
  const missed = instantIn(visit.req.header('last-event-id') ?? query.get('since'))
  return new Response(
    stream(
      site,
      {
        tenant: context.company.id,
        user: context.user.id,
        session: site.cookie.read(visit.req.header('cookie')) ?? '',
      },
      { missed, formatEvent: eventFormatter(readScheduleView(context, query), context.company.timezone) },
    ),
    { headers: HEADERS },
  )
}

type StreamOptions = {
  /** Since when nothing was sent; null when nothing was missed. */
  missed: string | null
  formatEvent: (change: Change) => string
}

type StreamSession = { tenant: string; user: string; session: string }

function stream(
  { changes }: Site,
  { tenant, user, session }: StreamSession,
  { missed, formatEvent: told }: StreamOptions,
): ReadableStream<Uint8Array> {
  let leave = (): void => {}
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const bytes = new TextEncoder()
      let isOpen = true
      const end = (): void => {
        if (!isOpen) return
        leave()
        controller.close()
      }
      const say = (text: string): void => {
        if (!isOpen) return
        if ((controller.desiredSize ?? 0) < -MAX_WAITING) return end()
        controller.enqueue(bytes.encode(text))
      }
      const tell = (change: Change): void => say(told(change))
      const unwatch = changes.watch(tenant, { user, session, tell, end })
      const beat = setInterval(() => say(': still here\n\n'), changes.pace.beat)
      const catchUp = async (): Promise<void> => {
        const change = missed === null ? undefined : await changes.since(tenant, missed)
        await changes.judge(tenant)
        if (change !== undefined && (change.jobs.length > 0 || change.isMore)) tell(change)
      }
      leave = () => {
        isOpen = false
        clearInterval(beat)
        unwatch()
      }
      say(`retry: ${RETRY}\n\n`)
      void catchUp().catch(end)
    },
    cancel: () => leave(),
  })
}

/** Limits the messages that a reader may be behind. */
const MAX_WAITING = 100

/**
 * Returns a change as an event: jobs that are now on what is shown or have no time, and jobs that are elsewhere and may
 * have left it.
 */
function eventFormatter({ days }: ScheduleView, zone: string): (change: Change) => string {
  const begin = days[0]!.toZonedDateTime(zone).epochMilliseconds
  const end = days.at(-1)!.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const isHere = ({ status, scheduled_start, scheduled_end }: ChangedJob): boolean =>
    status === 'unscheduled' ||
    (scheduled_start !== null &&
      scheduled_end !== null &&
      Date.parse(scheduled_start) < end &&
      Date.parse(scheduled_end) > begin)
  return ({ jobs, isMore, at }) => {
    const { here = [], elsewhere = [] } = Object.groupBy(jobs, (job) => (isHere(job) ? 'here' : 'elsewhere'))
    const data = { here: here.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id), more: isMore }
    return `id: ${at}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`
  }
}

function instantIn(text: string | null | undefined): string | null {
  if (text == null || text === '') return null
  try {
    return utc(Temporal.Instant.from(text))
  } catch {
    return null
  }
}
