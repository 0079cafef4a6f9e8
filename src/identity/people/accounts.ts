import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { isUnclaimed } from './recovery/claim_account.ts'

/** Account of an email address, locked until the transaction ends. */
export type Account = {
  id: string
  /** True if it was created in this transaction. */
  isNew: boolean
  since: string
  /** Company through which the account was created, or whose link reset it. */
  createdThrough: string | null
  /** True if the operator set its password. */
  isVouched: boolean
  /** True if nobody can sign in with it yet: it has no password, no passkey and no linked account. */
  hasNoSignIn: boolean
  /** True if its owner has confirmed the address. */
  isVerified: boolean
  /** True if somebody else may have access (docs/spec/oauth.md#claiming). */
  isUnclaimed: boolean
  isOperator: boolean
  /** True if it belongs, or belonged, to a company other than the transaction's. */
  isInOtherCompany: boolean
}

/** `isNameAssumed`: the name is a guess, and the user is asked for it. */
type NewAccount = { email: string; name: string; isNameAssumed?: boolean; hash: string | null }

/**
 * Returns the account of an address, and creates it if there is none. Of two concurrent callers, the second gets the
 * first one's account.
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

/** Condition: user `u` has no way to sign in. */
export const hasNoSignIn = sql`(u.password_hash is null and not exists (select 1 from passkeys p where p.user_id = u.id)
  and not exists (select 1 from identities i where i.user_id = u.id))`

/** Reads the account after locking it, to see what a concurrent transaction did in the meantime. */
const selectAccount = (db: Db, email: string) => sql`
  select u.id, u.created_at as since, u.made_through as "createdThrough", ${hasNoSignIn} as "hasNoSignIn",
    u.vouched_at is not null as "isVouched", u.proved_at is not null as "isVerified", ${isUnclaimed} as "isUnclaimed",
    exists (select 1 from operators o where o.user_id = u.id) as "isOperator",
    (select count(*) > 0 from user_tenants t join users x on x.id = t.user_id
      where x.email = ${email} and t.tenant_id <> ${db.tenant}) as "isInOtherCompany"
  from users u where u.email = ${email}`

/**
 * Checks whether another company created the account, and nobody has vouched for its address since or somebody else may
 * still have access. Then no other company may add it without its owner.
 */
export const isOtherCompanysAccount = (
  { isNew, isVerified, isVouched, isUnclaimed, isOperator, createdThrough }: Account,
  tenant: string,
): boolean =>
  !isNew &&
  (isUnclaimed || (!isVerified && !isVouched)) &&
  !isOperator &&
  createdThrough !== null &&
  createdThrough !== tenant

/** Kind of a link: `startsOver` is the operator's; `isMailed` was sent only to the address and never shown. */
export type InvitationLinkKind = { startsOver: boolean; isMailed: boolean }

/**
 * Checks whether a link may set the account's password. A company's own link may not if that would expose another
 * company's data. The operator's link may, and a mailed one unless the operator vouches for the account as it is.
 */
export const mayStartOver = (
  { isVerified, isOperator, isInOtherCompany, isVouched }: Account,
  { startsOver, isMailed }: InvitationLinkKind,
): boolean => !isVerified && !isOperator && (startsOver || !isInOtherCompany || (isMailed && !isVouched))
