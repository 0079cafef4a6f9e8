import { isOfficeWith } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { isBankPaymentPending, lockInvoice } from '../../records/invoices/index.ts'
import { endOtherPages, type Write } from '../checkout_pages.ts'
import type { HostedCheckout } from '../hosted_checkout.ts'
import { isPayableAmount, payableAccount } from '../payable.ts'
import { cancelCharge, concludeCharge, type ChargeOutcome, type OpenCharge } from './charge_outcome.ts'
import { hasOpenCharge } from './open_charges.ts'
import { findPaymentSettings } from './payment_settings.ts'
import { SAVED_PAYMENTS_TASK } from './saved_method.ts'
import type { IntentState, SavedPayments } from './saved_payments_api.ts'

export type Providers = { checkout: HostedCheckout; saved: SavedPayments }

/** A charge to make; `id` is its idempotency key. */
export type ChargeRequest = {
  id: string
  invoice: string
  amount_cents: number
  /** User who charges; null for an automatic payment. */
  user: string | null
  today: string
}

/**
 * Why there is no charge: nothing is owed, another payment is under way, the amount is above the balance or the
 * company's limit, no method is saved, or no account can take it.
 */
export type ChargeRefusal = 'settled' | 'under_way' | 'above_balance' | 'above_limit' | 'no_method' | 'unavailable'

/** Minutes after which a charge that a person requested is dropped: they no longer expect it. */
const MAX_WAIT_MINUTES = 60

/** Seconds after which the worker takes over a charge whose process died. */
const TAKE_OVER_SECONDS = 60

/**
 * Charges a saved method. Writes the row first, then creates a payment intent at the provider and confirms it. An
 * intent is confirmed at most once, so recovery after a crash reads its status and does the next step.
 */
export async function chargeSavedMethod(
  write: Write,
  providers: Providers,
  request: ChargeRequest,
): Promise<ChargeOutcome | ChargeRefusal> {
  const refusal = await write((db) => prepareCharge(db, request))
  return refusal ?? (await advanceCharge(write, providers, request.id)) ?? 'starting'
}

