import { planCompanyDay, type DayComparison, type PlannedChange } from '../../scheduling/day_plan/plan_company_day.ts'
import { expectedStops } from '../../scheduling/day_plan/expected_route.ts'
import { MAX_DAY_VISITS, readDay, type CompanyDay } from '../../scheduling/day_plan/read_day.ts'
import { days } from '../completions.ts'
import type { Overview, OverviewContext } from './overview.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import type { OverviewSheet, SheetPart } from './sheet.ts'

const MAX_STOPS = 60

export const dayPlan: Overview = {
  path: 'plan/{date}',
  name: 'plan',
  title: 'Plan for a day',
  description:
    "A day's visits in order by person, with expected arrivals, driving and delays, and what a better order would save",
  tools: ['jobs_list'],
  completes: { date: days },
  async read(by, { date = '' }) {
    const day = parseDay(date)
    return day && planSheet(by, day)
  },
}

export const dayPlanWithout: Overview = {
  path: 'plan/{date}/without/{user_id}',
  name: 'plan_without',
  title: 'Plan for a day without someone',
  description: 'Who can take the visits of someone who is off or sick that day, and which visits nobody can take',
  tools: ['jobs_list'],
  completes: { date: days },
  async read(by, { date = '', user_id = '' }) {
    const day = parseDay(date)
    return day && planSheet(by, day, user_id)
  },
}

/**
 * Reads a day, then plans it without the user `absentUser` after releasing the connection; undefined if they aren't in
 * it.
 */
async function planSheet(
  { db, caller }: OverviewContext,
  date: Temporal.PlainDate,
  absentUser?: string,
): ReturnType<Overview['read']> {
  const day = await readDay(db, caller.tenant.timezone, date)
  const offName = day.people.find(({ user_id }) => user_id === absentUser)?.name
  if (absentUser !== undefined && offName === undefined) return undefined
  return async () => sheetOf(caller.tenant, day, await planCompanyDay(db.tenant, day, { absentUser }), offName)
}

function sheetOf(
  { timezone, currency }: OverviewContext['caller']['tenant'],
  day: CompanyDay,
  plan: DayComparison,
  offName: string | undefined,
): OverviewSheet {
  const about = plan.isEstimate ? 'about ' : ''
  const saved = plan.drivingBefore - plan.drivingAfter
  return {
    title: `Plan for ${plan.date}${offName === undefined ? '' : ` without ${offName}`}`,
    currency,
    says: [
      `Times are local, in ${timezone}. Driving takes ${about}${plan.drivingBefore} minutes as scheduled ` +
        `and ${plan.drivingAfter} with the plan (${saved < 0 ? `${-saved} more` : `${saved} less`}).`,
      'Nothing changes until you update the jobs (jobs_update with assignees and times). ' +
        `The plan keeps every arrival window (${day.arrivalWindow} minutes from the start, or the job's own) and ` +
        'gives a visit only to someone who has the skills it needs (callout://team).',
      ...(day.visits.length === MAX_DAY_VISITS ? [`Only the first ${MAX_DAY_VISITS} visits are planned.`] : []),
    ],
    parts: [stopsPart(day, plan), changesPart(day, plan)],
  }
}

function stopsPart(day: CompanyDay, plan: DayComparison): SheetPart {
  const stops = plan.people.flatMap(({ name, before }) => before.stops.map((stop) => ({ name, ...stop })))
  const unassigned = [...expectedStops(day, null).values()].map((stop) => ({ name: 'nobody', ...stop }))
  const rows = [...stops, ...unassigned].map(({ name, visit, driving, starts, late, isWindowBroken }) => ({
    person: name,
    job: visit.display_number,
    needs: visit.skills.join(', '),
    scheduled: clockOf(day, visit.start),
    expected: clockOf(day, starts),
    driving,
    late,
    window: isWindowBroken ? 'broken' : 'kept',
    place: visit.position === undefined ? 'unknown' : visit.position.precision,
  }))
  return {
    name: 'stops',
    title: `Visits as scheduled (${rows.length})`,
    emptyText: 'Nothing is scheduled.',
    columns: [
      { name: 'person', label: 'Person' },
      { name: 'job', label: 'Job' },
      { name: 'needs', label: 'Needs skills' },
      { name: 'scheduled', label: 'Scheduled' },
      { name: 'expected', label: 'Expected' },
      { name: 'driving', label: 'Driving min' },
      { name: 'late', label: 'Late min' },
      { name: 'window', label: 'Window' },
      { name: 'place', label: 'Place' },
    ],
    rows: rows.slice(0, MAX_STOPS),
    more: Math.max(0, rows.length - MAX_STOPS),
    moreHint: `jobs_list with scheduled_from and scheduled_to ${plan.date}`,
  }
}

const REASONS: Readonly<Record<PlannedChange['reason'], string>> = {
  less_driving: 'less driving',
  window_kept: 'keeps its window',
  person_off: 'person is off',
  nobody_before: 'not assigned yet',
  no_room: 'nobody can keep its window',
}

function changesPart(day: CompanyDay, { people, changes, date }: DayComparison): SheetPart {
  const names = new Map(people.map(({ user_id, name }) => [user_id, name]))
  const nameOf = (user: string | null): string => (user === null ? 'nobody' : (names.get(user) ?? 'nobody'))
  return {
    name: 'changes',
    title: `Suggested changes (${changes.length})`,
    emptyText: 'None: the current order is the best one found.',
    columns: [
      { name: 'job', label: 'Job' },
      { name: 'job_id', label: 'Id' },
      { name: 'from', label: 'From' },
      { name: 'to', label: 'To' },
      { name: 'start', label: 'Start' },
      { name: 'reason', label: 'Why' },
    ],
    rows: changes
      .slice(0, MAX_STOPS)
      .map(({ visit, from, to, start, reason }) => ({
        job: visit.display_number,
        job_id: visit.id,
        from: nameOf(from),
        to: nameOf(to),
        start: clockOf(day, start),
        reason: REASONS[reason],
      })),
    more: Math.max(0, changes.length - MAX_STOPS),
    moreHint: `callout://day/${date} has the whole day`,
  }
}

/** Returns a minute of the day as local time. */
const clockOf = ({ date, zone }: CompanyDay, minute: number): string =>
  date.toZonedDateTime(zone).add({ minutes: minute }).toPlainTime().toString({ smallestUnit: 'minute' })
