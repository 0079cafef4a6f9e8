import { shareBars } from '../../platform/html/parts/bars.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { JOB_STATUSES, countJobsByStatus } from '../../records/jobs/index.ts'
import { time } from '../../records/format/formats.ts'
import { wordFor } from '../../records/page/states.ts'
import { recordLink } from '../../records/page/links.ts'
import { part, statusTag } from '../../records/page/parts.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { MemberContext } from '../member_context.ts'
import { weekOf } from '../schedule/schedule_view.ts'

type VisitRow = Results['jobs_list']['rows'][number]

/** Draws the visits of today by technician, one's own first, without those that stand above already. */
export async function visitsPart(
  context: MemberContext,
  today: Temporal.PlainDate,
  isOwnShown: boolean,
): Promise<Html> {
  const { rows } = await context.call('jobs_list', {
    scheduled_from: today.toString(),
    scheduled_to: today.toString(),
    limit: 100,
  })
  const live = rows.filter(
    ({ status, assignees }) =>
      status !== 'cancelled' && !(isOwnShown && assignees.length === 1 && assignees[0]!.user_id === context.user.id),
  )
  const crews = Map.groupBy(
    live.flatMap((job) =>
      crewOf(job)
        .filter((name) => !isOwnShown || name !== context.user.name)
        .map((name) => ({ name, job })),
    ),
    ({ name }) => name,
  )
  return part(
    isOwnShown ? say`Everyone else’s visits` : say`Visits`,
    live.length === 0
      ? html`<p class="empty">${isOwnShown ? say`No one else has visits today.` : say`Nothing is scheduled today.`}</p>`
      : html`${[...crews]
          .sort(([a], [b]) => Number(b === context.user.name) - Number(a === context.user.name) || a.localeCompare(b))
          .map(
            ([name, jobs]) => html`
  <h3>${name}</h3>
  <ul class="agenda">${jobs.map(
    ({ job }) => html`
    <li><span class="agenda-time">${
      job.all_day || job.scheduled_start === undefined
        ? say`Any time`
        : time(job.scheduled_start, context.company.timezone)
    }</span>
      <span>${recordLink(
        context,
        'jobs',
        job.id,
        job.title,
      )}<span class="help">${job.customer_name}</span></span>${statusTag(job.status)}</li>`,
  )}
  </ul>`,
          )}`,
    linkButton(say`Schedule`, context.path('schedule')),
  )
}

const crewOf = ({ assignees }: VisitRow): string[] =>
  assignees.length === 0 ? [say`Unassigned`] : assignees.map(({ name }) => name)

/** Draws how far the jobs of this week are. */
export async function weekPart(context: MemberContext, today: Temporal.PlainDate): Promise<Html> {
  const { timezone, country } = context.company
  const days = weekOf(today, country)
  const [from, until] = [lowerBound(timezone, days[0]!.toString()), upperBound(timezone, days.at(-1)!.toString())]
  const counts = (await context.read((db) => countJobsByStatus(db, from, until))).sort(
    (a, b) => JOB_STATUSES.indexOf(a.status) - JOB_STATUSES.indexOf(b.status),
  )
  return part(
    say`This week’s jobs`,
    counts.length === 0
      ? html`<p class="empty">${say`No jobs this week.`}</p>`
      : shareBars(
          say`This week’s jobs by status`,
          counts.map(({ status, count }) => ({ label: wordFor(status), value: count, says: String(count) })),
        ),
  )
}
