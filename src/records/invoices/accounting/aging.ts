import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Amounts owed by a customer by days past due, in cents (docs/spec/money.md#reports). */
export type AgingRow = Ages & { customer_id: string; customer_name: string; invoices: number }

export type Ages = {
  current_cents: number
  to_30_cents: number
  to_60_cents: number
  to_90_cents: number
  over_90_cents: number
  balance_cents: number
}

/** First and last day past due of each amount; null is unbounded. The statement below has the same bounds. */
export const AGE_DAYS: Readonly<Record<keyof Ages, { from: number | null; to: number | null }>> = {
  balance_cents: { from: null, to: null },
  current_cents: { from: null, to: 0 },
  to_30_cents: { from: 1, to: 30 },
  to_60_cents: { from: 31, to: 60 },
  to_90_cents: { from: 61, to: 90 },
  over_90_cents: { from: 91, to: null },
}

/** Returns the past due part of the amounts. */
export const pastDueCents = ({ balance_cents, current_cents }: Ages): number => balance_cents - current_cents

export type Aging = { rows: AgingRow[]; sums: Ages; customers: number }

const ZERO_AGES: Ages = {
  current_cents: 0,
  to_30_cents: 0,
  to_60_cents: 0,
  to_90_cents: 0,
  over_90_cents: 0,
  balance_cents: 0,
}
const AGES = Object.keys(ZERO_AGES) as (keyof Ages)[]

/** Returns up to `limit` customers with their balances on a day, largest first, and the sums of all. */
export async function agingOf(db: Db, today: string, limit: number): Promise<Aging> {
  const agingRows = await db.all<AgingRow & { customers: number } & Record<`all_${keyof Ages}`, number>>(
    sql`with late as (select customer_id, ${today}::date - due_date as days, balance_due_cents as cents from invoices
        where tenant_id = ${db.tenant} and status in ('sent', 'partially_paid') and balance_due_cents <> 0),
      sums as (select customer_id, count(*)::integer as invoices,
        coalesce(sum_cents(cents) filter (where days <= 0), 0) as current_cents,
        coalesce(sum_cents(cents) filter (where days between 1 and 30), 0) as to_30_cents,
        coalesce(sum_cents(cents) filter (where days between 31 and 60), 0) as to_60_cents,
        coalesce(sum_cents(cents) filter (where days between 61 and 90), 0) as to_90_cents,
        coalesce(sum_cents(cents) filter (where days > 90), 0) as over_90_cents, sum_cents(cents) as balance_cents
        from late group by customer_id),
      shown as (select *, count(*) over ()::integer as customers,
        sum_cents(current_cents) over () as all_current_cents,
        sum_cents(to_30_cents) over () as all_to_30_cents, sum_cents(to_60_cents) over () as all_to_60_cents,
        sum_cents(to_90_cents) over () as all_to_90_cents,
        sum_cents(over_90_cents) over () as all_over_90_cents,
        sum_cents(balance_cents) over () as all_balance_cents
        from sums order by balance_cents desc, customer_id limit ${limit})
    select s.*, c.display_name as customer_name
    from shown s join customers c on c.tenant_id = ${db.tenant} and c.id = s.customer_id
    order by s.balance_cents desc, s.customer_id`,
  )
  const [first] = agingRows
  if (first === undefined) return { rows: [], sums: ZERO_AGES, customers: 0 }
  const sums = Object.fromEntries(AGES.map((age) => [age, first[`all_${age}`]])) as Ages
  return { rows: agingRows, sums, customers: first.customers }
}
