import { disconnectOutsidePolicy } from '../../../identity/apps/outside_policy.ts'
import type { Grant } from '../../../identity/credentials/clients/grants.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Maximum names in the sentence. */
const MAX_NAMES = 10

/** Draws the connections that the current policy wouldn't allow, and the button that ends them. */
export const outsidePart = (context: MemberContext, outside: readonly Grant[]): Html | '' =>
  outside.length === 0
    ? ''
    : part(
        sayCount(outside.length, 'One connection would not be allowed now', '{0} connections would not be allowed now'),
        html`
  <p>${namesOf(outside)}</p>
  <p class="help">${say`They were connected before the policy, or before an app was taken off the list, and keep working.`}</p>
  <form class="form" method="post" action="${context.path('settings', 'apps', 'outside')}">
    <p class="actions">${button({ label: say`Disconnect`, kind: 'danger' })}</p>
  </form>`,
      )

const namesOf = (outside: readonly Grant[]): string =>
  outside
    .slice(0, MAX_NAMES)
    .map(({ client_name, email }) => `${client_name} (${email})`)
    .join(', ') + (outside.length > MAX_NAMES ? '…' : '')

export async function endOutsideConnections(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const ended = await disconnectOutsidePolicy(site.database, context.company.id, { user: context.user.id })
      return redirectWithMessage(settingsPath(context, 'apps'), {
        sentence: sayCount(ended.length, 'One connection was ended.', '{0} connections were ended.'),
      })
    },
    (refusal) => settingsPage(context, 'apps', say`Connected apps`, html``, refusal),
  )
}
