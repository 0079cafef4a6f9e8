import { sql } from '../../../platform/db/tenant.ts'
import { quoteText, ruleForAgents } from '../../../platform/errors/refusal.ts'
import type { ReaderValue, Warning } from '../../../platform/errors/refusal_text.ts'
import { daysOfVisit, findOffTime, type OffTime } from '../../../scheduling/off_time.ts'
import { rosterOf } from '../../../scheduling/roster.ts'
import { missingSkills } from '../../../scheduling/skills/skills.ts'
import { clockText } from '../../../scheduling/week.ts'
import { day as longDay, moment, span, spansText } from '../../format/formats.ts'
import { todayIn, wallAt } from '../../../platform/validation/formats/instants.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import type { Job, JobInput } from '../fields.ts'
import { OPEN_STATUSES } from '../status.ts'
import { warnings } from './refusals.ts'

type Overlap = { name: string; display_number: string; title: string; scheduled_start: string; scheduled_end: string }

/** Visit with a time. */
type ScheduledJob = JobInput & { scheduled_start: string; scheduled_end: string }

/** Maximum warnings of one kind. */
const MAX_PER_KIND = 3

/** Maximum length of a visit. */
const MAX_VISIT_LENGTH = sql`interval '14 days'`

/**
 * Returns warnings about the time of a visit (docs/spec/scheduling.md#visit-warnings): it overlaps another, is on a
 * holiday, on time off, outside working hours or in the past. Its queries join the round trip of the same tick.
 * `before` is the job before the change; if time and people stay the same, there are no warnings.
 */
export async function visitWarnings(context: RunContext, job: JobInput, before?: Job): Promise<Warning[]> {
  if (!isScheduledVisit(job) || (before !== undefined && isSameBooking(before, job))) return []
  const [timingWarnings, overlaps] = await Promise.all([timeWarnings(context, job), findOverlaps(context, job, before)])
  const overlapWarnings = overlaps.map((overlap) => overlapWarning(context, overlap))
  return [...timingWarnings, ...capWarnings(overlapWarnings, warnings.moreVisits())]
}

/** Time and crew of a visit. */
type VisitTime = Pick<JobInput, 'status' | 'all_day' | 'assignee_ids'> & {
  scheduled_start: string
  scheduled_end: string
}

/**
 * Returns warnings about a visit's time and crew, except overlaps: days off, working hours, the past, and missing
 * skills.
 */
export async function timeWarnings(
  context: Pick<RunContext, 'db' | 'caller'>,
  visit: VisitTime,
  neededSkills: readonly string[] = [],
): Promise<Warning[]> {
  const { timezone } = context.caller.tenant
  const days = daysOfVisit(visit, timezone)
  const [members, roster] = await Promise.all([
    membersOf(context, visit.assignee_ids),
    rosterOf(context.db, days[0], days.at(-1) ?? days[0]),
  ])
  const people = visit.assignee_ids.length === 0 ? [COMPANY] : members
  const unskilled = members.flatMap(({ name, skills }) => {
    const missing = missingSkills(skills, neededSkills)
    return missing.length === 0 ? [] : [warnings.lacksSkills({ name: name ?? '', skills: missing.join(', ') })]
  })
  const offTimes = people.flatMap(({ user_id, name }) => {
    const offTime = findOffTime(roster, timezone, user_id, visit)
    return offTime === undefined ? [] : [offTimeWarning(offTime, name)]
  })
  return [
    ...(isPast(visit, timezone) ? [pastWarning(visit, timezone)] : []),
    ...capWarnings(distinctWarnings(offTimes), warnings.morePeopleOff()),
    ...unskilled.slice(0, MAX_PER_KIND),
  ]
}

const isScheduledVisit = (job: JobInput): job is ScheduledJob =>
  job.scheduled_start !== null && job.scheduled_end !== null && isOpen(job)

const isOpen = ({ status }: Pick<Job, 'status'>): boolean => (OPEN_STATUSES as readonly string[]).includes(status)

/** Checks whether a job keeps its time and has no new people. */
const isSameBooking = (before: Job, job: JobInput): boolean =>
  isOpen(before) &&
  before.all_day === job.all_day &&
  before.scheduled_start === job.scheduled_start &&
  before.scheduled_end === job.scheduled_end &&
  job.assignee_ids.every((id) => before.assignments.some(({ user_id }) => user_id === id))

/** Checks whether a visit that hasn't started should have. An all-day one has the whole day. */
function isPast({ status, scheduled_start, all_day }: VisitTime, zone: string): boolean {
  if (status !== 'scheduled') return false
  const start = Temporal.Instant.from(scheduled_start)
  if (!all_day) return Temporal.Instant.compare(start, Temporal.Now.instant()) < 0
  return Temporal.PlainDate.compare(wallAt(start, zone).toPlainDate(), todayIn(zone)) < 0
}

