import { sql, type Db } from '../../../platform/db/tenant.ts'

/** One refund by its id, or the total refunded of the charge at a time (`refund` null). Missing times mean now. */
export type ReportedRefund = {
  amount_cents: number
  refund: string | null
  failed: boolean
  at: string | null
  made_at: string | null
}

/**
 * Returns the amount that a report adds to the booked refunds of its charge; negative if a booked refund failed. Totals
 * and single refunds arrive in any order, and concern the same money.
 */
export async function recordRefunds(db: Db, charge: string, refund: ReportedRefund): Promise<number> {
  await (refund.refund === null ? saveRefundSum(db, charge, refund) : saveRefund(db, charge, refund.refund, refund))
  const { added } = await db.one<{ added: number }>(sql`
    select (greatest(0,
      (select max(s.amount_cents - coalesce((select sum(f.amount_cents)
        from payment_refunds f
        where f.tenant_id = ${db.tenant} and f.charge = s.charge
        and f.failed and f.failed_at >= s.told_at and coalesce(f.made_at <= s.told_at, true)), 0))
      from payment_refund_sums s
      where s.tenant_id = ${db.tenant} and s.charge = ${charge}),
      (select sum(amount_cents)
        from payment_refunds
        where tenant_id = ${db.tenant} and charge = ${charge} and not failed))
      + (select coalesce(sum(amount_cents), 0)
        from payments
        where tenant_id = ${db.tenant} and charge = ${charge} and kind = 'refund')
      + (select coalesce(sum(amount_cents), 0)
        from tips
        where tenant_id = ${db.tenant} and charge = ${charge} and kind = 'refund'))::bigint as added`)
  return added
}

const saveRefundSum = (db: Db, charge: string, { amount_cents, at }: ReportedRefund): Promise<number> =>
  db.run(sql`insert into payment_refund_sums as s (tenant_id, charge, told_at, amount_cents)
    values (${db.tenant}, ${charge}, coalesce(${at}::timestamptz, moment()), ${amount_cents})
    on conflict (tenant_id, charge, told_at)
      do update set amount_cents = greatest(s.amount_cents, excluded.amount_cents)`)

/** Saves a refund. One that succeeded may still fail; a failed one never succeeds. */
const saveRefund = (
  db: Db,
  charge: string,
  refund: string,
  { amount_cents, failed, at, made_at }: ReportedRefund,
): Promise<number> =>
  db.run(sql`insert into payment_refunds as r (tenant_id, charge, refund, amount_cents, failed, made_at, failed_at)
    values (${db.tenant}, ${charge}, ${refund}, ${amount_cents}, ${failed}, ${made_at},
      case when ${failed}::boolean then coalesce(${at}::timestamptz, moment()) end)
    on conflict (tenant_id, charge, refund)
      do update set amount_cents = greatest(r.amount_cents, excluded.amount_cents), failed = r.failed
        or excluded.failed,
      made_at = coalesce(r.made_at, excluded.made_at), failed_at = least(r.failed_at, excluded.failed_at)`)
