import type { PageRequest } from '../../platform/http/page_request.ts'
import { warningForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { isId } from '../../platform/validation/id.ts'
import { say } from '../../platform/i18n/say.ts'
import { duration } from '../../records/format/formats.ts'
import { timeWarnings } from '../../records/jobs/index.ts'
import { effectOfMove, type MoveEffect } from '../../scheduling/day_plan/moved_visit.ts'
import { readDay } from '../../scheduling/day_plan/read_day.ts'
import { positionsOf } from '../../scheduling/places/positions.ts'
import { listNeededSkills } from '../../scheduling/skills/skills.ts'
import type { Site } from '../site.ts'
import { dayTimeline, minuteOf, wallDay } from './clock.ts'
import { NO_STORE, openMove, readScriptMove } from './move.ts'
import type { MemberContext } from '../member_context.ts'
import type { MovableJob } from './move_page.ts'

const MINUTE = 60_000
const MAX_MINUTES = 14 * 1440
const MAX_LATE = 2

/** Time and crew that a visit would have. */
type RequestedVisit = { start: string; end: string; all_day: boolean; users: string[] }

/** Answers the effect of a drop, in sentences: driving time before and after, and warnings. */
export async function checkMove(site: Site, request: PageRequest): Promise<Response> {
  const { context, job } = await openMove(site, request)
  const move = toRequestedVisit(context, job, new URL(request.req.url).searchParams)
  if (move === undefined) return request.json({ driving: '', warnings: [] }, 200, NO_STORE)
  const [effect, warnings] = await Promise.all([
    move.all_day ? undefined : effectOf(context, job, move),
    context.read(async (db) =>
      timeWarnings(
        { db, caller: context.caller },
        {
          status: 'scheduled',
          all_day: move.all_day,
          assignee_ids: move.users,
          scheduled_start: move.start,
          scheduled_end: move.end,
        },
        await listNeededSkills(db, job.line_items),
      ),
    ),
  ])
  const late = (effect?.late ?? []).slice(0, MAX_LATE).map((one) => lateText(one, job.id))
  const body = {
    driving: effect === undefined ? '' : drivingText(effect),
    warnings: [...late, ...warnings.map(warningForPeople)],
  }
  return request.json(body, 200, NO_STORE)
}

/** Returns the visit that a drop asks for; undefined for an invalid time or person. */
function toRequestedVisit(context: MemberContext, job: MovableJob, query: URLSearchParams): RequestedVisit | undefined {
  const { scheduled_start, duration_minutes, all_day, assignees } = readScriptMove(query, job)
  const start = parseInstant(scheduled_start ?? job.scheduled_start, context.company.timezone)
  const minutes = Number(duration_minutes ?? job.duration_minutes)
  const users = Array.isArray(assignees) ? assignees.map(String) : job.assignments.map(({ user_id }) => user_id)
  if (start === undefined || !Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES) return undefined
  if (!users.every(isId)) return undefined
  return {
    start: new Date(start).toISOString(),
    end: new Date(start + minutes * MINUTE).toISOString(),
    all_day: all_day === undefined ? job.all_day : all_day === true,
    users,
  }
}

function parseInstant(value: unknown, zone: string): number | undefined {
  if (typeof value !== 'string' || !/^2\d{3}-\d\d-\d\dT\d\d:\d\d/.test(value)) return undefined
  try {
    return value.endsWith('Z')
      ? Temporal.Instant.from(value).epochMilliseconds
      : Temporal.PlainDateTime.from(value).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}

async function effectOf(
  context: MemberContext,
  job: MovableJob,
  { start, end, users }: RequestedVisit,
): Promise<MoveEffect> {
  const { timezone } = context.company
  const date = wallDay(start, timezone)
  const currentDate = job.scheduled_start === null || job.all_day ? date : wallDay(job.scheduled_start, timezone)
  const [position, days] = await context.read(async (db) => {
    const { location_id } = job
    const jobPosition = location_id === null ? undefined : (await positionsOf(db, [location_id])).get(location_id)
    const dates = currentDate.equals(date) ? [date] : [currentDate, date]
    return [
      jobPosition,
      await Promise.all(dates.map((one) => readDay(db, timezone, one, undefined, jobPosition))),
    ] as const
  })
  const line = dayTimeline(date, timezone)
  const [from, to] = [minuteOf(line, start), minuteOf(line, end)]
  const window = job.arrival_window_minutes || (days[0]?.arrivalWindow ?? 0)
  return effectOfMove(days, { id: job.id, title: job.title, date, start: from, end: to, users, window, position })
}

function drivingText({ drivingBefore, drivingAfter, isEstimate }: MoveEffect): string {
  const [before, after] = [duration(drivingBefore), duration(drivingAfter)]
  const difference = drivingAfter - drivingBefore
  if (difference === 0) return say`Driving unchanged: ${after}`
  const change = difference > 0 ? say`${duration(difference)} more` : say`${duration(-difference)} less`
  return isEstimate ? say`Driving about ${before} → ${after}, ${change}` : say`Driving ${before} → ${after}, ${change}`
}

const lateText = ({ id, title, minutes, isWindowBroken }: MoveEffect['late'][number], movedId: string): string =>
  id === movedId
    ? say`Can’t be reached in time: about ${duration(minutes)} late.`
    : isWindowBroken
      ? say`${title} would miss its arrival window: about ${duration(minutes)} late.`
      : say`${title} would be about ${duration(minutes)} late.`
