import { transact } from '../../platform/db/transaction.ts'
import { rowsOf, onlyRow, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { requireAnotherSignIn } from '../factors/factors.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { notify } from '../security/notices/notices.ts'
import { emitAccessChange } from '../sign_in/access_changes.ts'
import { signInPerson, type SignInResult, type SignInOrigin } from '../sign_in/complete_sign_in.ts'
import { claimAccount, isUnclaimed } from '../people/recovery/claim_account.ts'
import { selectPerson, type RecognizedPerson, type Session } from '../sign_in/sessions.ts'
import type { ProvidedIdentity } from './provider.ts'
import { notifySecondAccountEverywhere } from './owner_notices.ts'
import { refusals } from './refusals.ts'

/** Account at a provider that a user linked. */
export type LinkedIdentity = {
  issuer: string
  subject: string
  email: string | null
  created_at: string
  used_at: string
}

/** Reason for a failed sign-in: no verified address, no user with it, or the user's sessions ended meanwhile. */
export type ProviderRefusal = 'unverified' | 'unknown' | 'ended'

type Send = Database['send']

/**
 * Signs in the person whom a provider identified: by a linked account, else by the verified address. If somebody else
 * may have access to the account of that address, its owner claims it.
 */
export async function signInByProvider(
  database: Database,
  identity: ProvidedIdentity,
  origin: SignInOrigin,
): Promise<ProviderSignInResult | { refused: ProviderRefusal }> {
  const recognized = await transact(
    database,
    async (send) => (await findLinkedUser(send, identity)) ?? linkByAddress(send, identity, origin),
  )
  if ('refused' in recognized) return recognized
  if (recognized.isClaimed) emitAccessChange(recognized.user)
  const signInResult = await signInPerson(database, recognized, ['provider'], origin)
  return signInResult === null ? { refused: 'ended' } : { ...signInResult, isClaimed: recognized.isClaimed }
}

/** Result of a sign-in by a provider; `isClaimed`: it claimed the account and ended all earlier access. */
type ProviderSignInResult = SignInResult & { isClaimed: boolean }

/** User of a provider's account; `isClaimed`: they claimed the account here with it. */
type RecognizedUser = RecognizedPerson & { isClaimed: boolean }

async function findLinkedUser(send: Send, { issuer, subject }: ProvidedIdentity): Promise<RecognizedUser | undefined> {
  const [person] = await rowsOf(
    send,
    sql<RecognizedPerson>`update identities i set used_at = moment() from users u
      where u.id = i.user_id and i.issuer = ${issuer} and i.subject = ${subject}
      returning u.id as user, u.sign_in_epoch as epoch`,
  )
  return person && { ...person, isClaimed: false }
}

type AccountRow = { id: string; isTrusted: boolean }

async function linkByAddress(
  send: Send,
  identity: ProvidedIdentity,
  origin: Origin,
): Promise<RecognizedUser | { refused: ProviderRefusal }> {
  const { email } = identity
  if (email === null) return { refused: 'unverified' }
  const [row] = await rowsOf(
    send,
    sql<AccountRow>`select u.id, (u.proved_at is not null or u.vouched_at is not null)
        and not ${isUnclaimed} as "isTrusted"
      from users u where u.email = ${email} for no key update`,
  )
  if (row === undefined) return { refused: 'unknown' }
  if (!row.isTrusted) await claimAccount(send, row.id, { next: 'provider', origin })
  const [others] = await send([sql`select from identities where user_id = ${row.id} limit 1`])
  if (others.count > 0) await notifySecondAccountEverywhere(send, row.id, identity)
  const [person] = await send([
    selectPerson(row.id),
    sql`update users set proved_at = coalesce(proved_at, moment_of(id)) where id = ${row.id}`,
    insertIdentity(row.id, identity),
    logAccountEvent({ user: row.id, kind: 'provider_linked', origin, about: { issuer: identity.issuer } }),
  ])
  return { ...onlyRow(person), isClaimed: !row.isTrusted }
}

/**
 * Links a provider's account to a signed-in user who has reauthenticated. Throws `conflict` if it is somebody else's,
 * or if the session has ended. If somebody else may have access, ends all earlier access and returns the user, whose
 * browser needs a new session; else returns null. Only the account's own address, verified by the provider, settles who
 * owns it.
 */
export async function linkIdentity(
  database: Database,
  { id: session, user: { id: user } }: Pick<Session, 'id' | 'user'>,
  identity: ProvidedIdentity,
  origin: Origin,
): Promise<RecognizedPerson | null> {
  const claimed = await transact(database, async (send) => {
    const [account, signedIn] = await send([
      sql<{
        email: string
        isUnclaimed: boolean
      }>`select u.email, ${isUnclaimed} as "isUnclaimed" from users u where u.id = ${user} for no key update`,
      sql`select id from sessions where id = ${session} and user_id = ${user}`,
    ])
    if (signedIn.rows.length === 0) throw conflict(refusals.signedOut())
    const { email, isUnclaimed: claims } = onlyRow(account)
    const isOwnAddress = identity.email === email
    const [holder] = await rowsOf(
      send,
      sql<{
        user_id: string
      }>`select user_id from identities where issuer = ${identity.issuer} and subject = ${identity.subject}`,
    )
    if (holder !== undefined && holder.user_id !== user) throw conflict(refusals.linkedElsewhere())
    if (claims) await claimAccount(send, user, { next: 'provider', session, origin, staysUnclaimed: !isOwnAddress })
    const [inserted] = await send([insertIdentity(user, identity)])
    if (inserted.count === 0 && holder === undefined) throw conflict(refusals.linkedElsewhere())
    if (claims && isOwnAddress)
      await send([sql`update users set proved_at = coalesce(proved_at, moment_of(id)) where id = ${user}`])
    if (inserted.count > 0)
      await send([
        logAccountEvent({ user, kind: 'provider_linked', origin, about: { issuer: identity.issuer } }),
        notify({ user, kind: 'account_linked', about: { address: identity.address } }),
      ])
    if (!claims) return null
    const [person] = await send([selectPerson(user)])
    return onlyRow(person)
  })
  if (claimed !== null) emitAccessChange(user)
  return claimed
}

const insertIdentity = (user: string, { issuer, subject, email }: ProvidedIdentity): Sql =>
  sql`insert into identities (issuer, subject, user_id, email) values (${issuer}, ${subject}, ${user}, ${email})
    on conflict do nothing`

/** Lists a user's linked accounts. */
export async function identitiesOf(database: Database, user: string): Promise<LinkedIdentity[]> {
  return rowsOf(
    database.send,
    sql<LinkedIdentity>`select issuer, subject, email, created_at, used_at from identities where user_id = ${user}
      order by created_at, issuer, subject limit 20`,
  )
}

/** Unlinks an account. Throws `conflict` if it is the last way to sign in. */
export const unlinkIdentity = (
  database: Database,
  user: string,
  { issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>,
  origin: Origin,
): Promise<void> =>
  transact(database, async (send) => {
    await send([sql`select id from users where id = ${user} for update`])
    const [removed] = await send([
      sql`delete from identities where issuer = ${issuer} and subject = ${subject} and user_id = ${user}`,
    ])
    if (removed.count === 0) throw notFound('linked account')
    await requireAnotherSignIn(send, user)
    await send([logAccountEvent({ user, kind: 'provider_unlinked', origin, about: { issuer } })])
  })
