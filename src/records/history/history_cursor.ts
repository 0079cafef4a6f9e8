import { sql, type Sql } from '../../platform/db/tenant.ts'

/** Position in a history, newest first: the last event of a page. */
export type HistoryCursor = { at: string; id: string }

/** Page of events of one kind: those older than a position, up to a limit. */
export type HistoryPage = { before: HistoryCursor | undefined; limit: number }

/** Returns the condition that an event is older than a position. */
export const isOlder = ({ before }: HistoryPage, at: Sql, id: Sql): Sql =>
  before === undefined ? sql`true` : sql`(${at}, ${id}) < (${before.at}::timestamptz, ${before.id}::uuid)`
