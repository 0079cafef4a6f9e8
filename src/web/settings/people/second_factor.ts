import { resetMemberFactors, findFactorRule, setFactorRule, type FactorRule } from '../../../identity/factors/rule.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { status } from '../../../platform/html/parts/status.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { originOf } from '../../sign_in/session.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Draws the company's rule on second factors, and the members without one. */
export const rulePart = async (site: Site, context: MemberContext): Promise<Html> =>
  renderRule(context, await findFactorRule(site.database, context.company.id))

/** Turns the rule on or off. */
export async function saveRule(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const isRequired = (await readFormFields(request.req.raw)).get('asked') === 'yes'
  return catchRefusal(
    async () => {
      await setFactorRule(site.database, context.company.id, isRequired, { user: context.user.id })
      return redirectWithMessage(settingsPath(context, 'members'), { sentence: say`Saved` })
    },
    async (refusal) => settingsPage(context, 'members', say`Members`, await rulePart(site, context), refusal),
  )
}

/** Removes all passkeys and the authenticator app of a member who lost them. */
export async function resetFactorsOfMember(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const id = request.req.param('id') ?? ''
  await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      await resetMemberFactors(
        site.database,
        context.company.id,
        id,
        { user: context.user.id },
        originOf(site, request),
      )
      return redirectWithMessage(settingsPath(context, 'members'), {
        sentence: say`The second factors were reset.`,
        notes: [say`They are signed out everywhere, and sign in with their password.`],
      })
    },
    async (refusal) => settingsPage(context, 'members', say`Members`, await rulePart(site, context), refusal),
  )
}

function renderRule(context: MemberContext, { isRequired, members, lacking }: FactorRule): Html {
  return part(
    say`Second factor`,
    html`
  <p>${isRequired ? status(say`Required`, 'good') : status(say`Optional`, 'plain')} ${sayCount(
    members - lacking.length,
    'One member has one.',
    '{0} members have one.',
  )}</p>
  <p class="help">
    ${say`If you require it, members without a passkey or an authenticator app set one up before they can open this company. Existing API keys and connected apps keep working; new ones need it.`}
  </p>${when(
    lacking.length > 0,
    () => html`
  <p class="help">${say`Without one: ${lacking
    .slice(0, 20)
    .map(({ name }) => name)
    .join(', ')}`}</p>`,
  )}
  <form class="form" method="post" action="${context.path('settings', 'second-factor')}">${hidden(
    'asked',
    isRequired ? 'no' : 'yes',
  )}
    <p class="actions">${button({ label: isRequired ? say`Make it optional` : say`Require a second factor` })}</p>
  </form>`,
  )
}

/** Draws the reset for a member who lost every second factor. */
export const resetPart = (context: MemberContext, user: string): Html => html`
<section class="part">
  <h2>${say`Lost phone or passkey`}</h2>
  <form class="form" method="post" action="${context.path('settings', 'members', user, 'reset-factors')}">
    <p class="help">
      ${say`They sign in with their password after this, and set up a new one. They are signed out everywhere, and outside accounts are unlinked.`}
    </p>
    <p class="actions">${button({ label: say`Reset passkeys and second factors` })}</p>
  </form>
</section>`
