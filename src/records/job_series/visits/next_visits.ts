import { html, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say } from '../../../platform/i18n/say.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { moment } from '../../format/formats.ts'
import { numberLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import { part, statusTag } from '../../page/parts.ts'
import type { JobSeries } from '../fields.ts'

/** Renders the next visits of a series, and the link to all of them. */
export async function nextVisitsPart(
  context: PageContext,
  { id, timezone }: Pick<JobSeries, 'id' | 'timezone'>,
): Promise<Html> {
  const { rows } = await context.call('jobs_list', {
    seriesId: id,
    scheduled_from: todayIn(context.company.timezone).toString(),
    sort: 'scheduled_asc',
    limit: 5,
  })
  const allVisitsLink = html`<a class="button plain" href="${context.path('jobs')}?seriesId=${id}">${say`All visits`}</a>`
  return part(
    say`Next visits`,
    table({
      caption: say`Next visits`,
      isCaptionHidden: true,
      empty: say`No visits planned.`,
      rows,
      columns: [
        { label: say`Job`, cell: (job) => numberLink(context, 'jobs', job.id, job.display_number) },
        {
          label: say`When`,
          cell: ({ scheduled_start }) =>
            scheduled_start === undefined ? say`Not scheduled` : moment(scheduled_start, timezone),
        },
        { label: say`Status`, cell: ({ status }) => statusTag(status) },
      ],
    }),
    allVisitsLink,
  )
}
