import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import type { DayRange } from '../accounting/sales.ts'

/** A tip, or its return (negative). */
export type TipRow = { id: string; kind: 'tip' | 'refund' | 'dispute'; amount_cents: number; paid_on: string }

/** Money of a payment, split between the invoice and the tip. */
type SplitAmount = { invoice_cents: number; tip_cents: number }

/** Books the tip of a payment, at most once. The invoice is locked. */
export const addTip = (
  db: Db,
  invoice: string,
  charge: string,
  kind: TipRow['kind'],
  amount_cents: number,
): Promise<number> =>
  amount_cents === 0
    ? Promise.resolve(0)
    : db.run(sql`insert into tips (tenant_id, id, invoice_id, kind, amount_cents, charge)
        values (${db.tenant}, ${newId()}, ${invoice}, ${kind}, ${amount_cents}, ${charge}) on conflict do nothing`)

type ChargeTotals = { paid: number; tip: number; refunded_tip: number }

/**
 * Splits returned money: the invoice's money goes back first, then the tip. A negative amount reverses a return, the
 * tip first. Without a tip, all of it is the invoice's.
 */
export async function splitReturn(db: Db, charge: string, cents: number): Promise<SplitAmount> {
  const { paid, tip, refunded_tip } = await db.one<ChargeTotals>(sql`select
      coalesce((select sum(amount_cents) from payments
        where tenant_id = ${db.tenant} and charge = ${charge} and kind in ('charge', 'refund')), 0)::bigint as paid,
      coalesce((select sum(amount_cents) from tips
        where tenant_id = ${db.tenant} and charge = ${charge} and kind <> 'dispute'), 0)::bigint as tip,
      0 - coalesce((select sum(amount_cents) from tips
        where tenant_id = ${db.tenant} and charge = ${charge} and kind = 'refund'), 0)::bigint as refunded_tip`)
  if (tip + refunded_tip === 0) return { invoice_cents: cents, tip_cents: 0 }
  return cents >= 0 ? splitOutgoing(cents, paid, tip) : splitReversal(cents, refunded_tip)
}

/** Takes cents from the remaining invoice money first, then from the remaining tip. */
export function splitOutgoing(cents: number, paid: number, tip: number): SplitAmount {
  const tip_cents = Math.min(Math.max(cents - Math.max(paid, 0), 0), Math.max(tip, 0))
  return { invoice_cents: cents - tip_cents, tip_cents }
}

/** Gives cents back to the tip, up to its refunded amount, and the rest to the invoice. */
export function splitReversal(cents: number, refundedTip: number): SplitAmount {
  const tip_cents = 0 - Math.min(0 - cents, Math.max(refundedTip, 0))
  return { invoice_cents: cents - tip_cents, tip_cents }
}

/** Returns the tips of an invoice, oldest first. */
export const listTips = (db: Db, invoice: string): Promise<TipRow[]> =>
  db.all<TipRow>(sql`select id, kind, amount_cents, paid_on from tips
    where tenant_id = ${db.tenant} and invoice_id = ${invoice} order by at, id`)

/** Tips of a month, net of returns. */
type TipMonth = { month: string; cents: number; tips: number }

/** Returns tips by month of their payment date. */
export const sumTips = (db: Db, { from, to }: DayRange): Promise<TipMonth[]> =>
  db.all<TipMonth>(sql`select to_char(paid_on, 'YYYY-MM') as month, sum(amount_cents)::bigint as cents,
      count(*) filter (where kind = 'tip')::integer as tips
    from tips where tenant_id = ${db.tenant} and paid_on between ${from} and ${to} group by 1 order by 1`)

export type ExportedTip = TipRow & { currency: string; invoice_number: string; customer_name: string; charge: string }

/** Returns the tips of a date range and their returns by id, up to `limit` after the given one. */
export const exportTips = (
  db: Db,
  { from, to }: DayRange,
  after: string | undefined,
  limit: number,
): Promise<ExportedTip[]> =>
  db.all<ExportedTip>(sql`select t.id, t.kind, t.amount_cents, t.paid_on, t.charge, i.currency,
      i.display_number as invoice_number, c.display_name as customer_name
    from tips t join invoices i on i.tenant_id = t.tenant_id and i.id = t.invoice_id
    join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
    where t.tenant_id = ${db.tenant} and t.paid_on between ${from} and ${to}
      and (${after ?? null}::uuid is null or t.id > ${after ?? null}) order by t.id limit ${limit}`)
