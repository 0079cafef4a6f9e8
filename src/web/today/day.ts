import { linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import { time } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part, statusTag } from '../../records/page/parts.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { MemberContext } from '../member_context.ts'
import { axisOf, trackSvg, type DayAxis } from './track.ts'

type VisitRow = Results['jobs_list']['rows'][number]

/** Minutes after its start from which a visit that nobody began is late. */
const GRACE = 15

/** Draws the day as a line for each technician, one's own first, with now, what is late, and what is done. */
export async function dayPart(context: MemberContext, today: Temporal.PlainDate, isOwnShown: boolean): Promise<Html> {
  const { rows } = await context.call('jobs_list', {
    scheduled_from: today.toString(),
    scheduled_to: today.toString(),
    limit: 100,
  })
  const now = Temporal.Now.instant()
  const isElsewhere = ({ assignees }: VisitRow): boolean =>
    isOwnShown && assignees.length === 1 && assignees[0]?.user_id === context.user.id
  const live = rows.filter((visit) => visit.status !== 'cancelled' && !isElsewhere(visit))
  const crews = Map.groupBy(
    live.flatMap((visit) =>
      crewOf(visit)
        .filter((name) => !isOwnShown || name !== context.user.name)
        .map((name) => ({ name, visit })),
    ),
    ({ name }) => name,
  )
  const axis = axisOf(live, today, context.company.timezone, now)
  const isFirst = (name: string): number => Number(name === context.user.name)
  return part(
    isOwnShown ? say`Everyone else’s visits` : say`Visits`,
    live.length === 0
      ? html`<p class="empty">${isOwnShown ? say`No one else has visits today.` : say`Nothing is scheduled today.`}</p>`
      : html`<div class="day">${axisHtml(axis)}${[...crews]
          .sort(([a], [b]) => isFirst(b) - isFirst(a) || a.localeCompare(b))
          .map(([name, visits]) =>
            rowHtml(
              context,
              axis,
              name,
              visits.map(({ visit }) => ({ ...visit, isLate: isLate(visit, now) })),
            ),
          )}</div>`,
    linkButton(say`Schedule`, context.path('schedule')),
  )
}

const crewOf = ({ assignees }: VisitRow): string[] =>
  assignees.length === 0 ? [say`Unassigned`] : assignees.map(({ name }) => name)

const isLate = ({ status, all_day, scheduled_start: start }: VisitRow, now: Temporal.Instant): boolean =>
  (status === 'scheduled' || status === 'en_route') &&
  !all_day &&
  start !== undefined &&
  Temporal.Instant.compare(Temporal.Instant.from(start).add({ minutes: GRACE }), now) < 0

const axisHtml = ({ hours }: DayAxis): Html => html`
  <ol class="day-axis" aria-hidden="true">${hours.map((label) => html`<li>${label}</li>`)}</ol>`

type TimedVisit = VisitRow & { isLate: boolean }

function rowHtml(context: MemberContext, axis: DayAxis, name: string, visits: readonly TimedVisit[]): Html {
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
        }</span></span>${visit.isLate ? status(say`Late`, 'error') : ''}${
          visit.isLate && visit.status === 'scheduled' ? '' : statusTag(visit.status, 'visit')
        }</li>`,
    )}
    </ul>
  </section>`
}
