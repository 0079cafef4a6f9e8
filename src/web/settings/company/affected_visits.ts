import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { span } from '../../../records/format/formats.ts'
import { visitsOnDaysOff, type DayOffVisit } from '../../../records/jobs/index.ts'
import { recordLink } from '../../../records/page/links.ts'
import type { MemberContext } from '../../member_context.ts'

/** Reads the visits on days off; none without read access to jobs. */
export const listAffectedVisits = async (
  context: MemberContext,
  user: string | null,
  from: string,
): ReturnType<typeof visitsOnDaysOff> =>
  context.may('read:jobs')
    ? context.read((db) => visitsOnDaysOff(db, { user, zone: context.company.timezone, from }))
    : { visits: [], isTruncated: false }

/** Draws a visit on a day off, with a link that moves it. */
export const dayOffVisitHtml = (context: MemberContext, visit: DayOffVisit): Html => html`
    <li><span>${recordLink(context, 'jobs', visit.id, visit.title)}<span class="help">${[
      visit.all_day ? say`Any time` : span(visit.scheduled_start, visit.scheduled_end, context.company.timezone),
      visit.customer_name,
      visit.assignees.length === 0 ? say`Unassigned` : visit.assignees.map(({ name }) => name).join(', '),
    ].join(' · ')}</span></span>
      ${when(context.may('write:jobs'), () =>
        linkButton(say`Move`, `${context.path('schedule', 'move', visit.id)}?day=${visit.day}`, 'quiet'),
      )}</li>`
