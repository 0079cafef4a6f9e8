import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { MAX_COUNTED } from '../../tools/call/outcome.ts'
import type { Order } from '../../tools/declare/list_order.ts'

type StatusFilter<Status> = ChangeFilter & { status?: readonly Status[] | undefined }

/**
 * Builds the queries of a list by status, where one status hides a row unless requested. `from` is the table with its
 * alias `row`; `isHidden` and `isListed` are the conditions of its partial indexes.
 */
export function byStatus<Status extends string>(
  hidden: Status,
  { from, row, isHidden, isListed }: Record<'from' | 'row' | 'isHidden' | 'isListed', Sql>,
) {
  /** Returns the statuses to find; with removed rows, also the one that hides a row. */
  const statusesIn = (status: readonly Status[], { include_removed }: ChangeFilter): Status[] => [
    ...new Set<Status>([...status, ...(include_removed === true ? [hidden] : [])]),
  ]
  const hasStatus = ({ status, ...byChange }: StatusFilter<Status>): Sql =>
    status === undefined
      ? whereListed(byChange, isListed)
      : sql`and ${row}.status = any(${statusesIn(status, byChange)})`
  return {
    hasStatus,
    /** Returns the ids of the rows from an index alone; for several statuses, up to `limit` of each in its order. */
    matchingIds: (
      { status, ...byChange }: StatusFilter<Status>,
      where: Sql,
      { at, rows, of }: Order,
      limit: number,
    ): Sql =>
      status === undefined
        ? sql`select ${row}.id, ${at} as at, ${row}.created_at as made from ${from}
          where ${where} ${whereListed(byChange, isListed)}
          order by ${rows}`
        : sql`select f.id, f.at, f.made
          from unnest(${statusesIn(status, byChange)}::text[]) requested(status) cross join lateral (
            select ${row}.id, ${at} as at, ${row}.created_at as made from ${from}
            where ${where} and ${row}.status = requested.status
            order by ${rows} limit ${limit}) f
          order by ${of}`,
    isRemoved: (status: StatusFilter<Status>['status']): Sql =>
      status?.includes(hidden) === true ? sql`false` : isHidden,
    /** Counts rows, up to one more than the limit of a list's total. */
    count: async (db: Db, where: Sql, filters: StatusFilter<Status>): Promise<number> =>
      (
        await db.one<{ count: number }>(sql`select count(*) as count
          from (select from ${from} where ${where} ${hasStatus(filters)} limit ${MAX_COUNTED + 1}) counted`)
      ).count,
  }
}
