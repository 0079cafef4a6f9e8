import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { logAccountEvent, type AccountEventKind, type Origin } from '../security/account_events.ts'
import { emitAccessChange } from './access_changes.ts'
import { endSessionsOf, isValidSession, type Session, type SignInMethod } from './sessions.ts'

/** Session as its user sees it. `seen_at` is accurate to an hour. */
export type OwnSession = {
  id: string
  network: string | null
  device: string | null
  methods: readonly SignInMethod[]
  created_at: string
  seen_at: string
}

/** Maximum sessions listed: more than a person has, and a bound on those that a program starts. */
const MAX_LISTED = 100

/** Lists a user's sessions in every browser, last used first. */
export async function listSessions(database: Database, user: string): Promise<OwnSession[]> {
  return rowsOf(
    database.send,
    sql<OwnSession>`select s.id, s.network, s.device, s.methods, s.created_at, s.seen_at from sessions s
      where s.user_id = ${user} and ${isValidSession} order by s.seen_at desc, s.id limit ${MAX_LISTED}`,
  )
}

/** Ends a user's session from another one. Throws `not_found` if it isn't theirs or has ended. */
export async function endOwnSession(database: Database, from: Session, id: string, origin: Origin): Promise<void> {
  if (!isId(id)) throw notFound('session')
  const ended = await endSessions(database, from, sql`id = ${id}`, 'session_ended', origin)
  if (ended === 0) throw notFound('session')
}

/** Ends every session of a user except the current one. Returns the number of ended sessions. */
export const endOtherSessions = (database: Database, from: Session, origin: Origin): Promise<number> =>
  endSessions(database, from, sql`id <> ${from.id}`, 'sessions_ended', origin)

async function endSessions(
  database: Database,
  { user }: Session,
  condition: Sql,
  kind: AccountEventKind,
  origin: Origin,
): Promise<number> {
  const [ended] = await database.send([sql`delete from sessions where user_id = ${user.id} and ${condition}`])
  const { count } = ended
  if (count === 0) return 0
  await database.send([logAccountEvent({ user: user.id, kind, origin, about: { count } })])
  emitAccessChange(user.id)
  return count
}

/** Maximum users signed out in one transaction. */
const BATCH_SIZE = 200

/**
 * Ends every session of a user, or of everyone (null), for the operator. Returns the number of sessions and of users.
 */
export async function signOutPeople(
  database: Database,
  user: string | null,
): Promise<{ sessions: number; people: number }> {
  const people = await rowsOf(
    database.send,
    sql<{ user_id: string; count: number }>`select user_id, count(*)::integer as count from sessions s
      where ${isValidSession} and (${user}::uuid is null or user_id = ${user}) group by user_id order by user_id`,
  )
  for (let from = 0; from < people.length; from += BATCH_SIZE) {
    const batch = people.slice(from, from + BATCH_SIZE)
    await database.send([
      ...batch.map(({ user_id, count }) =>
        logAccountEvent({ user: user_id, kind: 'sessions_ended', about: { count } }),
      ),
      ...batch.flatMap(({ user_id }) => endSessionsOf(user_id)),
    ])
    for (const { user_id } of batch) emitAccessChange(user_id)
  }
  return { sessions: people.reduce((sum, { count }) => sum + count, 0), people: people.length }
}
