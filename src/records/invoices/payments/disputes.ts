import { sql, type Db } from '../../../platform/db/tenant.ts'

/** The provider's report of an opened or closed dispute; unreported fields are null. */
type DisputeReport = {
  dispute: string
  amount_cents: number | null
  reason: string | null
  closed: boolean
  outcome: string | null
}

/**
 * Flags a locked invoice while one of its disputes is open. A closed dispute stays closed, even if an opening arrives
 * late. Returns whether the report was new.
 */
export async function recordDispute(
  db: Db,
  invoice: string,
  { dispute, amount_cents, reason, closed, outcome }: DisputeReport,
): Promise<boolean> {
  const [existing] = await Promise.all([
    db.maybe<{ closed: boolean }>(
      sql`select closed from payment_disputes where tenant_id = ${db.tenant} and dispute = ${dispute}`,
    ),
    db.run(sql`insert into payment_disputes as d (tenant_id, dispute, invoice_id, amount_cents, reason, closed, outcome,
      opened_at, closed_at)
      values (${db.tenant}, ${dispute}, ${invoice}, ${amount_cents}, ${reason}, ${closed}, ${outcome},
        case when not ${closed}::boolean then moment() end, case when ${closed}::boolean then moment() end)
      on conflict (tenant_id, dispute)
        do update set closed = d.closed
          or excluded.closed, amount_cents = coalesce(d.amount_cents, excluded.amount_cents),
        reason = coalesce(d.reason, excluded.reason), outcome = coalesce(d.outcome, excluded.outcome),
        opened_at = coalesce(d.opened_at, excluded.opened_at), closed_at = coalesce(d.closed_at, excluded.closed_at)`),
    db.run(sql`update invoices i set updated_at = later_than(i.updated_at), disputed = not i.disputed
      where i.tenant_id = ${db.tenant} and i.id = ${invoice}
        and i.disputed <> exists (select 1 from payment_disputes
          where tenant_id = ${db.tenant} and invoice_id = ${invoice} and not closed)`),
  ])
  return existing === undefined || (closed && !existing.closed)
}
