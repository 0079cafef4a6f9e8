import { join, raw } from '../../../platform/db/database.ts'
import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'

/** Outcomes of the quotes issued in a month: their numbers, and their totals in cents. */
export type QuoteOutcomes = {
  /** Calendar month, such as 2026-11. */
  month: string
  won: number
  lost: number
  open: number
  won_cents: number
  lost_cents: number
  open_cents: number
}

/**
 * Returns the outcomes of quotes by the month of their issue date: accepted, declined or expired, or still waiting.
 * Drafts and quotes archived without an answer don't count. Options of one set count as the accepted one, else as the
 * first one.
 */
export const quoteOutcomes = (db: Db, { from, to }: { from: string; to: string }): Promise<QuoteOutcomes[]> =>
  db.all<QuoteOutcomes>(sql`
  with answered as (
    select issue_date, total_cents as cents, accepted_at is not null as won,
      accepted_at is null and (declined_at is not null or status = 'expired') as lost,
      accepted_at is null and declined_at is null and status = 'sent' as open
    from quotes q where tenant_id = ${db.tenant} and issue_date between ${from} and ${to} and status <> 'draft'
      and (option_set is null or id = (
        select o.id from quotes o
        where o.tenant_id = ${db.tenant} and o.option_set = q.option_set and o.status <> 'draft'
        order by o.accepted_at is null, o.number limit 1))),
  days as (
    select issue_date, ${perOutcome((of) => sql`count(*) filter (where ${of}) as ${of}`)},
      ${perOutcome((of) => sql`sum_cents(cents) filter (where ${of}) as ${of}_cents`)}
    from answered where won or lost or open group by issue_date)
  select to_char(issue_date, 'YYYY-MM') as month, ${perOutcome((of) => sql`sum(${of})::integer as ${of}`)},
    ${perOutcome((of) => sql`coalesce(sum_cents(${of}_cents), 0) as ${of}_cents`)}
  from days group by month order by month`)

/** Returns a column for each outcome. Days are summed before months, since naming a month costs more than its sum. */
const perOutcome = (column: (outcome: Sql) => Sql): Sql =>
  join((['won', 'lost', 'open'] as const).map((outcome) => column(raw(outcome))))
