import { randomBytes } from 'node:crypto'
import {
  rowsOf,
  onlyRow,
  readTenant,
  sql,
  writeTenant,
  type Database,
  type Db,
  type Sql,
} from '../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { findOrCreateAccount, type InvitationLinkKind } from '../accounts.ts'
import { claimAccountIn, isUnclaimed } from '../recovery/claim_account.ts'
import { ceilingOf, type Ceiling, type Role } from '../../permissions/areas.ts'
import { auditChange, type Actor } from '../../audit.ts'
import { selectPerson, type RecognizedPerson } from '../../sign_in/sessions.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { readEmail, readName } from '../../inputs.ts'
import { hashOf } from '../../credentials/secret_hash.ts'
import { refusals as peopleRefusals } from '../refusals.ts'
import { auditAddedMember, enrollMember, nameInAddress } from '../people.ts'
import type { Origin } from '../../security/account_events.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { admitByLink, markEmailVerified, readSignIn, type ChosenSignIn, type JoinInput } from './new_sign_in.ts'
import { refusals } from './refusals.ts'

/** Days until a link expires. */
export const INVITATION_DAYS = 14

/** Returns the secret of a new link, 256 random bits. */
export const newInvitationSecret = (): string => randomBytes(32).toString('base64url')

/** Invitation to become a member. */
export type Invitation = {
  id: string
  email: string
  name: string | null
  role: Role
  areas: Ceiling
  created_at: string
  expires_at: string
  /** Time its link was last mailed; null if it was only displayed. */
  mailed_at: string | null
}

export type NewInvitation = { email: string; name: string | null; role: Role; areas?: Partial<Ceiling> | undefined }

/** New invitation with its link's secret in clear text, shown once. */
export type IssuedInvitation = Invitation & { secret: string }

/**
 * Invitation as its link shows it, the same for an address that already has an account. `startsOver`: for an account
 * that another company created. `isMailed`: only the owner of the address has seen this link.
 */
export type InvitationView = Invitation & { tenant: string; company: string } & InvitationLinkKind

const columns = sql`i.id, i.email, i.name, i.role, i.ceiling as areas, i.created_at, i.expires_at, i.mailed_at`
const isOpen = sql`i.accepted_at is null and i.withdrawn_at is null`

/** Invites a person; a repeated invitation replaces the link. Returns the link's secret in clear text, once. */
export async function invitePerson(
  database: Database,
  tenant: string,
  input: NewInvitation,
  by: { user: string },
): Promise<IssuedInvitation> {
  const [email, name] = [readEmail(input.email), input.name === null ? null : readName(input.name, 'name', 100)]
  const ceiling = ceilingOf(input.role, input.areas)
  return writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const member = await db.maybe(sql`select m.user_id from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.deactivated_at is null and u.email = ${email}`)
      if (member !== undefined) throw conflict(peopleRefusals.alreadyMember({ email }))
      return createInvitation(db, { email, name, role: input.role, ceiling, startsOver: false }, by)
    },
    (invitation) => [auditInvitation(tenant, by, invitation)],
  )
}

type InvitationRequest = { email: string; name: string | null; role: Role; ceiling: Ceiling; startsOver: boolean }

/** Creates a link, and withdraws an open one. */
export async function createInvitation(
  db: Db,
  { email, name, role, ceiling, startsOver }: InvitationRequest,
  by: Actor,
): Promise<IssuedInvitation> {
  const [id, secret] = [newId(), newInvitationSecret()]
  await withdrawOpenInvitations(db, email)
  const [invitation] = await Promise.all([
    db.one<Invitation>(sql`insert into invitations as i (tenant_id, id, email, name, role, ceiling, created_by,
        expires_at, starts_over)
      values (${db.tenant}, ${id}, ${email}, ${name}, ${role}, ${ceiling}, ${by?.user ?? null},
        moment() + make_interval(days => ${INVITATION_DAYS}), ${startsOver})
      returning ${columns}`),
    db.run(
      sql`insert into invitation_hashes (hash, tenant_id, invitation_id)
        values (${hashOf(secret)}, ${db.tenant}, ${id})`,
    ),
  ])
  return { ...invitation, secret }
}

