import { createResetLinkAsOwner } from '../../../identity/people/recovery/forgotten_password.ts'
import { findMember, removeMember, changeMember, type Member } from '../../../identity/people/people.ts'
import { byArea, levelUnder, parseRole } from '../../../identity/permissions/areas.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { areaChoices, readAreas } from '../apps/areas.ts'
import { companyAccountsPart } from './company_accounts.ts'
import { linkNotice, linkPart } from './member_link.ts'
import { signOutOfMember, signOutPart } from './member_sign_out.ts'
import { catchRefusal, settingsPath, requireOwner, requireRecentOwner, settingsPage } from '../settings_page.ts'
import { roleChoices } from './roles.ts'
import { resetPart } from './second_factor.ts'

export async function showMember(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return memberPage(
    site,
    context,
    await findMember(site.database, { tenant: context.company.id }, request.req.param('id') ?? ''),
  )
}

/** Saves role and rights. A new role starts with its default rights. */
export async function saveMember(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const entry = { tenant: context.company.id }
  const member = await findMember(site.database, entry, request.req.param('id') ?? '')
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      if (sent.get('act') === 'remove')
        await removeMember(site.database, entry, member.user_id, { user: context.user.id })
      else
        await changeMember(site.database, entry, member.user_id, readMemberChange(member, sent), {
          user: context.user.id,
        })
      return redirect(settingsPath(context, 'members'))
    },
    (refusal) => memberPage(site, context, member, { refusal }),
  )
}

function readMemberChange(member: Member, sent: URLSearchParams) {
  const role = parseRole(sent.get('role') ?? '')
  return role === 'owner' || role !== member.role ? { role } : { role, areas: readAreas(sent) }
}

/** Creates a link that sets a new password for the member, and shows it once. */
export async function makeMemberLink(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const tenant = context.company.id
  const member = await findMember(site.database, { tenant }, request.req.param('id') ?? '')
  return catchRefusal(
    async () => {
      const secret = await createResetLinkAsOwner(site.database, tenant, member.user_id, { user: context.user.id })
      return memberPage(site, context, member, {
        banner: linkNotice(member.name, `${site.baseUrl}/new-password?link=${secret}`),
      })
    },
    (refusal) => memberPage(site, context, member, { refusal }),
  )
}

/** Signs the member out of every browser. */
export const endMemberSessions = (site: Site, request: PageRequest): Promise<Response> =>
  signOutOfMember(site, request, async (context, refusal) => {
    const entry = { tenant: context.company.id }
    return memberPage(site, context, await findMember(site.database, entry, request.req.param('id') ?? ''), { refusal })
  })

type PageState = { banner?: Html; refusal?: Refusal }

/** Draws a member's rights, and an owner's other actions on the member. */
const memberPage = async (
  site: Site,
  context: MemberContext,
  { user_id, name, email, role, areas }: Member,
  { banner, refusal }: PageState = {},
): Promise<Response> =>
  settingsPage(
    context,
    'members',
    name,
    html`${banner ?? ''}
<section class="part">
  <h2>${name}</h2>
  <p class="help">${email}</p>
  <form class="form" method="post" action="${context.path('settings', 'members', user_id)}">
    ${select({
      name: 'role',
      label: say`Role`,
      options: roleChoices(),
      chosen: role,
      help: say`A new role starts with the usual permissions of that role`,
    })}
    ${
      role === 'owner'
        ? html`<p class="lead">${say`Owners can do everything.`}</p>`
        : areaChoices(byArea((area) => levelUnder(areas, area)))
    }
    <p class="actions">
      ${button({ label: say`Save`, kind: 'main' })}${linkButton(say`Cancel`, settingsPath(context, 'members'), 'quiet')}
    </p>
  </form>
</section>${await companyAccountsPart(site, context, user_id)}${linkPart(context, user_id)}${signOutPart(
      context,
      user_id,
    )}${resetPart(context, user_id)}
<section class="part">
  <h2>${say`Leaving the company`}</h2>
  <form class="form" method="post" action="${context.path('settings', 'members', user_id)}">
    <p class="help">
      ${say`They are signed out of this company at once, and their API keys and connected apps stop working. Their quotes move to an owner.`}
    </p>
    <p class="actions">
      ${button({ label: say`Remove ${name}`, kind: 'danger', name: 'act', value: 'remove' })}
      ${linkButton(say`Their data…`, context.path('settings', 'members', user_id, 'data'), 'quiet')}
    </p>
  </form>
</section>`,
    refusal,
  )
