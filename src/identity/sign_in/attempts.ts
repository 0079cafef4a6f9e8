import { createHash } from 'node:crypto'
import { rowsOf, join, sql } from '../../platform/db/database.ts'
import { onlyRow, writeReturning, type Database, type Sql } from '../../platform/db/tenant.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/**
 * Rate limit of `max` attempts per window; `subject` is what is attempted and by whom (`sign-in address 203.0.113.5`).
 */
type AttemptLimit = { subject: string; max: number }

/** Minutes from a window's first attempt to its end. */
const WINDOW_MINUTES = 15

/**
 * Counts an attempt against each limit before it is made, so that concurrent attempts can't exceed it together. Returns
 * the seconds to wait, or 0. The limits apply across every process on one database.
 */
export async function takeAttempt(database: Database, limits: readonly AttemptLimit[]): Promise<number> {
  const attempts = await recordAttempts(
    database,
    limits.map(({ subject }) => hashOf(subject)),
  )
  const waits = limits.map(({ subject, max }) => {
    const window = attempts.find((one) => one.subject.equals(hashOf(subject)))
    const { tries, seconds } = requireValue(window, 'The window of an attempt')
    return tries > max ? Math.max(1, seconds) : 0
  })
  return Math.max(0, ...waits)
}

/** Counts an attempt on a subject without a limit of its own. Returns the attempt's number in the window. */
export async function countAttempt(database: Database, subject: string): Promise<number> {
  const rows = await recordAttempts(database, [hashOf(subject)])
  return onlyRow({ rows }).tries
}

type AttemptWindow = { subject: Buffer; tries: number; seconds: number }

async function recordAttempts(database: Database, subjects: readonly Buffer[]): Promise<AttemptWindow[]> {
  return rowsOf(
    database.send,
    writeReturning<AttemptWindow>(
      sql`a`,
      sql`
    insert into attempts as a (subject, begun_at, tries)
    values ${join(subjects.toSorted((a, b) => a.compare(b)).map((subject) => sql`(${subject}::bytea, moment(), 1)`))}
    on conflict (subject) do update set
      tries = case when excluded.begun_at - a.begun_at > make_interval(mins => ${WINDOW_MINUTES}) then 1
        else least(a.tries, 1000000) + 1 end,
      begun_at = case
        when excluded.begun_at - a.begun_at > make_interval(mins => ${WINDOW_MINUTES}) then excluded.begun_at
        else a.begun_at end`,
      sql`subject, tries,
        ceil(extract(epoch from begun_at + make_interval(mins => ${WINDOW_MINUTES}) - moment()))::int as seconds`,
    ),
  )
}

/** Takes back one attempt that succeeded or could not be checked. */
export const refundAttempt = (database: Database, subject: string): Promise<unknown> =>
  database.send([sql`update attempts set tries = greatest(0, tries - 1) where subject = ${hashOf(subject)}`])

/** Deletes the attempts on a subject after a success. */
export const clearAttempts = (database: Database, subject: string): Promise<unknown> =>
  database.send([sql`delete from attempts where subject = ${hashOf(subject)}`])

export const sweepAttempts = (): Sql =>
  sql`delete from attempts where begun_at < moment() - make_interval(mins => ${WINDOW_MINUTES})`

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()
