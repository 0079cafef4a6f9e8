import { sql, type Db } from '../platform/db/tenant.ts'

/** Usage of the assistant in a company on a day; `cost_micros` is in millionths of a dollar. */
export type DayUsage = { day: string; input_tokens: number; output_tokens: number; cost_micros: number }

/** Lists the days on which a company used the assistant, newest first. */
export const listDayUsage = (db: Db, limit: number): Promise<DayUsage[]> =>
  db.all<DayUsage>(sql`
    select day::text, input_tokens::float8, output_tokens::float8, cost_micros::float8 from assistant_days
    where tenant_id = ${db.tenant} and input_tokens + output_tokens > 0 order by day desc limit ${limit}`)

/** Sums a company's usage of the assistant since a day. */
export const sumUsage = (db: Db, since: string): Promise<Omit<DayUsage, 'day'>> =>
  db.one<Omit<DayUsage, 'day'>>(sql`
    select coalesce(sum(input_tokens), 0)::float8 as input_tokens,
      coalesce(sum(output_tokens), 0)::float8 as output_tokens, coalesce(sum(cost_micros), 0)::float8 as cost_micros
    from assistant_days where tenant_id = ${db.tenant} and day >= ${since}`)
