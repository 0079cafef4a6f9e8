import { transact } from '../../platform/db/transaction.ts'
import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { notify } from '../security/notices/notices.ts'
import { emitAccessChange } from '../sign_in/access_changes.ts'
import { endSessionsOf } from '../sign_in/sessions.ts'
import { refusals } from './refusals.ts'

type Send = Database['send']

/** User's sign-in methods. */
export type OwnFactors = {
  hasPassword: boolean
  passkeys: number
  hasTotp: boolean
  remainingCodes: number
  linked: number
}

export async function factorsOf(send: Send, user: string): Promise<OwnFactors> {
  const [factors] = await rowsOf(
    send,
    sql<OwnFactors>`select u.password_hash is not null as "hasPassword",
      (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
      exists (select 1 from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null) as "hasTotp",
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as "remainingCodes",
      (select count(*)::int from identities i where i.user_id = u.id) as linked
    from users u where u.id = ${user}`,
  )
  if (factors === undefined) throw notFound('user')
  return factors
}

/** Checks whether a user has more than a password. */
export const hasSecondFactor = ({ passkeys, hasTotp }: OwnFactors): boolean => passkeys > 0 || hasTotp

/** Changes a user's factors in a transaction that locks the user. An error rolls it back. */
export const changeFactors = <T>(database: Database, user: string, change: (send: Send) => Promise<T>): Promise<T> =>
  transact(database, async (send) => {
    await send([sql`select id from users where id = ${user} for update`])
    return change(send)
  })

/** Throws `conflict` unless the user could still sign in. */
export async function requireAnotherSignIn(send: Send, user: string): Promise<void> {
  const { hasPassword, passkeys, linked } = await factorsOf(send, user)
  if (!hasPassword && passkeys + linked === 0) throw conflict(refusals.lastSignIn())
}

/** Deletes every passkey, app and recovery code of a user, and what was started with them. */
export const deleteFactors = (user: string): Sql[] => [
  sql`delete from passkeys where user_id = ${user}`,
  sql`delete from passkey_challenges where user_id = ${user}`,
  sql`delete from totp_secrets where user_id = ${user}`,
  sql`delete from recovery_codes where user_id = ${user}`,
  sql`delete from pending_sign_ins where user_id = ${user}`,
]

/**
 * Unlinks every account at the installation's provider, with a row in the security log if there was one. An account
 * with the same verified address links itself again at its next sign-in; any other may have been somebody else's.
 */
export const unlinkIdentities = (user: string, origin?: Origin): Sql[] => [
  logAccountEvent(
    { user, kind: 'provider_unlinked', origin },
    sql`exists (select 1 from identities i where i.user_id = ${user})`,
  ),
  sql`delete from identities where user_id = ${user}`,
]

/** Resets a user who lost every factor, for the operator, and signs them out everywhere. Returns the old factors. */
export async function resetFactors(database: Database, user: string, origin?: Origin): Promise<OwnFactors> {
  const oldFactors = await changeFactors(database, user, async (send) => {
    const oldFactors = await factorsOf(send, user)
    await send([
      ...deleteFactors(user),
      ...unlinkIdentities(user, origin),
      ...endSessionsOf(user),
      logAccountEvent({
        user,
        kind: 'factors_reset',
        origin,
        about: { passkeys: oldFactors.passkeys, totp: oldFactors.hasTotp },
      }),
      notify({ user, kind: 'second_factor_changed' }),
    ])
    return oldFactors
  })
  emitAccessChange(user)
  return oldFactors
}
