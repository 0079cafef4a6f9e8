import { parseRole } from '../../../identity/permissions/areas.ts'
import {
  invitePerson,
  listInvitations,
  withdrawInvitation,
  type Invitation,
} from '../../../identity/people/invitations/invitations.ts'
import { inviteByMail, mailInvitation } from '../../../identity/people/invitations/mailed_invitations.ts'
import { listMembers, type Member } from '../../../identity/people/people.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { conflict, type Refusal } from '../../../platform/errors/refusal.ts'
import { linkSentMessage } from '../../account/notices.ts'
import type { MemberContext } from '../../member_context.ts'
import { roleName } from '../../../identity/permissions/names.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { roleChoices } from './roles.ts'
import { rulePart } from './second_factor.ts'
import { catchRefusal, settingsPath, requireOwner, requireRecentOwner, settingsPage } from '../settings_page.ts'
import { say } from '../../../platform/i18n/say.ts'
import { mailText } from '../../../records/page/contact_links.ts'
import { refusals } from '../../refusals.ts'

export async function showMembers(site: Site, request: PageRequest): Promise<Response> {
  return listPage(site, await requireOwner(site, request))
}

/** Sends an invitation by email, or creates a link for the inviter to hand out. */
export async function inviteMember(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const name = sent.get('name')?.trim() ?? ''
      const input = {
        email: sent.get('email') ?? '',
        name: name === '' ? null : name,
        role: parseRole(sent.get('role') ?? ''),
      }
      const by = { user: context.user.id }
      if (sent.get('way') === 'mail') {
        requireMail(site)
        const { email } = await inviteByMail(site.database, context.company.id, input, by)
        return redirectWithMessage(settingsPath(context, 'members'), linkSentMessage(email, site.mailing))
      }
      const { secret, email } = await invitePerson(site.database, context.company.id, input, by)
      return listPage(site, context, { banner: linkNotice(email, `${site.baseUrl}/join?invitation=${secret}`) })
    },
    (refusal) => listPage(site, context, { refusal, sent }),
  )
}

/** Withdraws an invitation, or emails it again. */
export async function changeInvitation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const id = request.req.param('id') ?? ''
  const by = { user: context.user.id }
  return catchRefusal(
    async () => {
      if (sent.get('act') === 'mail') {
        requireMail(site)
        const { email } = await mailInvitation(site.database, context.company.id, id, by)
        return redirectWithMessage(settingsPath(context, 'members'), linkSentMessage(email, site.mailing))
      }
      await withdrawInvitation(site.database, context.company.id, id, by)
      return redirect(settingsPath(context, 'members'))
    },
    (refusal) => listPage(site, context, { refusal }),
  )
}

const linkNotice = (email: string, link: string): Html =>
  notice({
    kind: 'good',
    title: say`Send this link to ${email}`,
    body: html`${say`It is shown once, works once and for 14 days. Whoever opens it becomes that member.`}<br>${copyable(
      link,
    )}
    <span class="actions"><a class="button plain"
      href="mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(
        say`Join us in Callout`,
      )}&amp;body=${encodeURIComponent(link)}">${say`Email it`}</a><a class="button plain"
        href="sms:?&amp;body=${encodeURIComponent(link)}">${say`Text it`}</a></span>`,
  })

function requireMail({ mailing }: Site): void {
  if (mailing === 'none') throw conflict(refusals.noMailToInvite())
}

type PageState = { banner?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function listPage(
  site: Site,
  context: MemberContext,
  { banner, refusal, sent }: PageState = {},
): Promise<Response> {
  const [members, invitations, rule] = await Promise.all([
    listMembers(site.database, { tenant: context.company.id }),
    listInvitations(site.database, context.company.id),
    rulePart(site, context),
  ])
  return settingsPage(
    context,
    'members',
    say`Members`,
    html`
${banner ?? ''}
${memberTable(context, members)}
${when(invitations.length > 0, () => invitationTable(site, context, invitations))}
${part(say`Invite a member`, inviteForm(site, context, sent))}
${rule}`,
    refusal,
  )
}

const memberTable = (context: MemberContext, members: readonly Member[]): Html =>
  table<Member>({
    caption: say`Members`,
    rows: members,
    empty: say`No members yet.`,
    columns: [
      {
        label: say`Name`,
        cell: ({ user_id, name, deactivated_at }) =>
          html`<a href="${
            deactivated_at === null
              ? context.path('settings', 'members', user_id)
              : context.path('settings', 'members', user_id, 'data')
          }">${name}</a>`,
      },
      { label: say`Email`, cell: ({ email }) => mailText(email) },
      { label: say`Role`, cell: ({ role }) => roleName(role) },
      {
        label: say`Status`,
        cell: ({ deactivated_at }) =>
          deactivated_at === null ? status(say`Active`, 'good') : status(say`Removed`, 'ended'),
      },
    ],
  })

const invitationTable = (site: Site, context: MemberContext, invitations: readonly Invitation[]): Html =>
  table<Invitation>({
    caption: say`Invitations`,
    rows: invitations,
    empty: '',
    columns: [
      { label: say`Email`, cell: ({ email }) => mailText(email) },
      { label: say`Role`, cell: ({ role }) => roleName(role) },
      { label: say`Expires`, cell: ({ expires_at }) => moment(expires_at, context.company.timezone) },
      {
        label: say`Invitation`,
        cell: ({ id, mailed_at }) =>
          html`<form class="actions" method="post" action="${context.path('settings', 'invitations', id)}">${when(
            site.mailing !== 'none',
            () =>
              button({ label: mailed_at === null ? say`Send by mail` : say`Send again`, name: 'act', value: 'mail' }),
          )}${button({ label: say`Cancel invite` })}</form>`,
      },
    ],
  })

const inviteForm = (site: Site, context: MemberContext, sent?: URLSearchParams): Html => html`
  <form class="form columns" method="post" action="${settingsPath(context, 'members')}">
    ${field({ name: 'email', label: say`Email`, type: 'email', isRequired: true, value: sent?.get('email') ?? '' })}
    ${field({ name: 'name', label: say`Name`, value: sent?.get('name') ?? '' })}
    ${select({ name: 'role', label: say`Role`, options: roleChoices(), chosen: sent?.get('role') ?? 'tech' })}
    <p class="actions">${when(site.mailing !== 'none', () =>
      button({ label: say`Send invite`, kind: 'main', name: 'way', value: 'mail' }),
    )}${button({
      label: say`Create invite link`,
      kind: site.mailing === 'none' ? 'main' : 'plain',
      name: 'way',
      value: 'link',
    })}</p>
  </form>`
