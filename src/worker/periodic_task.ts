import type { Tenant } from '../identity/credentials/caller.ts'
import type { Database, Db, Sql } from '../platform/db/tenant.ts'
import type { TaskSchedule } from './schedule.ts'

/**
 * Periodic task. It must be idempotent: after a crash, a lost lease or a failure it runs again from the start. A
 * failure is logged and retried with backoff; other tasks don't wait for it.
 */
export type PeriodicTask = {
  name: string
  next: TaskSchedule
  /** Lane of tasks that wait for other servers. Tasks of a lane run in parallel, independently of the rest. */
  lane?: string
} & (
  | { of: 'tenant'; run: (run: TenantRun) => Promise<unknown> }
  | { of: 'service'; run: (run: ServiceRun) => Promise<unknown> }
)

/** One run of a task. Its writes are refused once another process has taken over the task. */
export type ServiceRun = {
  readonly now: Temporal.Instant
  /** Runs statements as one transaction outside any tenant; returns how many rows each touched. */
  readonly send: (statements: readonly Sql[]) => Promise<number[]>
  /** Runs statements like `send` and returns their rows. */
  readonly query: Database['send']
  /** Records work done outside the database, even while the service stops or after another process took over. */
  readonly conclude: Database['send']
  /** Writes a log line. It must contain no personal data. */
  readonly logInfo: (about: Readonly<Record<string, string>>, message: string) => void
}

export type TenantRun = {
  readonly now: Temporal.Instant
  readonly tenant: Tenant
  /** Runs one transaction on the tenant. */
  readonly write: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Runs a transaction that records work done outside the database, even while the service stops or after another
   * process took over the task.
   */
  readonly conclude: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Processes each record in its own transaction, page by page in the order of ids. A failure is logged and fails the
   * task at the end, after the other records.
   */
  readonly each: <Item extends { id: string }>(
    page: TaskPage<Item>,
    work: (db: Db, item: Item) => Promise<unknown>,
  ) => Promise<void>
}

/** Returns the next records after an id, none at the end. */
export type TaskPage<Item> = (db: Db, after: string) => Promise<readonly Item[]>

/** Id that sorts before every other. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
