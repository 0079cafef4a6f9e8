import { lateSince } from '../../field/late.ts'
import { html, when, type Html } from '../../html/html.ts'
import { say, sayCount } from '../../language/say.ts'
import { time } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part } from '../../screens/parts.ts'
import { boundFrom } from '../../shape/instants.ts'
import type { MemberContext } from '../member_context.ts'

/** Draws who runs late today, for whoever plans the day; nothing where nobody does. */
export async function runningLate(context: MemberContext, today: Temporal.PlainDate): Promise<Html | ''> {
  const { timezone } = context.company
  const late = await context.read((db) => lateSince(db, boundFrom(timezone, today.toString())))
  return when(late.length > 0, () =>
    part(
      say`Running late`,
      html`
  <ul class="agenda">${late.map(
    ({ user_name, job_id, display_number, title, minutes, told, at }) => html`
    <li><span><b>${user_name}</b> ${recordLink(context, 'jobs', job_id, `${display_number} ${title}`)}<span class="help">${time(at, timezone)}${when(told > 0, () => html` · ${sayCount(told, 'One customer was told', '{0} customers were told')}`)}</span></span><b class="amount">${say`About ${minutes} minutes`}</b></li>`,
  )}
  </ul>`,
    ),
  )
}
