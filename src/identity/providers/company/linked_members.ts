import { sql, type Db } from '../../../platform/db/tenant.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { notifySecondAccount } from '../owner_notices.ts'
import type { ProvidedIdentity } from '../provider.ts'

/** Finds the member of a name there, and notes its use. */
export const findLinkedMember = (
  db: Db,
  { issuer, subject }: ProvidedIdentity,
): Promise<{ user: string; isPresent: boolean } | undefined> =>
  db.maybe(sql`
    update company_identities i set used_at = moment() from members m
    where i.tenant_id = ${db.tenant} and i.issuer = ${issuer} and i.subject = ${subject}
      and m.tenant_id = i.tenant_id and m.user_id = i.user_id
    returning i.user_id as user, m.deactivated_at is null as "isPresent"`)

/**
 * Links a name there to a member; where the member came by another one before, the member and the owners are notified.
 */
export async function linkAccount(db: Db, user: string, identity: ProvidedIdentity, origin: Origin): Promise<void> {
  const { issuer, subject, email } = identity
  const other = await db.maybe(
    sql`select from company_identities where tenant_id = ${db.tenant} and user_id = ${user} limit 1`,
  )
  if (other !== undefined) await notifySecondAccount(db, user, identity)
  await Promise.all([
    db.run(sql`insert into company_identities (tenant_id, issuer, subject, user_id, email)
      values (${db.tenant}, ${issuer}, ${subject}, ${user}, ${email}) on conflict do nothing`),
    db.run(logAccountEvent({ user, kind: 'company_provider_linked', origin, about: { issuer, company: db.tenant } })),
  ])
}

/**
 * Lets go of a name there whose member left: whoever has it now is known by their address, as anybody who comes first.
 */
export const unlinkAccount = (db: Db, { issuer, subject }: ProvidedIdentity): Promise<number> =>
  db.run(
    sql`delete from company_identities where tenant_id = ${db.tenant} and issuer = ${issuer} and subject = ${subject}`,
  )
