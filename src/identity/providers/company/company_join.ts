import { readTenant, sql, writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { findInvitation, joinCompany } from '../../people/invitations/invitations.ts'
import { refusals as invitationRefusals } from '../../people/invitations/refusals.ts'
import { isUnclaimed } from '../../people/recovery/claim_account.ts'
import type { Origin } from '../../security/account_events.ts'
import type { Session } from '../../sign_in/sessions.ts'
import type { ProvidedIdentity } from '../provider.ts'
import { findLinkedMember, linkAccount, unlinkAccount } from './linked_members.ts'
import { refusals } from './refusals.ts'

/**
 * Accepts a company's invitation as the signed-in user, whom the company's own provider has just identified in the same
 * browser, and links the two at once: the session vouches for an address that the provider leaves unverified.
 */
export async function joinByCompany(
  database: Database,
  { tenant, secret }: { tenant: string; secret: string },
  session: Session,
  identity: ProvidedIdentity,
  origin: Origin,
): Promise<void> {
  const invitation = await findInvitation(database, secret)
  if (invitation.tenant !== tenant) throw conflict(refusals.otherCompany())
  if ((identity.email ?? identity.unconfirmed) !== invitation.email)
    throw conflict(invitationRefusals.otherAccount({ email: invitation.email }))
  await readTenant(database, { tenant }, (db) => requireFreeSubject(db, identity, session.user.id))
  await joinCompany(database, secret, session, { password: '' }, origin)
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      const before = await findLinkedMember(db, identity)
      if (before?.isPresent === true) return
      if (before !== undefined) await unlinkAccount(db, identity)
      await linkOwnAccount(db, session, identity, origin)
    },
    () => [],
  )
}

/** Requires that the provider is on, and that its account belongs to no other member. */
async function requireFreeSubject(db: Db, { issuer, subject }: ProvidedIdentity, user: string): Promise<void> {
  const [provider, other] = await Promise.all([
    db.maybe(sql`select from company_providers
      where tenant_id = ${db.tenant} and issuer = ${issuer} and on_since is not null`),
    db.maybe(sql`select from company_identities i join members m on m.tenant_id = i.tenant_id and m.user_id = i.user_id
      where i.tenant_id = ${db.tenant} and i.issuer = ${issuer} and i.subject = ${subject} and i.user_id <> ${user}
        and m.deactivated_at is null`),
  ])
  if (provider === undefined) throw conflict(refusals.turnedOff())
  if (other !== undefined) throw conflict(refusals.linkedElsewhere())
}

/**
 * Links an account at the company's provider to the member who is signed in under the same address, unless the provider
 * reports the address as unverified or somebody else may have access to the member's account. Returns the member.
 */
export async function linkOwnAccount(
  db: Db,
  { id: session, user: { id: user, email } }: Pick<Session, 'id' | 'user'>,
  identity: ProvidedIdentity,
  origin: Origin,
): Promise<string | null> {
  if ((identity.email ?? identity.unconfirmed) !== email) return null
  const member = await db.maybe(sql`select from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.user_id = ${user} and m.deactivated_at is null and u.email = ${email}
      and not ${isUnclaimed} and exists (select 1 from sessions s where s.id = ${session} and s.user_id = u.id)`)
  if (member === undefined) return null
  await linkAccount(db, user, { ...identity, email }, origin)
  return user
}
