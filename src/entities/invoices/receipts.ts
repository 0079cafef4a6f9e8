import { sql } from '../../db/tenant.ts'
import type { Db } from '../../db/tenant.ts'
import { newId } from '../../shape/id.ts'
import { balance, unbalance } from './payments.ts'

/** Money that the payments provider says has moved for an invoice. */
export type Receipt = {
  invoice: string
  currency: string
  /** The provider's payment that all of it belongs to. */
  charge: string
  /** The event, which counts once. */
  source: string
} & (
  | { kind: 'charge'; amount_cents: number }
  /** All that was refunded of the charge so far (`refund` null), or one refund. */
  | { kind: 'refund'; amount_cents: number; refund: string | null }
  | { kind: 'dispute_opened'; dispute: string }
  /** `amount_cents` is what a lost dispute took; 0 for one that was won. */
  | { kind: 'dispute_closed'; dispute: string; amount_cents: number }
)

/** `unknown`: no such invoice here. `void` and `currency` are for someone to look at; nothing was written. */
export type Booked = 'booked' | 'counted' | 'unknown' | 'void' | 'currency'

type Locked = { status: string; currency: string }

/** Books money that came or went (money 7), once by its event and once by its charge. */
export async function book(db: Db, receipt: Receipt): Promise<Booked> {
  const { invoice } = receipt
  const locked = await db.maybe<Locked>(sql`select status, currency from invoices where tenant_id = ${db.tenant} and id = ${invoice} for no key update`)
  if (locked === undefined) return 'unknown'
  if (locked.status === 'void') return 'void'
  if (receipt.kind !== 'dispute_opened' && receipt.currency !== locked.currency) return 'currency'
  switch (receipt.kind) {
    case 'charge': return charged(db, receipt, receipt.amount_cents, locked)
    case 'refund': return returned(db, receipt, 'refund', await newlyRefunded(db, receipt, receipt.refund ?? receipt.charge, receipt.amount_cents))
    case 'dispute_opened': return disputed(db, receipt, receipt.dispute, false)
    case 'dispute_closed':
      await disputed(db, receipt, receipt.dispute, true)
      return returned(db, { ...receipt, charge: receipt.dispute }, 'dispute', receipt.amount_cents)
  }
}

/** On an invoice that was marked paid by hand, the entry that balances it shrinks by what was really paid. */
async function charged(db: Db, receipt: Receipt, amount: number, { status }: Locked): Promise<Booked> {
  if (status === 'paid') await unbalance(db, receipt.invoice)
  const isNew = await entered(db, receipt, 'charge', amount)
  if (status === 'paid') await balance(db, receipt.invoice)
  return isNew ? settled(db, receipt, true) : 'counted'
}

async function returned(db: Db, receipt: Receipt, kind: 'refund' | 'dispute', amount: number): Promise<Booked> {
  return await entered(db, receipt, kind, -amount) ? settled(db, receipt, false) : 'counted'
}

async function entered(db: Db, { invoice, charge, source }: Receipt, kind: 'charge' | 'refund' | 'dispute', amount: number): Promise<boolean> {
  if (amount === 0) return false
  return await db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents, source, charge)
    values (${db.tenant}, ${newId()}, ${invoice}, ${kind}, ${amount}, ${source}, ${charge}) on conflict do nothing`) === 1
}

/** The status that the payments make; money that goes back moves only an invoice that money had moved. */
async function settled(db: Db, { invoice }: Receipt, came: boolean): Promise<Booked> {
  await db.run(sql`update invoices i set status = s.status, updated_at = later_than(i.updated_at),
    paid_at = case when s.status = 'paid' then coalesce(i.paid_at, moment()) end,
    sent_at = case when s.status = 'sent' then coalesce(i.sent_at, moment()) else i.sent_at end,
    location_address = case when i.status = 'draft' then
      (select formatted_address from locations l where l.tenant_id = i.tenant_id and l.id = i.location_id) else i.location_address end
  from (select case when amount_paid_cents >= total_cents then 'paid' when amount_paid_cents > 0 then 'partially_paid' else 'sent' end as status
    from invoices where tenant_id = ${db.tenant} and id = ${invoice}) s
  where i.tenant_id = ${db.tenant} and i.id = ${invoice} and i.status <> s.status
    and (i.status in ('partially_paid', 'paid') or (${came} and s.status <> 'sent'))`)
  return 'booked'
}

/** What a refund adds to those known of its charge. Sums and single refunds are told of in any order, and tell of the same money. */
async function newlyRefunded(db: Db, { charge }: Receipt, refund: string, amount: number): Promise<number> {
  await db.run(sql`insert into payment_refunds as r (tenant_id, charge, refund, amount_cents) values (${db.tenant}, ${charge}, ${refund}, ${amount})
    on conflict (tenant_id, charge, refund) do update set amount_cents = greatest(r.amount_cents, excluded.amount_cents)`)
  const { more } = await db.one<{ more: number }>(sql`
    select greatest(0, greatest(coalesce(max(amount_cents) filter (where refund = ${charge}), 0), coalesce(sum(amount_cents) filter (where refund <> ${charge}), 0))
      + (select coalesce(sum(amount_cents), 0) from payments where tenant_id = ${db.tenant} and charge = ${charge} and kind = 'refund'))::bigint as more
    from payment_refunds where tenant_id = ${db.tenant} and charge = ${charge}`)
  return more
}

/** An invoice is disputed while one of its disputes is open; closed stays closed, whatever comes late. */
async function disputed(db: Db, { invoice }: Receipt, dispute: string, closed: boolean): Promise<Booked> {
  await db.run(sql`insert into payment_disputes as d (tenant_id, dispute, invoice_id, closed) values (${db.tenant}, ${dispute}, ${invoice}, ${closed})
    on conflict (tenant_id, dispute) do update set closed = d.closed or excluded.closed`)
  await db.run(sql`update invoices set updated_at = later_than(updated_at),
      disputed = exists (select from payment_disputes where tenant_id = ${db.tenant} and invoice_id = ${invoice} and not closed)
    where tenant_id = ${db.tenant} and id = ${invoice}`)
  return 'booked'
}
