import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isExcluded, setExcluded } from '../../../messaging/reminders/exclusions.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'

/** Draws, in one line of a customer's page, whether they get reminders. */
export async function remindersLine(context: MemberContext, customer: string): Promise<Html> {
  const excluded = await context.read((db) => isExcluded(db, customer))
  const change = html`<form method="post" action="${context.path('customers', customer, 'reminders')}">${hidden(
    'excluded',
    excluded ? 'no' : 'yes',
  )}${button({ label: excluded ? say`Send reminders` : say`Stop reminders`, kind: 'quiet' })}</form>`
  return html`
<section class="part">
  <div class="part-head">
    <p><b>${say`Reminders`}</b> ${
      excluded ? say`This customer gets none.` : say`This customer gets those that are switched on.`
    }</p>${context.may('write:customers') ? change : ''}</div>
</section>`
}

/** Stops or resumes the reminders to a customer. */
export async function saveExclusion(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const [id, typed] = [visit.req.param('id')!, await readFormFields(visit.req.raw)]
  const excluded = typed.get('excluded') === 'yes'
  await context.write((db) => {
    if (!context.may('write:customers')) throw notFoundRefusal()
    return setExcluded(db, { user: context.user.id }, id, excluded)
  })
  return redirectWithMessage(context.path('customers', id), {
    sentence: excluded ? say`This customer gets no more reminders.` : say`This customer gets reminders again.`,
    undo: { action: context.path('customers', id, 'reminders'), fields: { excluded: excluded ? 'no' : 'yes' } },
  })
}
