import { signOutMember } from '../../../identity/people/recovery/sign_out.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { originOf } from '../../sign_in/session.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner } from '../settings_page.ts'

/** Draws the button for a member who lost a phone or laptop. */
export const signOutPart = (context: MemberContext, user: string): Html | '' =>
  user === context.user.id
    ? ''
    : html`
<section class="part">
  <h2>${say`Lost device`}</h2>
  <form class="form" method="post" action="${context.path('settings', 'members', user, 'sign-out')}">
    <p class="help">
      ${say`Signs them out of every browser and phone. They sign in again with their password or passkey. Unsent work waits on their phone.`}
    </p>
    <p class="actions">${button({ label: say`Sign out everywhere` })}</p>
  </form>
</section>`

/** Ends every session of a member. `onRefusal` draws the page with a refusal. */
export async function signOutOfMember(
  site: Site,
  request: PageRequest,
  onRefusal: (context: MemberContext, refusal: Refusal) => Promise<Response>,
): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const { database } = site
  const by = { user: context.user.id }
  await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const user = request.req.param('id') ?? ''
      const count = await signOutMember(database, context.company.id, user, by, originOf(site, request))
      return redirectWithMessage(settingsPath(context, 'members'), { sentence: signOutMessage(count) })
    },
    (refusal) => onRefusal(context, refusal),
  )
}

const signOutMessage = (count: number): string =>
  count === 0
    ? say`They weren’t signed in anywhere.`
    : sayCount(count, 'They were signed out of one browser.', 'They were signed out of {0} browsers.')
