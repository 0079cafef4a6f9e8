import { readTenant, sql, writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { Frozen } from '../../../platform/errors/refusal.ts'
import { findOrCreateAccount, type Account } from '../../people/accounts.ts'
import { auditAddedMember, enrollMember, type Member } from '../../people/people.ts'
import type { Ceiling, Role } from '../../permissions/areas.ts'
import { readName } from '../../inputs.ts'
import type { Origin } from '../../security/account_events.ts'
import { signInBoundPerson, type BoundSignInResult, type SignInOrigin } from '../../sign_in/complete_sign_in.ts'
import { selectPerson, type RecognizedPerson, type Session, type SignInMethod } from '../../sign_in/sessions.ts'
import type { ProvidedIdentity } from '../provider.ts'
import { linkOwnAccount } from './company_join.ts'
import { findLinkedMember, linkAccount, unlinkAccount } from './linked_members.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/**
 * Reason for a failed sign-in: the provider verified no address, no member has it, an open invitation is for an account
 * that isn't the company's or in a frozen company, the provider is off, or the user's sessions ended meanwhile.
 */
export type CompanyRefusal = 'unverified' | 'unknown' | 'theirs' | 'frozen' | 'off' | 'ended'

/**
 * Signs in the person whom a company's own provider identified, for that company only. It looks for a member's linked
 * account, then an active member's verified address, then an open invitation. If the provider doesn't report whether an
 * address is verified, `ownSession`, a session of that address in the same browser, vouches for it. The owners control
 * the provider, which may claim anything, so nothing else of an account changes: no verification, factor or browser.
 */
export async function signInByCompany(
  database: Database,
  tenant: string,
  identity: ProvidedIdentity,
  origin: SignInOrigin,
  ownSession: Session | null = null,
): Promise<BoundSignInResult | { refused: CompanyRefusal }> {
  const recognition = await recognizePerson(database, tenant, identity, { origin, ownSession })
  if ('refused' in recognition) return recognition
  const methods: SignInMethod[] = [identity.methods.includes('mfa') ? 'company_mfa' : 'company']
  const bound = { boundTo: tenant, recognizedAt: identity.recognizedAt }
  return (await signInBoundPerson(database, recognition.person, methods, { bound, origin })) ?? { refused: 'ended' }
}

type Browser = { origin: Origin; ownSession: Session | null }

type MemberRecognition = { person: RecognizedPerson; joined?: Member } | { refused: CompanyRefusal }

/** Identifies a person. In a frozen company, where nothing is written, it identifies existing members only. */
async function recognizePerson(
  database: Database,
  tenant: string,
  identity: ProvidedIdentity,
  browser: Browser,
): Promise<MemberRecognition> {
  try {
    return await writeTenant(
      database,
      { tenant },
      async (db) => recognizeOrJoin(db, identity, browser),
      (outcome) =>
        'joined' in outcome && outcome.joined !== undefined
          ? [auditAddedMember(tenant, { user: outcome.joined.user_id }, outcome.joined)]
          : [],
    )
  } catch (error) {
    if (!(error instanceof Frozen)) throw error
    return readTenant(database, { tenant }, (db) => recognizePresentMember(db, identity))
  }
}

/** Identifies an active member in the same order, without writing. */
async function recognizePresentMember(
  db: Db,
  { issuer, subject, email }: ProvidedIdentity,
): Promise<MemberRecognition> {
  const [provider, linked, member, invitation] = await Promise.all([
    db.maybe(
      sql`select version from company_providers
        where tenant_id = ${db.tenant} and on_since is not null and issuer = ${issuer}`,
    ),
    db.maybe<{ user: string }>(sql`
      select i.user_id as user from company_identities i
      join members m on m.tenant_id = i.tenant_id and m.user_id = i.user_id
      where i.tenant_id = ${db.tenant} and i.issuer = ${issuer} and i.subject = ${subject}
        and m.deactivated_at is null`),
    memberOf(db, email),
    findOpenInvitation(db, email),
  ])
  if (provider === undefined) return { refused: 'off' }
  const user = linked?.user ?? member?.user
  if (user !== undefined) return { person: await personOf(db, user) }
  if (email === null) return { refused: 'unverified' }
  return { refused: invitation === undefined ? 'unknown' : 'frozen' }
}

async function recognizeOrJoin(
  db: Db,
  identity: ProvidedIdentity,
  { origin, ownSession }: Browser,
): Promise<MemberRecognition> {
  const provider = await db.maybe(
    sql`select version from company_providers
      where tenant_id = ${db.tenant} and on_since is not null and issuer = ${identity.issuer} for share`,
  )
  if (provider === undefined) return { refused: 'off' }
  const before = await findLinkedMember(db, identity)
  if (before?.isPresent === true) return { person: await personOf(db, before.user) }
  if (before !== undefined) await unlinkAccount(db, identity)
  if (identity.email === null) {
    const user = ownSession && (await linkOwnAccount(db, ownSession, identity, origin))
    return user === null ? { refused: 'unverified' } : { person: await personOf(db, user) }
  }
  const member = await memberOf(db, identity.email)
  if (member !== undefined) {
    await linkAccount(db, member.user, identity, origin)
    return { person: await personOf(db, member.user) }
  }
  return acceptOpenInvitation(db, identity, origin)
}

const memberOf = (db: Db, email: string | null): Promise<{ user: string } | undefined> =>
  db.maybe(sql`
    select u.id as user from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null and u.email = ${email}`)

const personOf = (db: Db, user: string): Promise<RecognizedPerson> => db.one<RecognizedPerson>(selectPerson(user))

type OpenInvitation = { id: string; name: string | null; role: Role; areas: Ceiling }

const findOpenInvitation = (db: Db, email: string | null): Promise<OpenInvitation | undefined> =>
  db.maybe(sql`
    select id, name, role, ceiling as areas from invitations
    where tenant_id = ${db.tenant} and email = ${email} and accepted_at is null and withdrawn_at is null
      and expires_at > moment() order by created_at desc, id desc limit 1`)

/**
 * Accepts an open invitation for the address. An account that somebody else vouches for, or that belongs elsewhere, is
 * its user's own: they sign in to accept.
 */
async function acceptOpenInvitation(db: Db, identity: ProvidedIdentity, origin: Origin): Promise<MemberRecognition> {
  const email = requireValue(identity.email, 'The address of an invited person')
  await db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)
  const invitation = await findOpenInvitation(db, email)
  if (invitation === undefined) return { refused: 'unknown' }
  const name = chooseName(identity.name, invitation.name, email)
  const account = await findOrCreateAccount(db, { email, name, hash: null }, { isVouched: false })
  if (!account.isNew && !isOwnedByCompany(account, db.tenant)) return { refused: 'theirs' }
  const joined = await enrollMember(db, { id: account.id, email }, invitation.role, invitation.areas)
  await db.run(
    sql`update invitations set accepted_at = moment() where tenant_id = ${db.tenant} and id = ${invitation.id}`,
  )
  await linkAccount(db, account.id, identity, origin)
  return { person: await personOf(db, account.id), joined }
}

/** Checks whether an account is a company's own: its address is unverified, and it belongs nowhere else. */
const isOwnedByCompany = (
  { isVerified, isVouched, isOperator, isInOtherCompany, createdThrough }: Account,
  tenant: string,
): boolean => !isVerified && !isVouched && !isOperator && !isInOtherCompany && createdThrough === tenant

/** Returns a person's name: from the provider if it is valid, else from the invitation or the address. */
function chooseName(provided: string | null, invited: string | null, email: string): string {
  const address = email.slice(0, email.indexOf('@')).slice(0, 100)
  try {
    return readName(provided ?? invited ?? address, 'name', 100)
  } catch {
    return invited ?? address
  }
}
