import { sql, type Db } from '../../db/tenant.ts'
import { newId } from '../../shape/id.ts'

/** The account of an address, locked until the transaction ends. */
export type Account = {
  id: string
  /** Made in this transaction. */
  isNew: boolean
  since: string
  /** The company through which it came to be, or by whose link it started over. */
  through: string | null
  /** The operator gave it its password. */
  isVouched: boolean
  hash: string | null
  /** Its person showed that the address is theirs. */
  isProved: boolean
  isOperator: boolean
  /** It belongs, or belonged, to a company beside the transaction's. */
  isElsewhere: boolean
}

export type NewAccount = { email: string; name: string; hash: string | null }

/** The account of an address, made when there is none; two that make it at once meet here, and the second finds that of the first. */
export async function accountFor(db: Db, { email, name, hash }: NewAccount, { isVouched }: { isVouched: boolean }): Promise<Account> {
  const made = await db.maybe<{ id: string }>(sql`insert into users (id, email, name, password_hash, made_through, vouched_at)
    values (${newId()}, ${email}, ${name}, ${hash}, ${db.tenant}, case when ${isVouched} then moment() end) on conflict (email) do nothing returning id`)
  await db.run(sql`select id from users where email = ${email} for no key update`)
  return { ...await db.one<Omit<Account, 'isNew'>>(account(db, email)), isNew: made !== undefined }
}

/** Asked after the lock was given, so that it sees what the other side has done meanwhile. */
const account = (db: Db, email: string) => sql`
  select u.id, u.created_at as since, u.made_through as through, u.password_hash as hash, u.vouched_at is not null as "isVouched",
    u.proved_at is not null as "isProved",
    exists (select from operators o where o.user_id = u.id) as "isOperator",
    exists (select from user_tenants t where t.user_id = u.id and t.tenant_id <> ${db.tenant}) as "isElsewhere"
  from users u where u.email = ${email}`

/** Whether another company made it and nobody has vouched for its address since: then nobody else adds it without its person. */
export const isStrange = ({ isNew, isProved, isVouched, isOperator, through }: Account, tenant: string): boolean =>
  !isNew && !isProved && !isVouched && !isOperator && through !== null && through !== tenant

/**
 * Whether a link may set it a new password. A company's own link never does where that would open what another company
 * has; the operator's, which `startsOver`, does.
 */
export const mayStartOver = ({ isProved, isOperator, isElsewhere }: Account, startsOver: boolean): boolean =>
  !isProved && !isOperator && (startsOver || !isElsewhere)
