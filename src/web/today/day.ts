import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import { duration, time } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part, statusTag } from '../../records/page/parts.ts'
import type { Results } from '../../tools/declare/results.ts'
import { NOBODY } from '../../records/jobs/index.ts'
import { readDay, type CompanyDay } from '../../scheduling/day_plan/read_day.ts'
import type { MemberContext } from '../member_context.ts'
import { lateVisits } from '../schedule/board/late.ts'
import { axisOf, trackSvg, type DayAxis } from './track.ts'

type VisitRow = Results['jobs_list']['rows'][number]

/** Maximum visits to render; the schedule shows all. */
const MAX_VISITS = 100

/** Renders the day with a line per technician, one's own first, showing now, late and finished visits. */
export async function dayPart(
  context: MemberContext,
  today: Temporal.PlainDate,
  ownVisits: Promise<readonly unknown[]>,
): Promise<Html> {
  const [{ rows, hasMore }, day, { length }] = await Promise.all([
    context.call('jobs_list', { scheduled_from: today.toString(), scheduled_to: today.toString(), limit: MAX_VISITS }),
    context.read((db) => readDay(db, context.company.timezone, today)),
    ownVisits,
  ])
  const isOwnShown = length > 0
  const now = Temporal.Now.instant()
  const own = context.user.id
  const live = rows.filter(({ status }) => status !== 'cancelled')
  const crews = crewsOf(live, day)
    .filter(({ user_id }) => !isOwnShown || user_id !== own)
    .sort((a, b) => Number(b.user_id === own) - Number(a.user_id === own) || a.name.localeCompare(b.name))
  const visits = crews.flatMap((crew) => crew.visits)
  const axis = axisOf(visits, today, context.company.timezone, now)
  return part(
    isOwnShown ? say`Everyone else’s visits` : say`Visits`,
    crews.length === 0
      ? html`<p class="empty">${isOwnShown ? say`No one else has visits today.` : say`Nothing is scheduled today.`}</p>`
      : html`<div class="day">${axisHtml(axis)}${crews.map((crew) => rowHtml(context, axis, crew))}</div>${when(
          hasMore,
          () => html`
<p class="help">${say`Showing the first ${MAX_VISITS} visits. The schedule has all of them.`}</p>`,
        )}`,
    linkButton(say`Schedule`, context.path('schedule')),
  )
}

type Crew = { user_id: string; name: string; visits: (VisitRow & { late: number | undefined })[] }

/** Returns the visits of each technician, and the unassigned ones, with their expected delay. */
function crewsOf(visits: readonly VisitRow[], day: CompanyDay): Crew[] {
  const crews = new Map<string, Crew>()
  for (const visit of visits)
    for (const { user_id, name } of visit.assignees.length === 0
      ? [{ user_id: '', name: say`Unassigned` }]
      : visit.assignees) {
      const crew = crews.get(user_id) ?? { user_id, name, visits: [] }
      crew.visits.push({ ...visit, late: undefined })
      crews.set(user_id, crew)
    }
  const late = lateVisits(
    day,
    [...crews.keys()].map((id) => ({ id: id || NOBODY })),
  )
  return [...crews.values()].map((crew) => ({
    ...crew,
    visits: crew.visits.map((visit) => ({ ...visit, late: late.get(crew.user_id || NOBODY)?.get(visit.id)?.minutes })),
  }))
}

const axisHtml = ({ hours }: DayAxis): Html => html`
  <ol class="day-axis" aria-hidden="true">${hours.map((label) => html`<li>${label}</li>`)}</ol>`

function rowHtml(context: MemberContext, axis: DayAxis, { name, visits }: Crew): Html {
  const { timezone } = context.company
  const done = visits.filter(({ status }) => status === 'done').length
  return html`
  <section class="day-row">
    <h3>${name}<span class="help">${say`${done} of ${visits.length} done`}</span></h3>
    ${trackSvg(axis, visits)}
    <ul class="agenda">${visits.map(
      (visit) => html`
      <li><span class="agenda-time">${
        visit.all_day || visit.scheduled_start === undefined ? say`Any time` : time(visit.scheduled_start, timezone)
      }</span>
        <span>${recordLink(context, 'jobs', visit.id, visit.title)}<span class="help">${
          visit.customer_name
        }</span></span>${when(visit.late, (minutes) => status(say`About ${duration(minutes)} late`, 'error'))}${
          visit.late !== undefined && visit.status === 'scheduled' ? '' : statusTag(visit.status, 'visit')
        }</li>`,
    )}
    </ul>
  </section>`
}
