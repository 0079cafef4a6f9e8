import { sql, type Db } from '../../../platform/db/tenant.ts'

/** What became of the quotes that were dated in a month: how many, and their totals in cents. */
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
 * Returns what became of the quotes of some days by the month of their dates: accepted, declined or expired, or still
 * waiting. Drafts, and quotes that were archived without an answer, don't count; options of one offer count as the
 * one that was accepted, else as their first.
 */
export const quoteOutcomes = (db: Db, { from, to }: { from: string; to: string }): Promise<QuoteOutcomes[]> =>
  db.all<QuoteOutcomes>(sql`
  with answered as (
    select to_char(issue_date, 'YYYY-MM') as month, total_cents as cents,
      case when accepted_at is not null then 'won' when declined_at is not null or status = 'expired' then 'lost'
        when status = 'sent' then 'open' end as outcome
    from quotes q where tenant_id = ${db.tenant} and issue_date between ${from} and ${to} and status <> 'draft'
      and (option_set is null or id = (
        select o.id from quotes o
        where o.tenant_id = ${db.tenant} and o.option_set = q.option_set and o.status <> 'draft'
        order by o.accepted_at is null, o.number limit 1)))
  select month, count(*) filter (where outcome = 'won')::integer as won,
    count(*) filter (where outcome = 'lost')::integer as lost,
    count(*) filter (where outcome = 'open')::integer as open,
    coalesce(sum(cents) filter (where outcome = 'won'), 0)::bigint as won_cents,
    coalesce(sum(cents) filter (where outcome = 'lost'), 0)::bigint as lost_cents,
    coalesce(sum(cents) filter (where outcome = 'open'), 0)::bigint as open_cents
  from answered where outcome is not null group by month order by month`)
