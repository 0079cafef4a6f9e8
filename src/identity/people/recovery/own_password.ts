import { transact } from '../../../platform/db/transaction.ts'
import { onlyRow, sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { Refusal, conflict, invalidField, invalidFields } from '../../../platform/errors/refusal.ts'
import { unlinkIdentities } from '../../factors/factors.ts'
import { logAccountEvent } from '../../security/account_events.ts'
import { endResetLinksOf } from '../../security/account_links.ts'
import { notify } from '../../security/notices/notices.ts'
import { takeAttempt } from '../../sign_in/attempts.ts'
import type { Actor } from '../../audit.ts'
import { hashChosenPassword, type PersonalWords } from '../../sign_in/passwords/chosen_password.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { forgetBrowsersOf } from '../../sign_in/known_browsers.ts'
import { claimAccount, isUnclaimed, type Claim } from './claim_account.ts'
import { membershipsOf } from '../memberships.ts'
import { verifyPassword } from '../../sign_in/passwords/passwords.ts'
import { beginSession, type SignInOrigin, type NewSessionSecrets } from '../../sign_in/complete_sign_in.ts'
import { endSessionsOf, selectPerson, type RecognizedPerson, type SignInMethod } from '../../sign_in/sessions.ts'
import { endActiveAccess, countActiveAccess, type ActiveAccess } from '../active_access.ts'
import { refusals } from './refusals.ts'

const MAX_TRIES = 10

type PasswordChange = {
  /** Current password; not required if there is none yet. */
  current: string
  next: string
  /** True if the user's keys and connected apps end too, in every company. */
  endsActiveAccess: boolean
  /** Methods of the current session, which the new one keeps. */
  methods: readonly SignInMethod[]
}

/** Secrets of the new session, and counts of the keys and apps that remain. */
type PasswordChangeResult = { newSession: NewSessionSecrets; remaining: ActiveAccess }

/**
 * Changes a user's own password, which ends their sessions in every browser. Refuses a wrong current one, and more than
 * ten tries in 15 minutes.
 */
export async function changeOwnPassword(
  database: Database,
  user: string,
  { current, next, endsActiveAccess, methods }: PasswordChange,
  origin: SignInOrigin,
): Promise<PasswordChangeResult> {
  const wait = await takeAttempt(database, [{ subject: `password change ${user}`, max: MAX_TRIES }])
  if (wait > 0) throw conflict(refusals.tooManyTries({ minutes: Math.ceil(wait / 60) }))
  const [answer] = await database.send([
    sql<{ password_hash: string | null }>`select password_hash from users where id = ${user}`,
  ])
  const { password_hash: before } = onlyRow(answer)
  if (before !== null && !(await verifyPassword(current, before)))
    throw invalidField('current', refusals.wrongCurrent())
  if (before !== null && current === next) throw invalidField('next', refusals.samePassword())
  const hash = await hashNewPassword(next, await personalWordsOf(database, user))
  const person = await replacePassword(
    database,
    user,
    sql`update users set password_hash = ${hash} where id = ${user} and password_hash is not distinct from ${before}`,
    [
      notify({ user, kind: 'password_changed' }),
      logAccountEvent({ user, kind: 'password_changed', origin }),
      ...(endsActiveAccess ? unlinkIdentities(user, origin) : []),
    ],
    endsActiveAccess ? { user } : undefined,
  )
  const newSession = await beginSession(database, person, [...new Set([...methods, 'password' as const])], {
    ...origin,
    earlier: null,
    known: null,
  })
  if (newSession === null) throw conflict(refusals.signedOut())
  return { newSession, remaining: await countActiveAccess(database.send, user) }
}

/**
 * Sets a user's password, for the operator, who verifies the identity of a user who forgot theirs. It ends every
 * session, unlinks accounts at the provider, and on request revokes keys and connected apps. Returns the counts that
 * remain. If somebody else may have access, it ends all earlier access.
 */
export async function resetPassword(
  database: Database,
  user: string,
  password: string,
  { endsStanding: endsActiveAccess = false } = {},
): Promise<ActiveAccess> {
  const hash = await hashChosenPassword(password, await personalWordsOf(database, user))
  await replacePassword(
    database,
    user,
    sql`update users set password_hash = ${hash}, vouched_at = moment() where id = ${user}`,
    [
      notify({ user, kind: 'password_reset', about: { by: 'operator' } }),
      logAccountEvent({ user, kind: 'password_reset' }),
      ...unlinkIdentities(user),
    ],
    endsActiveAccess ? null : undefined,
    { next: { hash } },
  )
  return countActiveAccess(database.send, user)
}

async function claimIfUnclaimed(send: Database['send'], user: string, claim: Claim): Promise<void> {
  const [result] = await send([sql`select from users u where u.id = ${user} and ${isUnclaimed} for no key update`])
  if (result.count > 0) await claimAccount(send, user, claim)
}

/**
 * Sets the new password. With `endedBy`, that actor ends keys and apps too; `claim` is how to claim an account to which
 * somebody else may have access. Returns the user who may sign in from then on.
 */
async function replacePassword(
  database: Database,
  user: string,
  change: Sql,
  notices: readonly Sql[],
  endedBy?: Actor,
  claim?: Claim,
): Promise<RecognizedPerson> {
  const person = await transact(database, async (send) => {
    if (claim !== undefined) await claimIfUnclaimed(send, user, claim)
    const [changed] = await send([change])
    if (changed.count === 0) throw conflict(refusals.changedElsewhere())
    await send([...notices, ...endPasswordAccess(user)])
    if (endedBy !== undefined) await endActiveAccess(send, user, endedBy)
    const [result] = await send([selectPerson(user)])
    return onlyRow(result)
  })
  emitAccessChange(user)
  return person
}

/** Returns the statements that end what an old password gave access to: sessions, recognized browsers, reset links. */
export const endPasswordAccess = (user: string): Sql[] => [
  ...endSessionsOf(user),
  forgetBrowsersOf(user),
  endResetLinksOf(user),
]

/** Returns the personal words that a user's password must not consist of. */
export async function personalWordsOf(database: Database, user: string): Promise<PersonalWords> {
  const [[person], memberships] = await Promise.all([
    database.send([sql<{ email: string; name: string }>`select email, name from users where id = ${user}`]),
    membershipsOf(database, user),
  ])
  return { ...onlyRow(person), companies: memberships.map(({ company }) => company.name) }
}

async function hashNewPassword(next: string, about: PersonalWords): Promise<string> {
  try {
    return await hashChosenPassword(next, about)
  } catch (error) {
    throw error instanceof Refusal
      ? invalidFields(
          error.problems.map((problem) => (problem.path === 'password' ? { ...problem, path: 'next' } : problem)),
        )
      : error
  }
}
