import { sql } from '../../db/tenant.ts'
import type { Db } from '../../db/tenant.ts'
import { newId } from '../../shape/id.ts'
import { noteActivity, noteFailure } from './activity.ts'
import type { Standing } from './activity.ts'
import { disputeInvoice } from './disputes.ts'
import { balance, unbalance } from './payments.ts'

/** What the payments provider says has happened to an invoice's money. */
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
  | { kind: 'dispute_opened'; dispute: string; disputed_cents: number | null; reason: string | null }
  /** `amount_cents` is what a lost dispute took; 0 for one that ended otherwise. */
  | { kind: 'dispute_closed'; dispute: string; amount_cents: number; outcome: string | null }
  /** No money moved. `attempt` is the charge that failed, or what else names this one try. */
  | { kind: 'failed'; attempt: string; tried_cents: number | null; code: string | null; message: string | null }
)

type Of<Kind extends Receipt['kind']> = Extract<Receipt, { kind: Kind }>

/** `unknown`: no such invoice here. `void` and `currency` are for someone to look at; nothing was written. */
export type Booked = 'booked' | 'counted' | 'unknown' | 'void' | 'currency'

type Locked = Standing & { currency: string }

/** Books what came, went or failed (money 7), once by its event and once by its charge, with an entry in the invoice's history. */
export async function book(db: Db, receipt: Receipt): Promise<Booked> {
  const { invoice } = receipt
  const locked = await db.maybe<Locked>(sql`select status, amount_paid_cents, disputed, currency from invoices
    where tenant_id = ${db.tenant} and id = ${invoice} for no key update`)
  if (locked === undefined) return 'unknown'
  const { currency, ...before } = locked
  if (receipt.kind === 'failed') return newly(await failed(db, receipt, before))
  if (before.status === 'void') return 'void'
  if (receipt.kind !== 'dispute_opened' && receipt.currency !== currency) return 'currency'
  switch (receipt.kind) {
    case 'charge': return newly(await charged(db, receipt, before))
    case 'refund': return newly(await refunded(db, receipt, before))
    case 'dispute_opened': return newly(await disputeOpened(db, receipt, before))
    case 'dispute_closed': return newly(await disputeClosed(db, receipt, before))
  }
}

const newly = (isNew: boolean): Booked => (isNew ? 'booked' : 'counted')

function failed(db: Db, { invoice, attempt, tried_cents, code, message }: Of<'failed'>, before: Standing): Promise<boolean> {
  return noteFailure(db, invoice, before, { attempt, amount_cents: tried_cents, code, message })
}

/** On an invoice that was marked paid by hand, the entry that balances it shrinks by what was really paid. */
async function charged(db: Db, receipt: Of<'charge'>, before: Standing): Promise<boolean> {
  const { invoice, amount_cents, charge } = receipt
  if (before.status === 'paid') await unbalance(db, invoice)
  const isNew = await entered(db, receipt, 'charge', amount_cents)
  if (before.status === 'paid') await balance(db, invoice)
  if (!isNew) return false
  await settle(db, invoice, true)
  await noteActivity(db, invoice, 'invoices.payment_received', before, { amount_cents, charge })
  return true
}

async function refunded(db: Db, receipt: Of<'refund'>, before: Standing): Promise<boolean> {
  const { invoice, charge } = receipt
  const amount_cents = await newlyRefunded(db, receipt)
  if (!await entered(db, receipt, 'refund', -amount_cents)) return false
  await settle(db, invoice, false)
  await noteActivity(db, invoice, 'invoices.payment_refunded', before, { amount_cents, charge })
  return true
}

async function disputeOpened(db: Db, { invoice, dispute, disputed_cents: amount_cents, reason }: Of<'dispute_opened'>, before: Standing): Promise<boolean> {
  const isNew = await disputeInvoice(db, invoice, { dispute, amount_cents, reason, closed: false, outcome: null })
  if (isNew) await noteActivity(db, invoice, 'invoices.dispute_opened', before, { dispute, amount_cents, reason })
  return isNew
}

async function disputeClosed(db: Db, receipt: Of<'dispute_closed'>, before: Standing): Promise<boolean> {
  const { invoice, dispute, amount_cents, outcome } = receipt
  const isNew = await disputeInvoice(db, invoice, { dispute, amount_cents: amount_cents || null, reason: null, closed: true, outcome })
  const isLost = await entered(db, { ...receipt, charge: dispute }, 'dispute', -amount_cents)
  if (isLost) await settle(db, invoice, false)
  if (!isNew && !isLost) return false
  const activity = isLost ? 'invoices.dispute_lost' : outcome === 'won' ? 'invoices.dispute_won' : 'invoices.dispute_closed'
  await noteActivity(db, invoice, activity, before, { dispute, outcome, ...(isLost ? { amount_cents } : {}) })
  return true
}

async function entered(db: Db, { invoice, charge, source }: Receipt, kind: 'charge' | 'refund' | 'dispute', amount: number): Promise<boolean> {
  if (amount === 0) return false
  return await db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents, source, charge)
    values (${db.tenant}, ${newId()}, ${invoice}, ${kind}, ${amount}, ${source}, ${charge}) on conflict do nothing`) === 1
}

/** The status that the payments make; money that goes back moves only an invoice that money had moved. */
const settle = (db: Db, invoice: string, came: boolean): Promise<number> =>
  db.run(sql`update invoices i set status = s.status, updated_at = later_than(i.updated_at),
    paid_at = case when s.status = 'paid' then coalesce(i.paid_at, moment()) end,
    sent_at = case when s.status = 'sent' then coalesce(i.sent_at, moment()) else i.sent_at end,
    location_address = case when i.status = 'draft' then
      (select formatted_address from locations l where l.tenant_id = i.tenant_id and l.id = i.location_id) else i.location_address end
  from (select case when amount_paid_cents >= total_cents then 'paid' when amount_paid_cents > 0 then 'partially_paid' else 'sent' end as status
    from invoices where tenant_id = ${db.tenant} and id = ${invoice}) s
  where i.tenant_id = ${db.tenant} and i.id = ${invoice} and i.status <> s.status
    and (i.status in ('partially_paid', 'paid') or (${came} and s.status <> 'sent'))`)

/** What a refund adds to those known of its charge. Sums and single refunds are told of in any order, and tell of the same money. */
async function newlyRefunded(db: Db, { charge, refund, amount_cents }: Of<'refund'>): Promise<number> {
  await db.run(sql`insert into payment_refunds as r (tenant_id, charge, refund, amount_cents) values (${db.tenant}, ${charge}, ${refund ?? charge}, ${amount_cents})
    on conflict (tenant_id, charge, refund) do update set amount_cents = greatest(r.amount_cents, excluded.amount_cents)`)
  const { more } = await db.one<{ more: number }>(sql`
    select greatest(0, greatest(coalesce(max(amount_cents) filter (where refund = ${charge}), 0), coalesce(sum(amount_cents) filter (where refund <> ${charge}), 0))
      + (select coalesce(sum(amount_cents), 0) from payments where tenant_id = ${db.tenant} and charge = ${charge} and kind = 'refund'))::bigint as more
    from payment_refunds where tenant_id = ${db.tenant} and charge = ${charge}`)
  return more
}
