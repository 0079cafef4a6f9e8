import type { Db } from '../platform/db/tenant.ts'
import type { Books } from './books.ts'
import { BooksError } from './books_error.ts'
import { findConnection, waitForProgram, wakeBooks } from './connection/connection.ts'
import { syncRecords } from './sync.ts'

type Transaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** One run of the task for a company. */
type BooksTask = {
  tenant: { id: string; timezone: string; currency: string }
  now: Temporal.Instant
  write: Transaction
  conclude: Transaction
}

/** Sends a company's due records. Reschedules itself if the program asks to wait; stops after a revocation. */
export async function runBooks(
  { tenant, now, write, conclude }: BooksTask,
  books: Books,
  baseUrl: string,
): Promise<void> {
  const connection = await write(findConnection)
  if (connection === undefined || !books.programs.includes(connection.program)) return
  const { program, organization, from_day, started_at, paused_at, revoked_at, wait_until } = connection
  if (organization === null || from_day === null || started_at === null) return
  if (paused_at !== null || revoked_at !== null) return
  if (wait_until !== null && Temporal.Instant.compare(Temporal.Instant.from(wait_until), now) > 0) return
  try {
    const run = {
      key: { program, organization },
      program: books.open(tenant.id, connection),
      sendsTips: connection.accounts?.tips !== '',
      url: `${baseUrl}/${tenant.id}`,
      today: now.toZonedDateTimeISO(tenant.timezone).toPlainDate().toString(),
      write,
      conclude,
    }
    if (!(await syncRecords(run, from_day, tenant.currency))) await conclude(wakeBooks)
  } catch (error) {
    if (!(error instanceof BooksError)) throw error
    // The owner sees it and has to act.
    if (error.failure === 'revoked') return
    const { seconds } = error
    // An unreachable program fails the run, which is retried with backoff.
    if (seconds === null) throw error
    await conclude((db) => waitForProgram(db, now.add({ seconds })))
  }
}
