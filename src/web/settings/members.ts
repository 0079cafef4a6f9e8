import { DEFAULT_CEILINGS, ROLES, readRole } from '../../access/rights/areas.ts'
import { invite, listInvitations, withdrawInvitation } from '../../access/people/invitations.ts'
import type { Invitation } from '../../access/people/invitations.ts'
import { findMember, listMembers, removeMember, setMember } from '../../access/people/people.ts'
import type { Member } from '../../access/people/people.ts'
import { redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { field, select } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { status } from '../../html/status.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { moment } from '../../screens/formats.ts'
import { part } from '../../screens/parts.ts'
import type { Refusal } from '../../refusal.ts'
import type { Workdesk } from '../desk.ts'
import { ROLE_NAMES } from '../roles.ts'
import type { Site } from '../site.ts'
import { areaChoices, areasIn } from './areas.ts'
import { attempting, pathOf, requireOwner, settingsPage } from './room.ts'

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: role === 'owner' ? 'Owner: everything' : ROLE_NAMES[role] }))

export async function showMembers(site: Site, visit: Visit): Promise<Response> {
  return listPage(site, await requireOwner(site, visit))
}

/** Makes a link that its maker hands over; nothing is sent. */
export async function inviteMember(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireOwner(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(async () => {
    const name = sent.get('name')?.trim() ?? ''
    const { secret, email } = await invite(site.database, desk.company.id, {
      email: sent.get('email') ?? '', name: name === '' ? null : name, role: readRole(sent.get('role') ?? ''),
    }, { user: desk.user.id })
    return listPage(site, desk, { told: linkNotice(email, `${site.baseUrl}/join?invitation=${secret}`) })
  }, (refusal) => listPage(site, desk, { refusal, sent }))
}

export async function uninvite(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireOwner(site, visit)
  return attempting(async () => {
    await withdrawInvitation(site.database, desk.company.id, visit.req.param('id') ?? '', { user: desk.user.id })
    return redirect(pathOf(desk, 'members'))
  }, (refusal) => listPage(site, desk, { refusal }))
}

export async function showMember(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireOwner(site, visit)
  return memberPage(desk, await findMember(site.database, { tenant: desk.company.id }, visit.req.param('id') ?? ''))
}

/** Role and areas; a new role starts from its defaults. */
export async function saveMember(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireOwner(site, visit)
  const entry = { tenant: desk.company.id }
  const member = await findMember(site.database, entry, visit.req.param('id') ?? '')
  const sent = await formOf(visit.req.raw)
  return attempting(async () => {
    if (sent.get('act') === 'remove') await removeMember(site.database, entry, member.user_id, { user: desk.user.id })
    else await setMember(site.database, entry, member.user_id, changeIn(member, sent), { user: desk.user.id })
    return redirect(pathOf(desk, 'members'))
  }, (refusal) => memberPage(desk, member, refusal))
}

function changeIn(member: Member, sent: URLSearchParams) {
  const role = readRole(sent.get('role') ?? '')
  return role === 'owner' || role !== member.role ? { role } : { role, areas: areasIn(sent) }
}

const linkNotice = (email: string, link: string): Html => notice({
  kind: 'good', title: `Send this link to ${email}`,
  says: html`It is shown once, works once and for 14 days. Whoever opens it becomes that member.<br><code class="copy">${link}</code>`,
})

type Told = { told?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function listPage(site: Site, desk: Workdesk, { told, refusal, sent }: Told = {}): Promise<Response> {
  const [members, invitations] = await Promise.all([listMembers(site.database, { tenant: desk.company.id }), listInvitations(site.database, desk.company.id)])
  return settingsPage(desk, 'members', 'Members', html`
${told ?? ''}
${table<Member>({
    caption: 'Members', rows: members, empty: 'Nobody yet.',
    columns: [
      { label: 'Name', cell: ({ user_id, name, deactivated_at }) => (deactivated_at === null ? html`<a href="${desk.path('settings', 'members', user_id)}">${name}</a>` : name) },
      { label: 'E-mail', cell: ({ email }) => html`<span class="mail">${email}</span>` },
      { label: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
      { label: 'State', cell: ({ deactivated_at }) => (deactivated_at === null ? status('Member', 'good') : status('Removed', 'ended')) },
    ],
  })}
${invitations.length === 0 ? '' : table<Invitation>({
    caption: 'Invited', rows: invitations, empty: '',
    columns: [
      { label: 'E-mail', cell: ({ email }) => html`<span class="mail">${email}</span>` }, { label: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
      { label: 'Until', cell: ({ expires_at }) => moment(expires_at, desk.company.timezone) },
      { label: 'Link', cell: ({ id }) => html`<form method="post" action="${desk.path('settings', 'invitations', id)}">${button({ label: 'Withdraw' })}</form>` },
    ],
  })}
${part('Invite somebody', html`
  <form class="form columns" method="post" action="${pathOf(desk, 'members')}">
    ${field({ name: 'email', label: 'E-mail', type: 'email', isRequired: true, value: sent?.get('email') ?? '' })}
    ${field({ name: 'name', label: 'Name', value: sent?.get('name') ?? '' })}
    ${select({ name: 'role', label: 'Role', options: ROLE_CHOICES, chosen: sent?.get('role') ?? 'tech' })}
    <p class="actions">${button({ label: 'Make a link', kind: 'main' })}</p>
  </form>`)}`, refusal)
}

const memberPage = (desk: Workdesk, { user_id, name, email, role, areas }: Member, refusal?: Refusal): Response => settingsPage(desk, 'members', name, html`
<section class="part">
  <h2>${name}</h2>
  <p class="help">${email}</p>
  <form class="form" method="post" action="${desk.path('settings', 'members', user_id)}">
    ${select({ name: 'role', label: 'Role', options: ROLE_CHOICES, chosen: role, help: 'Another role starts from what that role may usually do' })}
    ${role === 'owner' ? html`<p class="lead">An owner may do everything.</p>` : areaChoices({ ...DEFAULT_CEILINGS[role], ...areas })}
    <p class="actions">${button({ label: 'Save', kind: 'main' })}${linkButton('Leave it', pathOf(desk, 'members'), 'quiet')}</p>
  </form>
</section>
<section class="part">
  <form class="form" method="post" action="${desk.path('settings', 'members', user_id)}">
    <p class="help">Somebody who is removed is signed out of this company at once; their keys and apps stop. Their quotes go to an owner.</p>
    <p class="actions">${button({ label: `Remove ${name}`, kind: 'danger', name: 'act', value: 'remove' })}</p>
  </form>
</section>`, refusal)
