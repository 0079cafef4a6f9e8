import { DEFAULT_CEILINGS, ROLES, readRole } from '../../access/rights/areas.ts'
import { invite, listInvitations, withdrawInvitation, type Invitation } from '../../access/people/invitations.ts'
import { findMember, listMembers, removeMember, setMember, type Member } from '../../access/people/people.ts'
import { redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { field, select } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { status } from '../../html/status.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { moment } from '../../screens/formats.ts'
import { part } from '../../screens/parts.ts'
import type { Refusal } from '../../refusal.ts'
import type { MemberContext } from '../member_context.ts'
import { roleName } from '../../access/rights/names.ts'
import type { Site } from '../site.ts'
import { areaChoices, areasIn } from './areas.ts'
import { attempting, pathOf, requireOwner, settingsPage } from './room.ts'
import { say } from '../../language/say.ts'

const roleChoices = () =>
  ROLES.map((role) => ({ value: role, label: role === 'owner' ? say`Owner: everything` : roleName(role) }))

export async function showMembers(site: Site, visit: Visit): Promise<Response> {
  return listPage(site, await requireOwner(site, visit))
}

/** Makes a link that its maker hands out; nothing is sent. */
export async function inviteMember(site: Site, visit: Visit): Promise<Response> {
  const context = await requireOwner(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      const name = sent.get('name')?.trim() ?? ''
      const { secret, email } = await invite(
        site.database,
        context.company.id,
        { email: sent.get('email') ?? '', name: name === '' ? null : name, role: readRole(sent.get('role') ?? '') },
        { user: context.user.id },
      )
      return listPage(site, context, { banner: linkNotice(email, `${site.baseUrl}/join?invitation=${secret}`) })
    },
    (refusal) => listPage(site, context, { refusal, sent }),
  )
}

export async function uninvite(site: Site, visit: Visit): Promise<Response> {
  const context = await requireOwner(site, visit)
  return attempting(
    async () => {
      await withdrawInvitation(site.database, context.company.id, visit.req.param('id') ?? '', {
        user: context.user.id,
      })
      return redirect(pathOf(context, 'members'))
    },
    (refusal) => listPage(site, context, { refusal }),
  )
}

export async function showMember(site: Site, visit: Visit): Promise<Response> {
  const context = await requireOwner(site, visit)
  return memberPage(
    context,
    await findMember(site.database, { tenant: context.company.id }, visit.req.param('id') ?? ''),
  )
}

/** Saves role and areas; a new role starts from its defaults. */
export async function saveMember(site: Site, visit: Visit): Promise<Response> {
  const context = await requireOwner(site, visit)
  const entry = { tenant: context.company.id }
  const member = await findMember(site.database, entry, visit.req.param('id') ?? '')
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      if (sent.get('act') === 'remove')
        await removeMember(site.database, entry, member.user_id, { user: context.user.id })
      else await setMember(site.database, entry, member.user_id, changeIn(member, sent), { user: context.user.id })
      return redirect(pathOf(context, 'members'))
    },
    (refusal) => memberPage(context, member, refusal),
  )
}

function changeIn(member: Member, sent: URLSearchParams) {
  const role = readRole(sent.get('role') ?? '')
  return role === 'owner' || role !== member.role ? { role } : { role, areas: areasIn(sent) }
}

const linkNotice = (email: string, link: string): Html =>
  notice({
    kind: 'good',
    title: `Send this link to ${email}`,
    body: html`It is shown once, works once and for 14 days. Whoever opens it becomes that member.<br><code class="copy">${link}</code>`,
  })

type PageState = { banner?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function listPage(
  site: Site,
  context: MemberContext,
  { banner, refusal, sent }: PageState = {},
): Promise<Response> {
  const [members, invitations] = await Promise.all([
    listMembers(site.database, { tenant: context.company.id }),
    listInvitations(site.database, context.company.id),
  ])
  return settingsPage(
    context,
    'members',
    'Members',
    html`
${banner ?? ''}
${table<Member>({
  caption: 'Members',
  rows: members,
  empty: 'Nobody yet.',
  columns: [
    {
      label: 'Name',
      cell: ({ user_id, name, deactivated_at }) =>
        deactivated_at === null ? html`<a href="${context.path('settings', 'members', user_id)}">${name}</a>` : name,
    },
    { label: 'E-mail', cell: ({ email }) => html`<span class="mail">${email}</span>` },
    { label: 'Role', cell: ({ role }) => roleName(role) },
    {
      label: 'State',
      cell: ({ deactivated_at }) => (deactivated_at === null ? status('Member', 'good') : status('Removed', 'ended')),
    },
  ],
})}
${
  invitations.length === 0
    ? ''
    : table<Invitation>({
        caption: 'Invited',
        rows: invitations,
        empty: '',
        columns: [
          { label: 'E-mail', cell: ({ email }) => html`<span class="mail">${email}</span>` },
          { label: 'Role', cell: ({ role }) => roleName(role) },
          { label: 'Until', cell: ({ expires_at }) => moment(expires_at, context.company.timezone) },
          {
            label: 'Link',
            cell: ({ id }) =>
              html`<form method="post" action="${context.path('settings', 'invitations', id)}">${button({ label: 'Withdraw' })}</form>`,
          },
        ],
      })
}
${part(
  'Invite somebody',
  html`
  <form class="form columns" method="post" action="${pathOf(context, 'members')}">
    ${field({ name: 'email', label: 'E-mail', type: 'email', isRequired: true, value: sent?.get('email') ?? '' })}
    ${field({ name: 'name', label: 'Name', value: sent?.get('name') ?? '' })}
    ${select({ name: 'role', label: 'Role', options: roleChoices(), chosen: sent?.get('role') ?? 'tech' })}
    <p class="actions">${button({ label: 'Make a link', kind: 'main' })}</p>
  </form>`,
)}`,
    refusal,
  )
}

const memberPage = (
  context: MemberContext,
  { user_id, name, email, role, areas }: Member,
  refusal?: Refusal,
): Response =>
  settingsPage(
    context,
    'members',
    name,
    html`
<section class="part">
  <h2>${name}</h2>
  <p class="help">${email}</p>
  <form class="form" method="post" action="${context.path('settings', 'members', user_id)}">
    ${select({ name: 'role', label: 'Role', options: roleChoices(), chosen: role, help: 'Another role starts from what that role may usually do' })}
    ${role === 'owner' ? html`<p class="lead">An owner may do everything.</p>` : areaChoices({ ...DEFAULT_CEILINGS[role], ...areas })}
    <p class="actions">${button({ label: 'Save', kind: 'main' })}${linkButton('Leave it', pathOf(context, 'members'), 'quiet')}</p>
  </form>
</section>
<section class="part">
  <form class="form" method="post" action="${context.path('settings', 'members', user_id)}">
    <p class="help">Somebody who is removed is signed out of this company at once; their keys and apps stop. Their quotes go to an owner.</p>
    <p class="actions">${button({ label: `Remove ${name}`, kind: 'danger', name: 'act', value: 'remove' })}</p>
  </form>
</section>`,
    refusal,
  )
