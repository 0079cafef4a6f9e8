import {
  byArea,
  AREA_NAMES,
  levelUnder,
  parseAreas,
  parseRole,
  type Ceiling,
} from '../../identity/permissions/areas.ts'
import { resetFactors } from '../../identity/factors/factors.ts'
import { addOrInviteMember } from '../../identity/people/invitations/add_or_invite.ts'
import { findMember, listMembers, removeMember, changeMember, type Member } from '../../identity/people/people.ts'
import { resetPassword } from '../../identity/people/recovery/own_password.ts'
import { signOutPeople } from '../../identity/sign_in/own_sessions.ts'
import { newPassword } from '../../identity/sign_in/passwords/passwords.ts'
import type { ActiveAccess } from '../../identity/people/active_access.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import { findUser } from '../../identity/people/users.ts'
import type { Database, TenantEntry } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { viewAccount, toInvitationView } from './account.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { withCompany, withDatabase } from '../with_database.ts'
import { readPassword, passwordLine } from './password.ts'

const tenant = { value: '<id>', required: true, description: 'Id of the company' } as const
const user = { value: '<email or id>', required: true, also: 'email', description: 'Member' } as const
const areas = {
  value: '<area=level,…>',
  description: `Levels (None, View or Edit) of areas: ${AREA_NAMES.join(', ')}`,
} as const

export const memberCommands = [
  command({
    name: 'member add',
    description:
      'Adds a person to a company. If their account is unverified and from another company, ' +
      'prints a link to join with a new password.',
    options: {
      tenant,
      email: {
        value: '<email>',
        required: true,
        description: 'Address of the person, who becomes a new user if nobody has it',
      },
      role: { value: '<role>', required: true, description: 'Role: owner, office or tech' },
      name: { value: '<name>', description: 'Name of a new user (requested at the first sign-in)' },
      password: {
        value: '<password>',
        description: 'Password of a new user, 12 characters or more; - reads it from standard input (random)',
      },
      areas: { ...areas, description: `${areas.description} (those of the role)` },
    },
    run: async ({ tenant, email, name, ...options }) => {
      const role = parseRole(options.role)
      const levels = options.areas === undefined ? undefined : parseAreas(options.areas)
      const password = await readPassword(options.password)
      return withDatabase(async ({ database }, { baseUrl }) => {
        const { id } = await findTenant(database, tenant)
        const { existing, ...addition } = await addOrInviteMember(
          database,
          { tenant: id },
          { email, name, role, areas: levels, password },
        )
        const account = await viewAccount(database, existing)
        if ('invitation' in addition) {
          const { link, ...invitation } = toInvitationView(addition.invitation, baseUrl)
          return {
            json: { tenant_id: id, ...invitation, link, ...account.json },
            text: alignColumns([['Invited', invitation.email], ['Role', role], ...account.rows, ['Link', link]]),
          }
        }
        const { password: generated, ...member } = addition.added
        return {
          json: {
            tenant_id: id,
            ...toMemberView(member),
            ...(generated === null ? {} : { password: generated }),
            ...account.json,
          },
          text: `${formatMember(member)}\n${alignColumns([...account.rows, ['Password', passwordLine(generated, { chosen: password !== 'generated' })]])}`,
        }
      })
    },
  }),
  command({
    name: 'member list',
    description: 'Lists the members of a company, including removed ones.',
    options: { tenant },
    run: async ({ tenant }) => {
      const members = await withCompany(tenant, (database, { id }) => listMembers(database, { tenant: id }))
      const rows = members.map(({ user_id, name, email, role, deactivated_at }) => [
        user_id,
        name,
        email,
        role,
        deactivated_at === null ? 'active' : `removed ${deactivated_at.slice(0, 10)}`,
      ])
      return {
        json: members.map(toMemberView),
        text: formatTable(['ID', 'NAME', 'EMAIL', 'ROLE', 'STATE'], rows, 'No members.'),
      }
    },
  }),
  command({
    name: 'member set',
    description: "Changes a member's role, areas or both. A new role starts with its default areas.",
    options: { tenant, user, role: { value: '<role>', description: 'Role: owner, office or tech' }, areas },
    anyOf: ['role', 'areas'],
    run: async ({ tenant, user, ...options }) => {
      const role = options.role === undefined ? undefined : parseRole(options.role)
      const levels = options.areas === undefined ? undefined : parseAreas(options.areas)
      return changeAndReport(tenant, user, (database, entry, id) =>
        changeMember(database, entry, id, { role, areas: levels }),
      )
    },
  }),
  command({
    name: 'member password',
    description:
      'Sets a new password for a person in all their companies, signs them out everywhere and unlinks outside accounts. ' +
      'Reports how many keys and apps still work.',
    options: {
      user: { ...user, description: 'Person' },
      password: {
        value: '<password>',
        description: 'New password, 12 characters or more; - reads it from standard input (random)',
      },
      'keys-and-apps': {
        value: '<end or keep>',
        description: 'Whether to end or keep their API keys and connected apps (keep)',
      },
    },
    run: async ({ user, 'keys-and-apps': keysAndApps = 'keep', ...options }) => {
      if (keysAndApps !== 'end' && keysAndApps !== 'keep')
        throw invalidField('keys-and-apps', `must be end or keep (got '${keysAndApps}')`)
      const first = await readPassword(options.password)
      const password = typeof first === 'object' ? first.chosen : newPassword()
      const person = await withDatabase(async ({ database }) => {
        const account = await findUser(database, user)
        return {
          ...account,
          left: await resetPassword(database, account.id, password, { endsStanding: keysAndApps === 'end' }),
        }
      })
      const generated = typeof first === 'object' ? null : password
      return {
        json: { ...person, ...(generated === null ? {} : { password }) },
        text:
          `${person.email}\nPassword  ` +
          `${passwordLine(generated, { chosen: generated === null })}\n${activeAccessLine(person.left)}`,
      }
    },
  }),
  command({
    name: 'member sign-out',
    description: 'Ends all sessions of a person, or of everybody. Keeps passwords, keys and apps.',
    options: {
      user: { value: user.value, also: user.also, description: 'Person' },
      everybody: { value: '<yes>', description: 'Whether to sign out everybody' },
    },
    anyOf: ['user', 'everybody'],
    run: async ({ user, everybody }) => {
      if (everybody !== undefined && (everybody !== 'yes' || user !== undefined))
        throw invalidField('everybody', `must be yes, without user (got '${everybody}')`)
      const ended = await withDatabase(async ({ database }) =>
        signOutPeople(database, user === undefined ? null : (await findUser(database, user)).id),
      )
      return { json: ended, text: `Sessions ended  ${ended.sessions}\nPeople          ${ended.people}` }
    },
  }),
  command({
    name: 'member factors reset',
    description:
      'Removes every passkey, authenticator app, recovery code and linked account of a person who lost them, ' +
      'and signs them out everywhere.',
    options: { user: { ...user, description: 'Person' } },
    run: async ({ user }) => {
      const { had, ...person } = await withDatabase(async ({ database }) => {
        const account = await findUser(database, user)
        return { ...account, had: await resetFactors(database, account.id) }
      })
      return {
        json: {
          ...person,
          passkeys: had.passkeys,
          authenticator: had.hasTotp,
          linked: had.linked,
          password: had.hasPassword,
        },
        text:
          `${person.email}\nRemoved  ${had.passkeys} passkey(s), ${had.hasTotp ? 'an' : 'no'} authenticator app, ` +
          `${had.linked} linked account(s)\n${had.hasPassword ? 'They sign in with their password.' : 'They have no password. To set one, run callout member password.'}`,
      }
    },
  }),
  command({
    name: 'member remove',
    description: "Ends a membership and revokes the member's keys. The person can be added again.",
    options: { tenant, user },
    run: ({ tenant, user }) => changeAndReport(tenant, user, removeMember),
  }),
]