/** Checks under the invoice's lock whether it may be charged, and records the charge. */
export async function prepareCharge(db: Db, request: ChargeRequest): Promise<ChargeRefusal | undefined> {
  const { id, user, amount_cents } = request
  const { before: invoice } = await lockInvoice(db, request.invoice, request.today)
  const existing = await db.maybe(
    sql`select from saved_charges where tenant_id = ${db.tenant} and id = ${id} and invoice_id = ${invoice.id}`,
  )
  if (existing !== undefined) return undefined
  if (invoice.status === 'draft' || invoice.status === 'void' || invoice.balance_due_cents <= 0) return 'settled'
  if (amount_cents > invoice.balance_due_cents) return 'above_balance'
  if (user !== null && amount_cents > (await findPaymentSettings(db)).max_charge_cents) return 'above_limit'
  const [isOpen, isPending, account] = await Promise.all([
    hasOpenCharge(db, invoice.id),
    isBankPaymentPending(db, invoice.id),
    payableAccount(db),
  ])
  if (isOpen || isPending) return 'under_way'
  if (account === undefined || !isPayableAmount(invoice.currency, amount_cents)) return 'unavailable'
  const method = await db.maybe<{ id: string }>(sql`select id from payment_methods
    where tenant_id = ${db.tenant} and customer_id = ${invoice.customer_id} and account_id = ${account}
      and state = 'active' for share`)
  if (method === undefined) return 'no_method'
  await Promise.all([
    db.run(sql`insert into saved_charges (tenant_id, id, invoice_id, method_id, cause, amount_cents, currency, state,
        created_by)
      values (${db.tenant}, ${id}, ${invoice.id}, ${method.id}, ${user === null ? 'autopay' : 'person'},
        ${amount_cents}, ${invoice.currency}, 'starting', ${user})`),
    db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
      values (${db.tenant}, ${newId()}, ${user}, 'invoices.charge', 'invoice', ${invoice.id},
        ${JSON.stringify({ amount_cents: [null, amount_cents] })})`),
    db.run(sql`select ask_chore_by(${db.tenant}, ${SAVED_PAYMENTS_TASK},
      moment() + make_interval(secs => ${TAKE_OVER_SECONDS}))`),
  ])
  return undefined
}

/** Resumes a charge at its current step. Returns undefined if the provider can't be reached now. */
async function advanceCharge(
  write: Write,
  { checkout, saved }: Providers,
  id: string,
): Promise<ChargeOutcome | undefined> {
  const charge = await write((db) => findCharge(db, id))
  if (charge === undefined) return undefined
  if (charge.ended_at !== null) return charge.state
  if (charge.intent === null) {
    // The customer could pay the same amount on an open page.
    const pages = await endOtherPages(write, checkout, charge.invoice_id)
    if (pages === 'unreachable') return undefined
    if (pages === 'under_way') return write((db) => cancelCharge(db, id, pages))
  }
  const intent = charge.intent ?? (await createIntent(write, saved, charge))
  if (intent === undefined) return undefined
  if (typeof intent === 'object') return intent.ended
  const state = await confirmPayment(write, saved, charge, intent)
  return state && write((db) => concludeCharge(db, { ...charge, intent }, state))
}

const findCharge = (db: Db, id: string): Promise<OpenCharge | undefined> =>
  db.maybe<OpenCharge>(sql`select c.tenant_id, c.id, c.invoice_id, c.state, c.cause, c.created_by,
      c.amount_cents, c.currency, c.intent, c.ended_at,
      m.account_id, m.provider_customer, m.method, m.customer_id, i.display_number
    from saved_charges c join payment_methods m on m.tenant_id = c.tenant_id and m.id = c.method_id
    join invoices i on i.tenant_id = c.tenant_id and i.id = c.invoice_id
    where c.tenant_id = ${db.tenant} and c.id = ${id}`)

/** Creates the payment intent at the provider, which moves no money yet. */
async function createIntent(
  write: Write,
  provider: SavedPayments,
  charge: OpenCharge,
): Promise<string | { ended: ChargeOutcome } | undefined> {
  if (!(await write((db) => isStillDue(db, charge))))
    return { ended: await write((db) => cancelCharge(db, charge.id, 'not_due')) }
  const intent = await provider.createIntent({
    id: charge.id,
    account: charge.account_id,
    tenant: charge.tenant_id,
    invoice: charge.invoice_id,
    label: charge.display_number,
    amount_cents: charge.amount_cents,
    currency: charge.currency,
    provider_customer: charge.provider_customer,
    method: charge.method,
  })
  if ('intent' in intent) {
    await write((db) =>
      db.run(sql`update saved_charges set state = 'created', intent = ${intent.intent}
        where tenant_id = ${db.tenant} and id = ${charge.id} and state = 'starting'`),
    )
    return intent.intent
  }
  if (intent.failed === 'unreachable') return undefined
  const { code, message } = intent
  const state = {
    status: 'requires_payment_method',
    charge: null,
    amount_received: null,
    currency: null,
    code,
    message,
  }
  return { ended: await write((db) => concludeCharge(db, charge, state)) }
}

/** Confirms a payment intent, or cancels it if it is no longer due. Returns its state. */
async function confirmPayment(
  write: Write,
  provider: SavedPayments,
  charge: OpenCharge,
  intent: string,
): Promise<IntentState | undefined> {
  const read = (): Promise<IntentState | undefined> => provider.readIntent(charge.account_id, intent)
  const cancel = (): Promise<void> => provider.cancelIntent(charge.account_id, intent)
  const state = await read()
  if (state?.status !== 'requires_confirmation' && state?.status !== 'requires_action') return state
  const isDue = state.status === 'requires_confirmation' && (await write((db) => isStillDue(db, charge)))
  await (isDue ? provider.confirmIntent(charge.account_id, intent, charge.id) : cancel())
  const after = await read()
  if (after?.status === 'requires_confirmation') return undefined
  if (after?.status === 'canceled') return { ...after, code: after.code ?? 'not_due' }
  if (after?.status !== 'requires_action') return after
  await cancel()
  return { ...after, code: after.code ?? 'authentication_required' }
}

/**
 * Checks whether an unconfirmed charge is still wanted: the amount is owed, the method is still saved, and its user may
 * still charge.
 */
const isStillDue = async (db: Db, { id, invoice_id, created_by }: OpenCharge): Promise<boolean> =>
  (created_by === null || (await isOfficeWith(db, created_by, 'write:invoices'))) &&
  (await db.maybe(sql`select from saved_charges c join invoices i on i.tenant_id = c.tenant_id and i.id = c.invoice_id
      join payment_methods m on m.tenant_id = c.tenant_id and m.id = c.method_id
    where c.tenant_id = ${db.tenant} and c.id = ${id} and i.id = ${invoice_id} and m.state = 'active'
      and c.state in ('starting', 'created')
      and i.status <> 'draft' and i.balance_due_cents >= c.amount_cents
      and (c.cause = 'person' and c.created_at > moment() - make_interval(mins => ${MAX_WAIT_MINUTES})
        or c.cause = 'autopay' and exists (select 1 from autopay_runs r
          join autopay a on a.tenant_id = r.tenant_id and a.id = r.autopay_id
          where r.tenant_id = c.tenant_id and r.charge_id = c.id and a.stopped_at is null))
    for no key update of i`)) !== undefined

/** Resumes the open charges. Returns whether the provider answered for all of them. */
export async function advanceOpenCharges(write: Write, providers: Providers): Promise<boolean> {
  const open = await write((db) =>
    db.all<{ id: string }>(sql`select id from saved_charges
      where tenant_id = ${db.tenant} and state in ('starting', 'created', 'processing')
      order by created_at limit 200`),
  )
  let isDone = true
  for (const { id } of open) if ((await advanceCharge(write, providers, id)) === undefined) isDone = false
  return isDone
}
