import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'

/** Days before each retry of a failed automatic charge. After the last failure, a person takes over. */
const RETRY_DAYS: readonly number[] = [3, 5, 7]

/**
 * The provider's decline codes that rule out a retry with the same card or account: the customer has to choose another
 * one, or to authenticate.
 */
const FINAL_CODES: ReadonlySet<string> = new Set(
  (
    'account_closed authentication_required bank_account_unusable card_not_supported debit_not_authorized ' +
    'expired_card fraudulent invalid_account lost_card no_account no_method payment_method_not_available ' +
    'pickup_card resource_missing restricted_card revocation_of_all_authorizations ' +
    'revocation_of_authorization stolen_card stop_payment_order'
  ).split(' '),
)

type ChargeState = 'starting' | 'created' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/** Updates the run of an automatic charge by its outcome: paid, retried in some days, or left to a person. */
export async function recordRunOutcome(
  db: Db,
  charge: string,
  outcome: ChargeState,
  code: string | null,
): Promise<void> {
  const run = await db.maybe<{ invoice_id: string; failures: number }>(sql`select invoice_id, failures from autopay_runs
    where tenant_id = ${db.tenant} and charge_id = ${charge} and state = 'charging' for no key update`)
  if (run === undefined) return
  const { invoice_id: invoice } = run
  if (outcome === 'succeeded') await setRun(db, invoice, 'paid', 0)
  else if (outcome === 'canceled') await setRun(db, invoice, 'waiting', 1)
  else if (outcome === 'failed') {
    const days = code !== null && FINAL_CODES.has(code) ? undefined : RETRY_DAYS[run.failures]
    await setRun(db, invoice, days === undefined ? 'failed' : 'waiting', days ?? 0, code ?? 'declined')
    await announceAutopay(db, 'autopay_failed', invoice)
  }
}

/** Saves the next state of a run and its failure. `days` count from its charge date, or from today if later. */
export const setRun = (
  db: Db,
  invoice: string,
  state: 'waiting' | 'paid' | 'failed' | 'stopped',
  days: number,
  failure: string | null = null,
): Promise<number> =>
  db.run(sql`update autopay_runs r set state = ${state}, updated_at = moment(),
      failures = failures + case when ${failure}::text is null then 0 else 1 end,
      reason = coalesce(${failure}, reason),
      charge_on = case when ${days}::integer = 0 then charge_on else greatest(charge_on,
        (select (moment() at time zone t.timezone)::date from tenants t where t.id = r.tenant_id))
        + ${days}::integer end
    where tenant_id = ${db.tenant} and invoice_id = ${invoice}`)

/** Queues a message to the customer about an automatic payment, in the transaction of its cause. */
export const announceAutopay = (db: Db, kind: 'autopay_coming' | 'autopay_failed', invoice: string): Promise<number> =>
  db.run(sql`select announce(r.tenant_id, ${newId()}, ${kind}, r.invoice_id,
      jsonb_build_object('amount_cents', r.told_cents, 'day', r.charge_on))
    from autopay_runs r where r.tenant_id = ${db.tenant} and r.invoice_id = ${invoice}`)

/** A scheduled or failed automatic payment. */
export type AutopayRun = {
  invoice_id: string
  display_number: string
  customer_id: string
  customer_name: string
  state: 'waiting' | 'charging' | 'failed' | 'stopped'
  charge_on: string
  failures: number
  balance_due_cents: number
  currency: string
  code: string | null
}

const RUNS = sql`select r.invoice_id, i.display_number, i.customer_id, c.display_name as customer_name, r.state,
    r.charge_on, r.failures, i.balance_due_cents, i.currency, r.reason as code
  from autopay_runs r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
  join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id`

const MAX_RUNS = 100

/** Returns failed automatic payments that are still owed, oldest failure first: a person handles each of them. */
export const listFailedRuns = (db: Db): Promise<AutopayRun[]> =>
  db.all<AutopayRun>(sql`${RUNS} where r.tenant_id = ${db.tenant} and r.failures > 0 and r.state <> 'paid'
      and i.status in ('sent', 'partially_paid') and i.balance_due_cents > 0
    order by r.updated_at, r.invoice_id limit ${MAX_RUNS}`)

/** Returns a customer's scheduled and failed automatic payments, by charge date. */
export const listRunsOf = (db: Db, customer: string): Promise<AutopayRun[]> =>
  db.all<AutopayRun>(sql`${RUNS} where r.tenant_id = ${db.tenant} and i.customer_id = ${customer}
      and r.state in ('waiting', 'charging', 'failed') and i.status in ('sent', 'partially_paid')
      and i.balance_due_cents > 0
    order by r.charge_on, i.number limit ${MAX_RUNS}`)

/** Returns the automatic payment of an invoice, unless it is paid. */
export const findRun = (db: Db, invoice: string): Promise<AutopayRun | undefined> =>
  db.maybe<AutopayRun>(sql`${RUNS} where r.tenant_id = ${db.tenant} and r.invoice_id = ${invoice}
    and r.state <> 'paid'`)

/** Reschedules a customer's failed payments for tomorrow, after they saved another card or account. */
export const resumeRuns = (db: Db, customer: string): Promise<number> =>
  db.run(sql`update autopay_runs r set state = 'waiting', failures = 0, updated_at = moment(), charge_on = (
      select (moment() at time zone t.timezone)::date + 1 from tenants t where t.id = r.tenant_id)
    from invoices i, autopay a
    where r.tenant_id = ${db.tenant} and i.tenant_id = r.tenant_id and i.id = r.invoice_id
      and i.customer_id = ${customer} and a.tenant_id = r.tenant_id and a.id = r.autopay_id and a.stopped_at is null
      and (r.state = 'failed' or r.state = 'waiting' and r.failures > 0)`)
