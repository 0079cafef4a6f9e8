import { sql, type Db } from '../../../platform/db/tenant.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { notifySecondAccount } from '../owner_notices.ts'
import type { ProvidedIdentity } from '../provider.ts'

/** Finds the member linked to a provider's account, and records its use. */
export const findLinkedMember = (
  db: Db,
  { issuer, subject }: ProvidedIdentity,
): Promise<{ user: string; isPresent: boolean } | undefined> =>
  db.maybe(sql`
    update company_identities i set used_at = moment() from members m
    where i.tenant_id = ${db.tenant} and i.issuer = ${issuer} and i.subject = ${subject}
      and m.tenant_id = i.tenant_id and m.user_id = i.user_id
    returning i.user_id as user, m.deactivated_at is null as "isPresent"`)

/** Links a provider's account to a member. If another one was linked before, notifies the member and the owners. */
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

/** Unlinks a provider's account whose member left. Its current holder is identified by address, like any new person. */
export const unlinkAccount = (db: Db, { issuer, subject }: ProvidedIdentity): Promise<number> =>
  db.run(
    sql`delete from company_identities where tenant_id = ${db.tenant} and issuer = ${issuer} and subject = ${subject}`,
  )
