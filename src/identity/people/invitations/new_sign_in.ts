import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { insertPasskey, type PasskeyNaming } from '../../factors/passkeys/passkeys.ts'
import type { NewPasskey } from '../../factors/passkeys/webauthn.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { hashChosenPassword, type PersonalWords } from '../../sign_in/passwords/chosen_password.ts'
import { findOrCreateAccount, mayStartOver, type InvitationLinkKind } from '../accounts.ts'
import { claimAccountIn, type NewSignIn } from '../recovery/claim_account.ts'
import { refusals } from './refusals.ts'

/** What somebody signs in with from now on, as they typed or made it. */
export type ChosenSignIn = { password: string } | { passkey: NewPasskey; naming: PasskeyNaming }

/** The name that somebody joins with, and what they sign in with. */
export type JoinInput = { name: string } & ChosenSignIn

/** Returns how somebody signs in from now on; refuses a password that is missing or easily guessed. */
export async function readSignIn(chosen: ChosenSignIn, about: PersonalWords): Promise<NewSignIn> {
  if ('passkey' in chosen) return { passkey: chosen.passkey, naming: chosen.naming }
  if (chosen.password === '') throw invalidField('password', refusals.noSignIn())
  return { hash: await hashChosenPassword(chosen.password, about) }
}

/** The address that a link names, the name that its reader gave, and what they sign in with. */
type LinkReader = { email: string; name: string; next: NewSignIn }

/**
 * Returns the account of a link's reader, inside the transaction of a company: a new one, or theirs that starts over.
 * An account with a membership elsewhere is its person's, who signs in instead.
 */
export async function admitByLink(
  db: Db,
  { email, name, next }: LinkReader,
  { isMailed, startsOver }: InvitationLinkKind,
  origin?: Origin,
): Promise<{ id: string; isClaimed: boolean }> {
  const hash = typeof next === 'object' && 'hash' in next ? next.hash : null
  const account = await findOrCreateAccount(db, { email, name, hash }, { isVouched: false })
  const isClaimed = !account.isNew
  if (isClaimed) {
    if (!mayStartOver(account, { startsOver, isMailed })) throw conflict(refusals.hasSignIn())
    await claimAccountIn(db, account.id, { next, origin, isUnclaimedStill: !isMailed })
    await db.run(
      sql`update users set name = ${name}, is_name_assumed = false, made_through = ${db.tenant}, vouched_at = null
        where id = ${account.id}`,
    )
  } else if (typeof next === 'object' && 'passkey' in next)
    await db.run(insertPasskey(account.id, next.passkey, next.naming))
  if (isMailed) await markEmailVerified(db, { id: account.id, email })
  return { id: account.id, isClaimed }
}

/** Notes that the holder of an address opened a link that only they have. */
export async function markEmailVerified(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  const proved = await db.run(
    sql`update users set proved_at = moment(), unclaimed_since = null
      where id = ${id} and email = ${email} and proved_at is null`,
  )
  if (proved > 0) await db.run(logAccountEvent({ user: id, kind: 'address_proved' }))
}
