import { transact } from '../../../platform/db/transaction.ts'
import { refusalOf } from '../../../platform/db/refusals.ts'
import { onlyRow, sql, type Database } from '../../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors/refusal.ts'
import { readEmail } from '../../inputs.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { endAccountLinksOf, findAccountLink, spendAccountLink, type AccountLink } from '../../security/account_links.ts'
import { queueMail, countMailsToday } from '../../security/notices/account_mail.ts'
import { notify } from '../../security/notices/notices.ts'
import { takeAttempt } from '../../sign_in/attempts.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { verifyPassword } from '../../sign_in/passwords/passwords.ts'
import { selectPerson, type RecognizedPerson } from '../../sign_in/sessions.ts'
import { claimAccount, isUnclaimed } from './claim_account.ts'
import { readSignIn, type ChosenSignIn } from '../invitations/new_sign_in.ts'
import { personalWordsOf } from './own_password.ts'
import { refusals } from './refusals.ts'

/** Maximum mails per day that a user may have sent to one address, and password tries per 15 minutes. */
const [MAX_MAILS, MAX_TRIES] = [5, 10]

/** User's address as their settings show it. */
type OwnAddress = { email: string; isVerified: boolean }

export async function ownAddress(database: Database, user: string): Promise<OwnAddress> {
  const [result] = await database.send([
    sql<OwnAddress>`select email, proved_at is not null as "isVerified" from users where id = ${user}`,
  ])
  return onlyRow(result)
}

/** Mails a link to a user's address; its use verifies the address. Returns the address. */
export async function requestEmailVerification(database: Database, user: string): Promise<string> {
  const { email, isVerified } = await ownAddress(database, user)
  if (isVerified) throw conflict(refusals.confirmed({ email }))
  await requireMailQuota(database, 'prove', email)
  await database.send([queueMail({ user, to: email, kind: 'prove' })])
  return email
}

/** Mails a link to a new address; its use makes it the user's. Requires their password, if any. Returns the address. */
export async function requestEmailChange(
  database: Database,
  user: string,
  { address, password }: { address: string; password: string },
): Promise<string> {
  const to = readEmail(address, 'address')
  const [answer] = await database.send([
    sql<{ email: string; hash: string | null }>`select email, password_hash as hash from users where id = ${user}`,
  ])
  const { email, hash } = onlyRow(answer)
  if (to === email) throw invalidField('address', refusals.sameAddress())
  if (hash !== null) await requirePasswordOf(database, user, password, hash)
  await requireMailQuota(database, 'change_address', to)
  await database.send([queueMail({ user, to, kind: 'change_address' })])
  return to
}

/** Mailed link as its page shows it. `claims` is true if its use claims the account and needs a new sign-in. */
export type EmailLinkView = AccountLink & { address: string; name: string; hasPassword: boolean; claims: boolean }

/** Returns a mailed link. Throws `not_found` if it was used or has expired. */
export async function findEmailLink(database: Database, secret: string): Promise<EmailLinkView> {
  const [link] = await database.send([findAccountLink(secret)])
  const [accountLink] = link.rows
  if (accountLink === undefined || accountLink.kind === 'reset' || accountLink.address === null) throw notFound('link')
  const [person] = await database.send([
    sql<
      Pick<EmailLinkView, 'name' | 'hasPassword' | 'claims'>
    >`select u.name, u.password_hash is not null as "hasPassword", ${isUnclaimed} as claims from users u
      where u.id = ${accountLink.user_id}`,
  ])
  return { ...accountLink, address: accountLink.address, ...onlyRow(person) }
}

/** Person who confirms: signed in as the account, or with its password. */
type EmailVerifier = { user: string; session: string } | { password: string }

/**
 * Uses a mailed link to verify the address or change it. The mail alone isn't enough, since somebody else may have
 * created the account in the reader's name: they must also be signed in or give the password. If somebody else may have
 * access, it claims the account: `person` gets a new session, and signs in with `chosen` from then on.
 */
export async function verifyEmailByLink(
  database: Database,
  secret: string,
  by: EmailVerifier,
  origin: Origin,
  chosen: ChosenSignIn = { password: '' },
): Promise<EmailLinkView & { person: RecognizedPerson | null }> {
  const link = await findEmailLink(database, secret)
  const user = link.user_id
  if ('user' in by ? by.user !== user : !link.hasPassword) throw conflict(refusals.otherAccount())
  if ('password' in by) {
    const [account] = await database.send([
      sql<{ hash: string | null }>`select password_hash as hash from users where id = ${user}`,
    ])
    await requirePasswordOf(database, user, by.password, onlyRow(account).hash)
  }
  if (link.kind === 'change_address') await requireUnusedAddress(database, user, link.address)
  const next = link.claims ? await readSignIn(chosen, await personalWordsOf(database, user)) : null
  const session = 'session' in by ? by.session : undefined
  const person = await transact(database, async (send) => {
    const [account, spent] = await send([
      sql<{ claims: boolean }>`select ${isUnclaimed} as claims from users u where u.id = ${user} for no key update`,
      spendAccountLink(secret),
    ])
    if (spent.count === 0 || onlyRow(account).claims !== link.claims) throw notFound('link')
    if (next !== null) await claimAccount(send, user, { next, session, origin })
    await applyLink(send)
    if (next === null) return null
    const [recognized] = await send([selectPerson(user)])
    return onlyRow(recognized)
  }).catch((error: unknown) => {
    throw refusalOf(error) ?? error
  })
  if (person !== null) emitAccessChange(user)
  return { ...link, person }

  async function applyLink(send: Database['send']): Promise<void> {
    if (link.kind === 'prove') {
      const [verified] = await send([
        sql`update users set proved_at = coalesce(proved_at, moment_of(id))
          where id = ${user} and email = ${link.address}`,
        logAccountEvent({ user, kind: 'address_proved', origin }),
      ])
      if (verified.count === 0) throw notFound('link')
      return
    }
    const [, changed] = await send([
      notify({ user, kind: 'address_changed', about: { address: link.address } }),
      sql`update users set email = ${link.address}, proved_at = moment() where id = ${user}
        and not exists (select 1 from users u where u.email = ${link.address} and u.id <> ${user})`,
      endAccountLinksOf(user),
      logAccountEvent({ user, kind: 'address_changed', origin }),
    ])
    if (changed.count === 0) throw conflict(refusals.addressTaken({ address: link.address }))
  }
}

/** Refuses an address with an account of its own early; the transaction checks again. */
async function requireUnusedAddress(database: Database, user: string, address: string): Promise<void> {
  const [result] = await database.send([sql`select from users where email = ${address} and id <> ${user}`])
  if (result.count > 0) throw conflict(refusals.addressTaken({ address }))
}

async function requireMailQuota(database: Database, kind: 'prove' | 'change_address', to: string): Promise<void> {
  const [answer] = await database.send([countMailsToday(kind, to)])
  if (onlyRow(answer).count >= MAX_MAILS) throw conflict(refusals.tooManyMails({ max: MAX_MAILS, to }))
}

/** Checks the password. Tries count together with those of a password change. */
async function requirePasswordOf(
  database: Database,
  user: string,
  password: string,
  hash: string | null,
): Promise<void> {
  const wait = await takeAttempt(database, [{ subject: `password change ${user}`, max: MAX_TRIES }])
  if (wait > 0) throw conflict(refusals.tooManyTries({ minutes: Math.ceil(wait / 60) }))
  if (!(await verifyPassword(password, hash))) throw invalidField('password', refusals.wrongPassword())
}