/** Returns the audit row of a new invitation. */
export const auditInvitation = (tenant: string, by: Actor, { id, email, role }: Invitation) =>
  auditChange(tenant, by, 'members.invite', id, { email: [null, email], role: [null, role] })

/** Withdraws the open link of a person who became a member in another way. */
export const withdrawOpenInvitations = (db: Db, email: string): Promise<number> =>
  db.run(
    sql`update invitations i set withdrawn_at = moment()
      where i.tenant_id = ${db.tenant} and i.email = ${email} and ${isOpen}`,
  )

/** Lists open invitations, newest first. */
export const listInvitations = (database: Database, tenant: string): Promise<Invitation[]> =>
  readTenant(database, { tenant }, (db) =>
    db.all<Invitation>(sql`select ${columns} from invitations i
    where i.tenant_id = ${db.tenant} and ${isOpen} and i.expires_at > moment() order by i.created_at desc, i.id`),
  )

/** Withdraws an invitation, so that its link stops working. */
export const withdrawInvitation = (
  database: Database,
  tenant: string,
  id: string,
  by: { user: string },
): Promise<unknown> =>
  writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      return db.present(
        sql`update invitations i set withdrawn_at = moment()
      where i.tenant_id = ${db.tenant} and i.id = ${id} and ${isOpen} returning i.id`,
        'invitation',
      )
    },
    () => [auditChange(tenant, by, 'members.uninvite', id, {})],
  )

/** Returns a link's invitation. Throws `not_found` if it was used, withdrawn or has expired. */
export async function findInvitation(database: Database, secret: string): Promise<InvitationView> {
  const tenant = await tenantOf(database, secret)
  return readTenant(database, { tenant }, (db) => presentInvitation(db, secret))
}

/**
 * Accepts an invitation as the signed-in user, whose email address it must name. If that claims their account, they
 * choose a new sign-in, every session ends, and `isClaimed` is true: the browser needs a new session.
 */
export async function joinCompany(
  database: Database,
  secret: string,
  { id: session, user }: { id: string; user: { id: string; email: string } },
  chosen: ChosenSignIn,
  origin?: Origin,
): Promise<JoinedPerson & { isClaimed: boolean }> {
  const { company, email: invitedAs } = await findInvitation(database, secret)
  const isClaiming = invitedAs === user.email && (await isClaimingAccount(database, secret, user.id))
  const next = isClaiming ? await readSignIn(chosen, { ...user, name: '', companies: [company] }) : null
  const joined = await acceptInvitation(database, secret, async (db, { email, startsOver, isMailed }) => {
    if (email !== user.email) throw conflict(refusals.otherAddress({ email }))
    if (startsOver) throw conflict(refusals.startsOver())
    const { claims } = await db.one<{ claims: boolean }>(selectClaim(user.id, isMailed, db.tenant))
    if (claims && next === null) throw conflict(refusals.accountChanged())
    if (claims && next !== null) await claimAccountIn(db, user.id, { next, session, origin })
    if (isMailed) await markEmailVerified(db, { id: user.id, email })
    return user.id
  })
  if (isClaiming) emitAccessChange(user.id)
  return { ...joined, isClaimed: isClaiming }
}

/** Checks whether accepting while signed in claims the user's account. */
export async function isClaimingAccount(database: Database, secret: string, user: string): Promise<boolean> {
  const { tenant, isMailed } = await findInvitation(database, secret)
  const [result] = await database.send([selectClaim(user, isMailed, tenant)])
  return onlyRow(result).claims
}

/**
 * Locks an account, and checks whether an invitation claims it: one from a company that didn't create the account, or a
 * mailed one, which verifies the address.
 */
