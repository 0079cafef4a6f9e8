import type { Tenant } from '../access/credentials/caller.ts'
import type { Db, Sql } from '../db/tenant.ts'
import type { ChoreSchedule } from './schedule.ts'

/**
 * Periodic work. It must be idempotent: after a crash, a lost lease or a failure it is run again from its
 * beginning. A failure is logged and tried again after a pause that grows; nobody else waits for it.
 */
export type Chore = { name: string; next: ChoreSchedule } & (
  | { of: 'tenant'; run: (turn: TenantTurn) => Promise<unknown> }
  | { of: 'service'; run: (turn: ServiceTurn) => Promise<unknown> }
)

/** One run of a chore. Whatever it writes is refused once another process has taken the chore over. */
export type ServiceTurn = {
  readonly now: Temporal.Instant
  /** Statements as one transaction outside any tenant; answers how many rows each touched. */
  readonly send: (statements: readonly Sql[]) => Promise<number[]>
}

export type TenantTurn = {
  readonly now: Temporal.Instant
  readonly tenant: Tenant
  /** One transaction on the tenant. */
  readonly write: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Each record in a transaction of its own, page by page in the order of ids. One that fails is logged and
   * fails the chore in the end; the others go on.
   */
  readonly each: <Item extends { id: string }>(page: Page<Item>, work: (db: Db, item: Item) => Promise<unknown>) => Promise<void>
}

/** The next records after an id, none at the end. */
export type Page<Item> = (db: Db, after: string) => Promise<readonly Item[]>

/** Before every id. */
export const FIRST = '00000000-0000-0000-0000-000000000000'