const findOverlaps = async ({ db }: RunContext, job: ScheduledJob, before: Job | undefined): Promise<Overlap[]> =>
  job.all_day || job.assignee_ids.length === 0
    ? []
    : db.all<Overlap>(sql`
    select u.name, j.display_number, j.title, j.scheduled_start, j.scheduled_end
    from job_assignees a join jobs j on j.tenant_id = a.tenant_id and j.id = a.job_id join users u on u.id = a.user_id
    where a.tenant_id = ${db.tenant} and a.user_id = any(${job.assignee_ids}::uuid[])
      and a.status not in ('done', 'cancelled')
      and a.scheduled_start < ${job.scheduled_end}
      and a.scheduled_start > ${job.scheduled_start}::timestamptz - ${MAX_VISIT_LENGTH}
      and j.scheduled_end > ${job.scheduled_start} and not j.all_day and j.id is distinct from ${before?.id ?? null}
    order by j.scheduled_start, j.id limit ${MAX_PER_KIND + 1}`)

type Person = { user_id: string | null; name: string | null; skills: string[] }

const COMPANY: Person = { user_id: null, name: null, skills: [] }

const membersOf = async ({ db }: Pick<RunContext, 'db'>, ids: readonly string[]): Promise<Person[]> =>
  ids.length === 0
    ? []
    : db.all<Person>(sql`select u.id as user_id, u.name, m.skills from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.user_id = any(${ids}::uuid[]) order by lower(u.name), u.id`)

const capWarnings = (all: readonly Warning[], moreWarning: Warning): Warning[] => [
  ...all.slice(0, MAX_PER_KIND),
  ...(all.length > MAX_PER_KIND ? [moreWarning] : []),
]

/** Removes duplicate warnings: a holiday applies to everyone. */
const distinctWarnings = (all: readonly Warning[]): Warning[] => [
  ...new Map(all.map((warning) => [ruleForAgents(warning), warning])).values(),
]

const pastWarning = ({ scheduled_start, all_day }: VisitTime, zone: string): Warning => {
  const wall = wallAt(Temporal.Instant.from(scheduled_start), zone)
  const date = wall.toPlainDate().toString()
  const at = all_day
    ? dayValue(date)
    : { forAgent: `${date} ${formatTime(wall)}, local time`, forPeople: () => moment(scheduled_start, zone) }
  return warnings.past({ at })
}

const dayValue = (date: string): ReaderValue => ({ forAgent: date, forPeople: () => longDay(date) })

function offTimeWarning({ reason, day, hours, note }: OffTime, name: string | null): Warning {
  const date = dayValue(day.toString())
  switch (reason) {
    case 'holiday':
      return note === null
        ? warnings.holiday({ date })
        : warnings.namedHoliday({ date, note: { forAgent: quoteText(note), forPeople: () => note } })
    case 'time_off':
      return warnings.timeOff({ name: name ?? '', date })
    case 'outside_hours':
      return outsideHoursWarning(date, hours, name)
  }
}

function outsideHoursWarning(date: ReaderValue, spans: OffTime['hours'], name: string | null): Warning {
  if (spans.length === 0) return name === null ? warnings.companyOff({ date }) : warnings.memberOff({ name, date })
  const hours = {
    forAgent: spans.map(({ from, to }) => `${clockText(from)} to ${clockText(to)}`).join(', '),
    forPeople: () => spansText(spans),
  }
  return name === null
    ? warnings.outsideCompanyHours({ date, hours })
    : warnings.outsideMemberHours({ name, date, hours })
}

function overlapWarning(
  { caller }: RunContext,
  { name, display_number, title, scheduled_start, scheduled_end }: Overlap,
): Warning {
  const { timezone } = caller.tenant
  const start = wallAt(Temporal.Instant.from(scheduled_start), timezone)
  const end = wallAt(Temporal.Instant.from(scheduled_end), timezone)
  const [first, last] = [start.toPlainDate(), end.toPlainDate()]
  const until = first.equals(last) ? formatTime(end) : `${last.toString()} ${formatTime(end)}`
  const times = {
    forAgent: `${first.toString()} ${formatTime(start)} to ${until}`,
    forPeople: () => span(scheduled_start, scheduled_end, timezone),
  }
  return caller.scopes.has('read:jobs')
    ? warnings.overlap({ name, times, visit: { forAgent: display_number, forPeople: () => title } })
    : warnings.overlapUnseen({ name, times })
}

const formatTime = (wall: Temporal.PlainDateTime): string => wall.toPlainTime().toString({ smallestUnit: 'minute' })
