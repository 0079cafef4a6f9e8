import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { isUnclaimed } from './recovery/claim_account.ts'

/** Describes the account of an address, locked until the transaction ends. */
export type Account = {
  id: string
  /** True when it was created in this transaction. */
  isNew: boolean
  since: string
  /** Names the company through which the account was made, or by whose link it started over. */
  through: string | null
  /** True when the operator set its password. */
  isVouched: boolean
  /** True when nobody can sign in with it yet: it has no password, no passkey and no account at a provider. */
  isBare: boolean
  /** True when its person has confirmed the address. */
  isProved: boolean
  /** True when somebody else may have a way in (docs/spec/oauth.md#claiming). */
  isUnclaimed: boolean
  isOperator: boolean
  /** True when it belongs, or belonged, to a company other than the transaction's. */
  isElsewhere: boolean
}

/** `isNameAssumed`: nobody gave the name, and its person is asked for it. */
type NewAccount = { email: string; name: string; isNameAssumed?: boolean; hash: string | null }

/**
 * Returns the account of an address, made when there is none; of two that make it at once, the second finds the first
 * one's.
 */
export async function findOrCreateAccount(
  db: Db,
  { email, name, isNameAssumed = false, hash }: NewAccount,
  { isVouched }: { isVouched: boolean },
): Promise<Account> {
  const inserted = await db.maybe<{
    id: string
  }>(sql`insert into users (id, email, name, is_name_assumed, password_hash, made_through, vouched_at, unclaimed_since)
    values (${newId()}, ${email}, ${name}, ${isNameAssumed}, ${hash}, ${db.tenant},
      case when ${isVouched} then moment() end, case when not ${isVouched} then moment() end)
    on conflict (email) do nothing returning id`)
  await db.run(sql`select id from users where email = ${email} for no key update`)
  return { ...(await db.one<Omit<Account, 'isNew'>>(selectAccount(db, email))), isNew: inserted !== undefined }
}

/** Holds for users `u` who have no way to sign in. */
export const isBare = sql`(u.password_hash is null and not exists (select 1 from passkeys p where p.user_id = u.id)
  and not exists (select 1 from identities i where i.user_id = u.id))`

/** Reads the account after its lock was given, so that it sees what the other transaction did meanwhile. */
const selectAccount = (db: Db, email: string) => sql`
  select u.id, u.created_at as since, u.made_through as through, ${isBare} as "isBare",
    u.vouched_at is not null as "isVouched", u.proved_at is not null as "isProved", ${isUnclaimed} as "isUnclaimed",
    exists (select 1 from operators o where o.user_id = u.id) as "isOperator",
    (select count(*) > 0 from user_tenants t join users x on x.id = t.user_id
      where x.email = ${email} and t.tenant_id <> ${db.tenant}) as "isElsewhere"
  from users u where u.email = ${email}`

/**
 * Checks whether another company made it, and nobody has vouched for its address since or somebody else may still have
 * a way in: then nobody else adds it without its person.
 */
export const isOtherCompanysAccount = (
  { isNew, isProved, isVouched, isUnclaimed, isOperator, through }: Account,
  tenant: string,
): boolean =>
  !isNew && (isUnclaimed || (!isProved && !isVouched)) && !isOperator && through !== null && through !== tenant

/** Kind of a link: the operator's, which `startsOver`, or one that we mailed to the address and showed to nobody. */
export type InvitationLinkKind = { startsOver: boolean; isMailed: boolean }

/**
 * Checks whether a link may set it a new password. A company's own link may not where that would open another company's
 * data; the operator's may, and one that was mailed, unless the operator stands for the account as it is.
 */
export const mayStartOver = (
  { isProved, isOperator, isElsewhere, isVouched }: Account,
  { startsOver, isMailed }: InvitationLinkKind,
): boolean => !isProved && !isOperator && (startsOver || !isElsewhere || (isMailed && !isVouched))
