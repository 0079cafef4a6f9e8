import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { insertPasskey, type PasskeyDetails } from '../../factors/passkeys/passkeys.ts'
import type { NewPasskey } from '../../factors/passkeys/webauthn.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { hashChosenPassword, type PersonalWords } from '../../sign_in/passwords/chosen_password.ts'
import { findOrCreateAccount, mayStartOver, type InvitationLinkKind } from '../accounts.ts'
import { claimAccountIn, type NewSignIn } from '../recovery/claim_account.ts'
import { refusals } from './refusals.ts'

/** New sign-in that a user chose: a password as typed, or a passkey. */
export type ChosenSignIn = { password: string } | { passkey: NewPasskey; details: PasskeyDetails }

/** Name and sign-in of a person who joins. */
export type JoinInput = { name: string } & ChosenSignIn

/** Returns the user's new sign-in. Refuses a password that is missing or easily guessed. */
export async function readSignIn(chosen: ChosenSignIn, about: PersonalWords): Promise<NewSignIn> {
  if ('passkey' in chosen) return { passkey: chosen.passkey, details: chosen.details }
  if (chosen.password === '') throw invalidField('password', refusals.noSignIn())
  return { hash: await hashChosenPassword(chosen.password, about) }
}

/** Person who uses a link: its address, the name they entered, and their new sign-in. */
type LinkReader = { email: string; name: string; next: NewSignIn }

/**
 * Returns the account for a link inside a company's transaction: a new one, or an existing one that starts over. Throws
 * `conflict` if it may not start over, so that its owner signs in instead.
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
    await claimAccountIn(db, account.id, { next, origin, staysUnclaimed: !isMailed })
    await db.run(
      sql`update users set name = ${name}, is_name_assumed = false, made_through = ${db.tenant}, vouched_at = null
        where id = ${account.id}`,
    )
  } else if (typeof next === 'object' && 'passkey' in next)
    await db.run(insertPasskey(account.id, next.passkey, next.details))
  if (isMailed) await markEmailVerified(db, { id: account.id, email })
  return { id: account.id, isClaimed }
}

/** Records that the owner of an address opened a link that only they have. */
export async function markEmailVerified(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  const verified = await db.run(
    sql`update users set proved_at = moment(), unclaimed_since = null
      where id = ${id} and email = ${email} and proved_at is null`,
  )
  if (verified > 0) await db.run(logAccountEvent({ user: id, kind: 'address_proved' }))
}
