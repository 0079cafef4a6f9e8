import { listLateReports } from '../../mobile/late.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { time } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part } from '../../records/page/parts.ts'
import { lowerBound } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'

/** Draws who runs late today, for whoever plans the day; nothing where nobody does. */
export async function lateVisitsPart(context: MemberContext, today: Temporal.PlainDate): Promise<Html | ''> {
  const { timezone } = context.company
  const late = await context.read((db) => listLateReports(db, lowerBound(timezone, today.toString())))
  return when(late.length > 0, () =>
    part(
      say`Running late`,
      html`
  <ul class="agenda">${late.map(
    ({ user_name, job_id, display_number, title, minutes, told, at }) => html`
    <li><span><b>${user_name}</b> ${recordLink(
      context,
      'jobs',
      job_id,
      `${display_number} ${title}`,
    )}<span class="help">${time(at, timezone)}${when(
      told > 0,
      () => html` · ${sayCount(told, 'One customer was notified', '{0} customers were notified')}`,
    )}</span></span><b class="amount">${say`About ${minutes} minutes`}</b></li>`,
  )}
  </ul>`,
    ),
  )
}