const selectClaim = (user: string, isMailed: boolean, tenant: string): Sql<{ claims: boolean }> =>
  sql`select ${isUnclaimed} and (${isMailed} or u.made_through is distinct from ${tenant}::uuid) as claims from users u
    where u.id = ${user} for no key update`

/** User who joined, and the company; the link identifies them. */
type JoinedPerson = RecognizedPerson & { tenant: string }

/**
 * Accepts an invitation with a name and a password or a passkey, for a new user or one who starts over. Returns the
 * user, who may be signed in now. Throws `conflict` if the account may not start over: its owner signs in to accept.
 */
export async function joinWithNewSignIn(
  database: Database,
  secret: string,
  input: JoinInput,
  origin?: Origin,
): Promise<JoinedPerson & { isClaimed: boolean }> {
  const { email, company } = await findInvitation(database, secret)
  const name = readName(input.name, 'name', 100)
  const next = await readSignIn(input, { email, name, companies: [company] })
  let isClaimed = false
  const joined = await acceptInvitation(database, secret, async (db, link) => {
    const admitted = await admitByLink(db, { email, name, next }, link, origin)
    isClaimed = admitted.isClaimed
    return admitted.id
  })
  emitAccessChange(joined.user)
  return { ...joined, isClaimed }
}

/** Accepts an invitation for a new user from an identity provider, without a password. Returns the user to sign in. */
export const joinByProvider = (
  database: Database,
  secret: string,
  { email, name }: { email: string; name: string | null },
): Promise<JoinedPerson> =>
  acceptInvitation(database, secret, async (db, invitation) => {
    if (email !== invitation.email) throw conflict(refusals.otherAccount({ email: invitation.email }))
    const ownName = name ?? invitation.name
    const person = {
      email,
      name: readName(ownName ?? nameInAddress(email), 'name', 100),
      isNameAssumed: ownName === null,
    }
    return (await findOrCreateAccount(db, { ...person, hash: null }, { isVouched: false })).id
  })

async function acceptInvitation(
  database: Database,
  secret: string,
  findUser: (db: Db, invitation: InvitationView) => Promise<string>,
): Promise<JoinedPerson> {
  const tenant = await tenantOf(database, secret)
  const { person } = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)
      const invitation = await presentInvitation(db, secret)
      const id = await findUser(db, invitation)
      const member = await enrollMember(db, { id, email: invitation.email }, invitation.role, invitation.areas)
      await db.run(
        sql`update invitations i set accepted_at = moment()
          where i.tenant_id = ${db.tenant} and i.id = ${invitation.id}`,
      )
      return { member, person: await db.one<RecognizedPerson>(selectPerson(id)) }
    },
    ({ member }) => [auditAddedMember(tenant, { user: member.user_id }, member)],
  )
  return { tenant, ...person }
}

async function tenantOf(database: Database, secret: string): Promise<string> {
  const [row] = await rowsOf(
    database.send,
    sql<{ tenant_id: string }>`select tenant_id from invitation_hashes where hash = ${hashOf(secret)}`,
  )
  if (row === undefined) throw notFound('invitation')
  return row.tenant_id
}

const presentInvitation = (db: Db, secret: string): Promise<InvitationView> =>
  db.present<InvitationView>(
    sql`
  select ${columns}, i.tenant_id as tenant, t.name as company, h.is_mailed as "isMailed",
    i.starts_over and not exists (select 1 from users u where u.email = i.email and (u.proved_at is not null
      or exists (select 1 from operators o where o.user_id = u.id))) as "startsOver"
  from invitations i join invitation_hashes h on h.tenant_id = i.tenant_id and h.invitation_id = i.id
  join tenants t on t.id = i.tenant_id
  where i.tenant_id = ${db.tenant} and h.hash = ${hashOf(secret)} and ${isOpen} and i.expires_at > moment()`,
    'invitation',
  )
