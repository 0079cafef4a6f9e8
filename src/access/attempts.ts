import { createHash } from 'node:crypto'
import { join, sql } from '../db/database.ts'
import type { Database, Sql } from '../db/tenant.ts'

/** Something that may be tried `most` times in a window: `subject` says what, and of whom (`sign-in address 203.0.113.5`). */
export type Limit = { subject: string; most: number }

/** Minutes from a window's first try to its end. */
const WINDOW = 15

/**
 * Counts a try against each limit, before it is made, so that tries at once can't pass it together. Answers the
 * seconds to wait, 0 when it may be made. Holds over every process on one database.
 */
export async function attempt(database: Database, limits: readonly Limit[]): Promise<number> {
  const subjects = limits.map(({ subject, most }) => ({ hash: hashOf(subject), most })).sort((a, b) => a.hash.compare(b.hash))
  const [answer] = await database.send([sql`
    insert into attempts as a (subject, begun_at, tries)
    values ${join(subjects.map(({ hash }) => sql`(${hash}::bytea, moment(), 1)`))}
    on conflict (subject) do update set
      tries = case when a.begun_at < moment() - make_interval(mins => ${WINDOW}) then 1 else least(a.tries, 1000000) + 1 end,
      begun_at = case when a.begun_at < moment() - make_interval(mins => ${WINDOW}) then excluded.begun_at else a.begun_at end
    returning subject, tries, ceil(extract(epoch from begun_at + make_interval(mins => ${WINDOW}) - moment()))::int as seconds`])
  const tried = answer!.rows as { subject: Buffer; tries: number; seconds: number }[]
  const waits = tried.map(({ subject, tries, seconds }) =>
    (tries > subjects.find(({ hash }) => hash.equals(subject))!.most ? Math.max(1, seconds) : 0))
  return Math.max(0, ...waits)
}

/** Forgets the tries on a subject, once one has succeeded. */
export const forgive = (database: Database, subject: string): Promise<unknown> =>
  database.send([sql`delete from attempts where subject = ${hashOf(subject)}`])

/** Forgets windows that are over. */
export const sweepAttempts = (): Sql => sql`delete from attempts where begun_at < moment() - make_interval(mins => ${WINDOW})`

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()
