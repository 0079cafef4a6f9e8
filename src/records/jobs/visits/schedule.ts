import { invalidField, fieldName } from '../../../platform/errors/refusal.ts'
import { HAS_OFFSET, instantIn, utc, wallAt } from '../../../platform/validation/formats/instants.ts'
import type { Schedule } from '../fields.ts'
import { refusals as jobRefusals } from '../refusals.ts'
import type { JobStatus } from '../status.ts'
import { refusals } from './refusals.ts'

/** Changes to a schedule, as sent by callers. */
type ScheduleDraft = { [Name in keyof Schedule]?: Schedule[Name] | undefined }

/** Time zones: the tenant's for local times, the job's for the day of an all-day job. */
type Zones = { tenant: string; job: string }

export const UNSCHEDULED: Schedule = {
  scheduled_start: null,
  scheduled_end: null,
  duration_minutes: 60,
  all_day: false,
}

const MINUTE = 60_000
export const MAX_VISIT_DAYS = 14

/** Returns a schedule after a change. A new start moves the end along; a new end sets the duration. */
export function scheduleAfter(before: Schedule, draft: ScheduleDraft, zones: Zones): Schedule {
  const all_day = draft.all_day ?? before.all_day
  const duration_minutes = draft.duration_minutes ?? before.duration_minutes
  const start = startOf(before, draft, all_day, zones)
  if (start === null) {
    if (draft.scheduled_end != null)
      throw invalidField(
        'scheduled_end',
        refusals.endWithoutStart({ start: fieldName('scheduled_start'), duration: fieldName('duration_minutes') }),
      )
    return { scheduled_start: null, scheduled_end: null, duration_minutes, all_day }
  }
  if (draft.scheduled_end != null) {
    const end = instantIn(zones.tenant, draft.scheduled_end)
    return {
      scheduled_start: utc(start),
      scheduled_end: utc(end),
      duration_minutes: minutesBetween(start, end, draft.duration_minutes),
      all_day,
    }
  }
  const isSameLength = draft.scheduled_end === undefined && draft.duration_minutes === undefined
  const length = isSameLength ? lengthOf(before) : duration_minutes * MINUTE
  return {
    scheduled_start: utc(start),
    scheduled_end: utc(start.add({ milliseconds: length })),
    duration_minutes,
    all_day,
  }
}

/** Clears the schedule of a job that becomes unscheduled. Throws if a start or an end is sent with it. */
export function scheduleForStatus(status: JobStatus | undefined, draft: ScheduleDraft): ScheduleDraft {
  if (status !== 'unscheduled') return draft
  for (const field of ['scheduled_start', 'scheduled_end'] as const) {
    if (draft[field] != null) throw invalidField('status', jobRefusals.unscheduledWithTime({ field: fieldName(field) }))
  }
  return { ...draft, scheduled_start: null, scheduled_end: null }
}

/**
 * Returns the status after a change (docs/spec/records.md#job-status): the requested one, else the one that follows
 * from the schedule.
 */
export function statusAfter(
  before: JobStatus,
  status: JobStatus | undefined,
  { scheduled_start }: Schedule,
): JobStatus {
  if (status === 'scheduled' && scheduled_start === null)
    throw invalidField('status', jobRefusals.scheduledWithoutTime({ start: fieldName('scheduled_start') }))
  if (status !== undefined) return status
  if (before === 'unscheduled' && scheduled_start !== null) return 'scheduled'
  if (before === 'scheduled' && scheduled_start === null) return 'unscheduled'
  return before
}

function startOf(
  before: Schedule,
  { scheduled_start: input }: ScheduleDraft,
  allDay: boolean,
  zones: Zones,
): Temporal.Instant | null {
  const text = input === undefined ? before.scheduled_start : input
  if (text === null) return null
  const start = input === undefined ? Temporal.Instant.from(text) : instantIn(zones.tenant, text)
  const { year } = start.toZonedDateTimeISO('UTC')
  if (year < 2000 || year > 2100)
    throw invalidField('scheduled_start', refusals.startOutOfRange({ typed: String(input) }))
  if (!allDay) return start
  const day =
    input !== undefined && !HAS_OFFSET.test(text)
      ? Temporal.PlainDate.from(text)
      : wallAt(start, zones.job).toPlainDate()
  return day.toZonedDateTime(zones.job).toInstant()
}

/** Returns the minutes up to an entered end. Throws if an entered duration differs. */
function minutesBetween(start: Temporal.Instant, end: Temporal.Instant, duration: number | undefined): number {
  const milliseconds = end.epochMilliseconds - start.epochMilliseconds
  if (milliseconds <= 0)
    throw invalidField(
      'scheduled_end',
      refusals.endBeforeStart({ start: fieldName('scheduled_start'), at: utc(start) }),
    )
  if (milliseconds > MAX_VISIT_DAYS * 24 * 60 * MINUTE)
    throw invalidField(
      'scheduled_end',
      refusals.tooLong({ max: MAX_VISIT_DAYS, start: fieldName('scheduled_start'), at: utc(start) }),
    )
  if (duration !== undefined && duration * MINUTE !== milliseconds) {
    throw invalidField(
      'duration_minutes',
      refusals.durationDiffers({
        typed: duration,
        end: fieldName('scheduled_end'),
        minutes: milliseconds / MINUTE,
        start: fieldName('scheduled_start'),
      }),
    )
  }
  return Math.max(1, Math.round(milliseconds / MINUTE))
}

const lengthOf = ({ scheduled_start, scheduled_end, duration_minutes }: Schedule): number =>
  scheduled_start === null || scheduled_end === null
    ? duration_minutes * MINUTE
    : Date.parse(scheduled_end) - Date.parse(scheduled_start)
