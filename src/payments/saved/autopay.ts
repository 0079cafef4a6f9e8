import { ENTERED_TENANT, sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { changeInvoice, isBankPaymentPending, lockInvoice } from '../../records/invoices/index.ts'
import type { Write } from '../checkout_pages.ts'
import { announceAutopay, setRun } from './autopay_runs.ts'
import { advanceOpenCharges, prepareCharge, type ChargeRefusal, type Providers } from './charge.ts'

/** Days of notice before an automatic charge; an invoice due sooner gets one day. */
const NOTICE_DAYS = 3

/** Hour of the company's local day from which automatic charges are made. */
const CHARGES_FROM_HOUR = 9

const BATCH_SIZE = 100

/** The company's local date and hour at a run of the worker. */
type Clock = { today: string; hour: number }

/**
 * Runs automatic payments: issues drafts of plans, notifies customers of coming charges, and makes the charges that are
 * due, each invoice in its own transaction. Returns whether the provider answered for all charges.
 */
export async function runAutopay(write: Write, providers: Providers, { today, hour }: Clock): Promise<boolean> {
  for (const { id } of await write((db) => listDrafts(db, today))) await write((db) => issueDraft(db, id, today))
  for (const { id } of await write((db) => listUnnotified(db, today)))
    await write((db) => notifyCustomer(db, id, today))
  if (hour >= CHARGES_FROM_HOUR)
    for (const { id } of await write((db) => listDue(db, today))) await write((db) => startCharge(db, id, today))
  return advanceOpenCharges(write, providers)
}

type Ids = Promise<{ id: string }[]>

/** Condition for agreements `a` in force for an invoice `i`. */
const isAgreed = sql`a.tenant_id = i.tenant_id and a.customer_id = i.customer_id and a.stopped_at is null
  and (a.plan_id = i.plan_id or a.plan_id is null)`

/** Returns drafts due soon that plans made after their customers agreed to automatic payments. */
const listDrafts = (db: Db, today: string): Ids =>
  db.all(sql`select i.id from invoices i join autopay a on ${isAgreed} and a.plan_id is not null
    where i.tenant_id = ${db.tenant} and i.status = 'draft' and i.created_at >= a.consented_at
      and i.total_cents > 0 and i.due_date - ${NOTICE_DAYS}::integer <= ${today}::date
    order by i.id limit ${BATCH_SIZE}`)

async function issueDraft(db: Db, id: string, today: string): Promise<void> {
  const locked = await lockInvoice(db, id, today)
  if (locked.before.status !== 'draft') return
  await changeInvoice(db, { user: null }, locked, 'sent', {}, today)
  await db.run(sql`insert into audit (tenant_id, id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, 'invoices.issue_for_autopay', 'invoice', ${id},
      ${JSON.stringify({ status: ['draft', 'sent'] })})`)
}

/** Condition for invoices `i` that can be charged: owed, undisputed, of a customer with a saved method. */
const isOwed = sql`i.status in ('sent', 'partially_paid') and i.balance_due_cents > 0 and not i.disputed
  and exists (select 1 from payment_methods m
    where m.tenant_id = ${ENTERED_TENANT} and m.customer_id = i.customer_id and m.state = 'active')`

/** Returns invoices to charge soon whose customers have no notice yet. Those overdue at the agreement are left out. */
const listUnnotified = (db: Db, today: string): Ids =>
  db.all(sql`select distinct i.id from invoices i join autopay a on ${isAgreed} join tenants t on t.id = i.tenant_id
    where i.tenant_id = ${db.tenant} and ${isOwed} and i.due_date - ${NOTICE_DAYS}::integer <= ${today}::date
      and i.due_date >= (a.consented_at at time zone t.timezone)::date
      and not exists (select 1 from autopay_runs r where r.tenant_id = ${db.tenant} and r.invoice_id = i.id
        and r.state <> 'stopped')
    order by i.id limit ${BATCH_SIZE}`)

/** Notifies the customer of a coming charge: on the due date, but never on the day of the notice. */
async function notifyCustomer(db: Db, id: string, today: string): Promise<void> {
  await lockInvoice(db, id, today)
  const count = await db.run(sql`insert into autopay_runs as r
      (tenant_id, invoice_id, autopay_id, state, charge_on, told_cents)
    select i.tenant_id, i.id, a.id, 'waiting', greatest(i.due_date, ${today}::date + 1), i.balance_due_cents
    from invoices i join autopay a on ${isAgreed}
    where i.tenant_id = ${db.tenant} and i.id = ${id} and ${isOwed}
    order by a.plan_id nulls last limit 1
    on conflict (tenant_id, invoice_id) do update set autopay_id = excluded.autopay_id, state = 'waiting',
      charge_on = excluded.charge_on, told_cents = excluded.told_cents, told_at = null,
      updated_at = later_than(r.updated_at)
    where r.state = 'stopped'`)
  if (count > 0) await announceAutopay(db, 'autopay_coming', id)
}

const listDue = (db: Db, today: string): Ids =>
  db.all(sql`select invoice_id as id from autopay_runs
    where tenant_id = ${db.tenant} and state = 'waiting' and charge_on <= ${today}::date
    order by invoice_id limit ${BATCH_SIZE}`)

/** Records the charge of an invoice together with its run, so that neither exists without the other. */
async function startCharge(db: Db, id: string, today: string): Promise<void> {
  const { before: invoice } = await lockInvoice(db, id, today)
  const run = await db.maybe<{ told_cents: number; is_told: boolean; is_agreed: boolean }>(sql`
    select r.told_cents, r.told_at is not null as is_told, a.stopped_at is null as is_agreed from autopay_runs r
    join autopay a on a.tenant_id = r.tenant_id and a.id = r.autopay_id
    where r.tenant_id = ${db.tenant} and r.invoice_id = ${id} and r.state = 'waiting' and r.charge_on <= ${today}::date
    for no key update of r`)
  if (run === undefined) return
  if (!run.is_agreed || invoice.status === 'void' || invoice.status === 'uncollectible')
    return void (await setRun(db, id, 'stopped', 0))
  if (invoice.status === 'draft' || (await isDisputed(db, id)) || (await isBankPaymentPending(db, id))) return
  if (invoice.balance_due_cents > run.told_cents) return notifyOfIncrease(db, id, invoice.balance_due_cents, today)
  // The customer was promised a notice first, so the office has to contact them.
  if (!run.is_told) return void (await setRun(db, id, 'failed', 0, 'untold'))
  const charge = newId()
  const refusal = await prepareCharge(db, {
    id: charge,
    invoice: id,
    amount_cents: invoice.balance_due_cents,
    user: null,
    today,
  })
  if (refusal !== undefined) return applyRefusal(db, id, refusal)
  await db.run(sql`update autopay_runs set state = 'charging', charge_id = ${charge}, updated_at = moment()
    where tenant_id = ${db.tenant} and invoice_id = ${id}`)
}

const isDisputed = async (db: Db, id: string): Promise<boolean> =>
  (await db.maybe(sql`select from invoices where tenant_id = ${db.tenant} and id = ${id} and disputed`)) !== undefined

/** Notifies the customer of an increased amount, and postpones the charge to the next day. */
async function notifyOfIncrease(db: Db, id: string, cents: number, today: string): Promise<void> {
  await db.run(sql`update autopay_runs set told_cents = ${cents}, told_at = null, updated_at = moment(),
      charge_on = ${today}::date + 1
    where tenant_id = ${db.tenant} and invoice_id = ${id}`)
  await announceAutopay(db, 'autopay_coming', id)
}

async function applyRefusal(db: Db, id: string, refusal: ChargeRefusal): Promise<void> {
  if (refusal === 'settled') await setRun(db, id, 'paid', 0)
  else if (refusal !== 'under_way') {
    await setRun(db, id, 'failed', 0, refusal)
    await announceAutopay(db, 'autopay_failed', id)
  }
}
