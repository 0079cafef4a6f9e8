import { randomBytes } from 'node:crypto'
import { readTenant, sql, writeTenant } from '../db/tenant.ts'
import type { Database, Db } from '../db/tenant.ts'
import { conflict, notFound } from '../refusal.ts'
import { newId } from '../shape/id.ts'
import { ceilingOf } from './areas.ts'
import type { Ceiling, Role } from './areas.ts'
import { audited } from './audit.ts'
import { readEmail, readName } from './inputs.ts'
import { hashOf } from './keys.ts'
import { addition, admit } from './people.ts'
import type { Added } from './people.ts'
import { hashPassword } from './passwords.ts'

/** How long a link can be used. */
const DAYS = 14

/** A person who was asked to become a member. */
export type Invitation = {
  id: string
  email: string
  name: string | null
  role: Role
  areas: Ceiling
  created_at: string
  expires_at: string
}

export type NewInvitation = { email: string; name: string | null; role: Role; areas?: Partial<Ceiling> | undefined }

/** An invitation as its link shows it. `mustSignIn`: the person has a password, or a place elsewhere, and proves to be who they are. */
export type Opened = Invitation & { tenant: string; company: string; mustSignIn: boolean }

const columns = sql`i.id, i.email, i.name, i.role, i.ceiling as areas, i.created_at, i.expires_at`
const open = sql`i.accepted_at is null and i.withdrawn_at is null`

/** Invites a person; one who was invited already gets a new link, and the old one ends. Answers the link's secret in clear, once. */
export async function invite(database: Database, tenant: string, given: NewInvitation, by: { user: string }): Promise<Invitation & { secret: string }> {
  const [email, name] = [readEmail(given.email), given.name === null ? null : readName(given.name, 'name', 100)]
  const ceiling = ceilingOf(given.role, given.areas)
  const [id, secret] = [newId(), randomBytes(32).toString('base64url')]
  const made = await writeTenant(database, { tenant }, async (db) => {
    const member = await db.maybe(sql`select m.user_id from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.deactivated_at is null and u.email = ${email}`)
    if (member !== undefined) throw conflict(`${email} is a member already`)
    await db.run(sql`update invitations i set withdrawn_at = moment() where i.tenant_id = ${db.tenant} and i.email = ${email} and ${open}`)
    const [invitation] = await Promise.all([
      db.one<Invitation>(sql`insert into invitations as i (tenant_id, id, email, name, role, ceiling, created_by, expires_at)
        values (${db.tenant}, ${id}, ${email}, ${name}, ${given.role}, ${ceiling}, ${by.user}, moment() + make_interval(days => ${DAYS})) returning ${columns}`),
      db.run(sql`insert into invitation_hashes (hash, tenant_id, invitation_id) values (${hashOf(secret)}, ${db.tenant}, ${id})`),
    ])
    return invitation
  }, () => [audited(tenant, by, 'members.invite', id, { email: [null, email], role: [null, given.role] })])
  return { ...made, secret }
}

/** Links that can still be used, newest first. */
export const listInvitations = (database: Database, tenant: string): Promise<Invitation[]> =>
  readTenant(database, { tenant }, (db) => db.all<Invitation>(sql`select ${columns} from invitations i
    where i.tenant_id = ${db.tenant} and ${open} and i.expires_at > moment() order by i.created_at desc, i.id`))

/** From now on the link opens nothing. */
export const withdrawInvitation = (database: Database, tenant: string, id: string, by: { user: string }): Promise<unknown> =>
  writeTenant(database, { tenant }, (db) => db.present(sql`update invitations i set withdrawn_at = moment()
    where i.tenant_id = ${db.tenant} and i.id = ${id} and ${open} returning i.id`, 'invitation'),
  () => [audited(tenant, by, 'members.uninvite', id, {})])

/** The invitation of a link; `not_found` when it was used, withdrawn or has expired. */
export async function openInvitation(database: Database, secret: string): Promise<Opened> {
  const tenant = await tenantOf(database, secret)
  return readTenant(database, { tenant }, (db) => presentInvitation(db, secret))
}

/** Accepts as the signed-in user, whose e-mail the invitation must name. */
export async function join(database: Database, secret: string, user: { id: string; email: string }): Promise<{ tenant: string }> {
  return accept(database, secret, (invitation) => {
    if (invitation.email !== user.email) throw conflict(`this invitation is for ${invitation.email}; sign in with that address`)
    return { email: user.email, name: user.email, password: null, hash: null, mustBeNew: false }
  })
}

/** Accepts as a new person with a name and a password. Answers the user, who may be signed in now. */
export async function joinAnew(database: Database, secret: string, given: { name: string; password: string }): Promise<{ tenant: string; user: string }> {
  const [name, hash] = [readName(given.name, 'name', 100), await hashPassword(given.password)]
  return accept(database, secret, ({ email, mustSignIn }) => {
    if (mustSignIn) throw conflict(`${email} has a sign-in already; sign in to accept`)
    return { email, name, password: null, hash, mustBeNew: false }
  })
}

type Person = Parameters<typeof admit>[1]

async function accept(database: Database, secret: string, personOf: (invitation: Opened) => Person): Promise<{ tenant: string; user: string }> {
  const tenant = await tenantOf(database, secret)
  const { added } = await writeTenant(database, { tenant }, async (db) => {
    await db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)
    const invitation = await presentInvitation(db, secret)
    const person = personOf(invitation)
    const added: Added = await admit(db, person, invitation.role, invitation.areas)
    if (person.hash !== null) await db.run(sql`update users set name = ${person.name}, password_hash = ${person.hash} where id = ${added.user_id}`)
    await db.run(sql`update invitations i set accepted_at = moment() where i.tenant_id = ${db.tenant} and i.id = ${invitation.id}`)
    return { added }
  }, ({ added }) => [addition(tenant, { user: added.user_id }, added)])
  return { tenant, user: added.user_id }
}

async function tenantOf(database: Database, secret: string): Promise<string> {
  const [answer] = await database.send([sql`select tenant_id from invitation_hashes where hash = ${hashOf(secret)}`])
  const found = answer!.rows[0] as { tenant_id: string } | undefined
  if (found === undefined) throw notFound('invitation')
  return found.tenant_id
}

/** Whoever holds the link is the person only where nothing else hangs on the account: no password, no other company. */
const presentInvitation = (db: Db, secret: string): Promise<Opened> => db.present<Opened>(sql`
  select ${columns}, i.tenant_id as tenant, t.name as company, u.id is not null and (u.password_hash is not null
    or exists (select from user_tenants o where o.user_id = u.id and o.tenant_id <> i.tenant_id)) as "mustSignIn"
  from invitations i join invitation_hashes h on h.tenant_id = i.tenant_id and h.invitation_id = i.id join tenants t on t.id = i.tenant_id
    left join users u on u.email = i.email
  where i.tenant_id = ${db.tenant} and h.hash = ${hashOf(secret)} and ${open} and i.expires_at > moment()`, 'invitation')
