import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { setExcluded } from '../../../messaging/reminders/exclusions.ts'
import { requireMemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'

/** Stops or resumes the reminders to a customer. */
export async function saveExclusion(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const [id, form] = [visit.req.param('id')!, await readFormFields(visit.req.raw)]
  const excluded = form.get('excluded') === 'yes'
  await context.write((db) => {
    if (!context.may('write:customers')) throw notFoundRefusal()
    return setExcluded(db, { user: context.user.id }, id, excluded)
  })
  return redirectWithMessage(context.path('customers', id), {
    sentence: excluded ? say`This customer gets no more reminders.` : say`This customer gets reminders again.`,
    undo: { action: context.path('customers', id, 'reminders'), fields: { excluded: excluded ? 'no' : 'yes' } },
  })
}