/** Returns the line on keys and apps that still work without the password. */
const activeAccessLine = ({ keys, apps }: ActiveAccess): string =>
  keys + apps === 0
    ? 'No API keys or connected apps still work.'
    : `API keys that still work: ${keys}; connected apps: ${apps}. To end them, add --keys-and-apps end.`

type MemberChange = (database: Database, entry: TenantEntry, user: string) => Promise<Member>

async function changeAndReport(tenant: string, user: string, change: MemberChange): Promise<Report> {
  const member = await withCompany(tenant, async (database, { id }) => {
    const { user_id } = await findMember(database, { tenant: id }, user)
    return change(database, { tenant: id }, user_id)
  })
  return { json: toMemberView(member), text: formatMember(member) }
}

/** Returns a member with the areas in the order of the consent screen. */
const toMemberView = ({ areas, ...member }: Member): Member => ({ ...member, areas: sortAreas(areas) })

const sortAreas = (areas: Ceiling): Ceiling => byArea((area) => levelUnder(areas, area))

const formatMember = ({ user_id, name, email, role, areas, deactivated_at }: Member): string =>
  alignColumns([
    ['Member', `${name} <${email}>`],
    ['Id', user_id],
    ['Role', role],
    ...(deactivated_at === null
      ? AREA_NAMES.map((area, i) => [i === 0 ? 'May' : '', `${levelUnder(areas, area)} ${area}`])
      : [['Removed', deactivated_at]]),
  ])
