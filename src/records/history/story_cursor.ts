import { sql, type Sql } from '../../platform/db/tenant.ts'

/** Position in a story, newest first: of its last event on a page. */
export type StoryCursor = { at: string; id: string }

/** Which events of a kind are read: those older than a position, and how many of them. */
export type StoryPage = { before: StoryCursor | undefined; limit: number }

/** Returns the condition that an event is older than a position. */
export const isOlder = ({ before }: StoryPage, at: Sql, id: Sql): Sql =>
  before === undefined ? sql`true` : sql`(${at}, ${id}) < (${before.at}::timestamptz, ${before.id}::uuid)`
