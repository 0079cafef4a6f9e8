import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { setExcluded } from '../../../messaging/reminders/exclusions.ts'
import { requireMemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'

/** Stops or resumes the reminders to a customer. */
export async function saveExclusion(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const [id, form] = [request.req.param('id')!, await readFormFields(request.req.raw)]
  const isExcluded = form.get('excluded') === 'yes'
  await context.write((db) => {
    if (!context.may('write:customers')) throw notFoundRefusal()
    return setExcluded(db, { user: context.user.id }, id, isExcluded)
  })
  return redirectWithMessage(context.path('customers', id), {
    sentence: isExcluded ? say`This customer gets no more reminders.` : say`This customer gets reminders again.`,
    undo: { action: context.path('customers', id, 'reminders'), fields: { excluded: isExcluded ? 'no' : 'yes' } },
  })
}
