import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { rowsOf, insertSelected, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { isSameEpoch, type SessionBinding, type RecognizedPerson, type SignInMethod } from '../sign_in/sessions.ts'

/** Minutes that a sign-in waits for its second factor. */
const LIFETIME_MINUTES = 10

/** Sign-in that waits for a second factor: its user, the methods so far, and the only company of its session. */
export type PendingSignIn = {
  user: { id: string; email: string; name: string }
  methods: readonly SignInMethod[]
  boundTo: string | null
}

/**
 * Starts the wait for a second factor if the user has an authenticator app. Returns the secret for the browser's
 * cookie, or null if no second factor is needed.
 */
export async function createPendingSignIn(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  bound: SessionBinding | null = null,
): Promise<string | null> {
  const secret = randomBytes(32).toString('base64url')
  const [answer] = await database.send([
    insertSelected(sql`insert into pending_sign_ins (hash, user_id, methods, bound_to, recognized_at)
    select ${hashOf(secret)}::bytea, u.id, ${[...methods]}::text[], ${bound?.boundTo ?? null}::uuid,
      ${bound?.recognizedAt ?? null}::timestamptz
    from users u join totp_secrets t on t.user_id = u.id
    where ${isSameEpoch(person)} and t.confirmed_at is not null for share of u`),
  ])
  return answer.count === 0 ? null : secret
}

/** Returns a browser's pending sign-in by its cookie's secret, or null if there is none. */
export async function findPending(database: Database, secret: string | null): Promise<PendingSignIn | null> {
  if (secret === null) return null
  const [row] = await rowsOf(
    database.send,
    sql<
      PendingSignIn['user'] & { methods: SignInMethod[]; boundTo: string | null }
    >`select u.id, u.email, u.name, p.methods, p.bound_to as "boundTo" from pending_sign_ins p
    join users u on u.id = p.user_id
    where p.hash = ${hashOf(secret)} and ${isFresh}`,
  )
  if (row === undefined) return null
  const { methods, boundTo, ...user } = row
  return { user, methods, boundTo }
}

/** Ends a pending sign-in and returns its user; null if it already ended, so that only one of two attempts succeeds. */
export async function endPending(
  database: Database,
  secret: string,
): Promise<(RecognizedPerson & { bound: SessionBinding | null }) | null> {
  const [row] = await rowsOf(
    database.send,
    sql<
      RecognizedPerson & { boundTo: string | null; recognizedAt: string | null }
    >`delete from pending_sign_ins p using users u where u.id = p.user_id and p.hash = ${hashOf(secret)} and ${isFresh}
    returning u.id as user, u.sign_in_epoch as epoch, p.bound_to as "boundTo", p.recognized_at as "recognizedAt"`,
  )
  if (row === undefined) return null
  const { boundTo, recognizedAt, ...person } = row
  return { ...person, bound: boundTo === null ? null : { boundTo, recognizedAt } }
}

export const sweepPending = (): Sql =>
  sql`delete from pending_sign_ins where created_at < moment() - make_interval(mins => ${LIFETIME_MINUTES})`

const isFresh = sql`p.created_at > moment() - make_interval(mins => ${LIFETIME_MINUTES})`
