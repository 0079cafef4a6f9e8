import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { listBusyAssistants } from '../../../undo/activity.ts'
import { activityPath, daySpan, undoSpanPath } from '../../activity/addresses.ts'
import type { MemberContext } from '../../member_context.ts'

/** Renders a line per assistant with the number of records it changed today, and links to view and undo them. */
export async function assistantsPart(context: MemberContext, today: Temporal.PlainDate): Promise<Html | ''> {
  const span = daySpan(today, context.company.timezone)
  const busy = await context.read((db) => listBusyAssistants(db, context.caller, span))
  return when(
    busy.length > 0,
    () => html`
<ul class="assistants">${busy.map(
      ({ id, name, changed }) => html`
  <li class="help"><a href="${activityPath(context, { of: id })}">${sayCount(
    changed,
    '{1} changed one record today',
    '{1} changed {0} records today',
    name,
  )}</a> · <a href="${undoSpanPath(context, id, span)}">${say`Undo`}<span class="unseen">: ${name}</span></a></li>`,
    )}
</ul>`,
  )
}
