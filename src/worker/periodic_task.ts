import type { Tenant } from '../identity/credentials/caller.ts'
import type { Database, Db, Sql } from '../platform/db/tenant.ts'
import type { TaskSchedule } from './schedule.ts'

/**
 * Periodic work. It must be idempotent: after a crash, a lost lease or a failure it runs again from the beginning. A
 * failure is logged and retried after a growing pause; other tasks don't wait for it.
 */
export type PeriodicTask = {
  name: string
  next: TaskSchedule
  /** Lane of tasks that wait for other servers. A lane's tasks run beside the rest, several at the same time. */
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
  /** Sends statements in the same way and returns their rows. */
  readonly ask: Database['send']
  /** Records what was done outside the database, even if the service stops or another process took over the task. */
  readonly conclude: Database['send']
  /** Writes a line of the log, without anything of a person. */
  readonly remark: (about: Readonly<Record<string, string>>, words: string) => void
}

export type TenantRun = {
  readonly now: Temporal.Instant
  readonly tenant: Tenant
  /** Runs one transaction on the tenant. */
  readonly write: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Runs a transaction that records what was done outside the database, even if the service stops or another process
   * took over the task.
   */
  readonly conclude: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Runs each record in a transaction of its own, page by page in the order of ids. One that fails is logged and fails
   * the chore in the end; the others go on.
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
