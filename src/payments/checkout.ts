import { sql, type Db } from '../platform/db/tenant.ts'
import { isBankPaymentPending, lockInvoice, type Invoice } from '../records/invoices/index.ts'
import { newId } from '../platform/validation/id.ts'
import {
  CHECKOUT_END_TASK,
  endPages,
  failUnmadePages,
  pagesWithSession,
  pagesOf,
  settlePage,
  type CreatedPage,
  type Write,
} from './checkout_pages.ts'
import type { CheckoutRequest, HostedCheckout } from './hosted_checkout.ts'
import { findPayerEmail, isPayableAmount, payableAccount } from './payable.ts'
import { hasOpenCharge } from './saved/open_charges.ts'
import { findPaymentSettings } from './saved/payment_settings.ts'

/** Lifetime of a checkout page in minutes; the provider's minimum is 30. */
const PAGE_LIFETIME_MINUTES = 35

/** A click on "Pay". `press` is its idempotency key: repeated requests create one page. */
type CheckoutClick = Pick<CheckoutRequest, 'invoice' | 'language' | 'paidUrl' | 'backUrl'> & {
  idempotencyKey: string
  today: string
  /** Part of the balance that the customer chose; null for the full balance. */
  part_cents: number | null
  tip_cents: number
  labelOf: (invoice: Invoice) => string
  tipLabel: string
}

/**
 * Why a click creates no page: nothing is owed any more, a payment is under way, the balance changed meanwhile, another
 * page is being created, the provider refused or can't be reached now, the company has no account that can be paid, or
 * the chosen part or tip isn't allowed.
 */
export type CheckoutRefusal =
  | 'settled'
  | 'under_way'
  | 'moved'
  | 'busy'
  | 'refused'
  | 'unreachable'
  | 'unavailable'
  | 'bad_amount'

/** Checks whether an invoice can be paid online: checkout is configured, and an account can take its balance. */
export const mayPayOnline = async (
  db: Db,
  checkout: HostedCheckout | null,
  invoice: Pick<Invoice, 'currency' | 'balance_due_cents'>,
): Promise<boolean> =>
  checkout !== null &&
  isPayableAmount(invoice.currency, invoice.balance_due_cents) &&
  (await payableAccount(db)) !== undefined

type CheckoutStart = { request: CheckoutRequest; earlier: CreatedPage[] }

/**
 * Returns a checkout page for an invoice. Expires its earlier pages first, so that the same amount can't be paid twice.
 */
export async function startCheckout(
  write: Write,
  checkout: HostedCheckout,
  click: CheckoutClick,
): Promise<{ url: string } | CheckoutRefusal> {
  const prepared = await write((db) => prepareCheckout(db, click))
  if (typeof prepared === 'string') return prepared
  const { request, earlier } = prepared
  const outcome = await endPages(write, checkout, earlier)
  if (outcome !== 'ended') {
    await write((db) => settlePage(db, request.id, 'failed'))
    return outcome
  }
  const started = await checkout.start(request)
  if (typeof started === 'string') {
    await write((db) => settlePage(db, request.id, 'failed'))
    return started
  }
  const isPayable = await write((db) => markPageOpen(db, request, started.session, click.today))
  if (isPayable) return { url: started.url }
  await checkout.end(request.account, started.session)
  return 'moved'
}

/** Determines the amounts under the invoice's lock, and records that a page is being created. */
async function prepareCheckout(db: Db, click: CheckoutClick): Promise<CheckoutStart | CheckoutRefusal> {
  const [{ before: invoice }, account, pages] = await Promise.all([
    lockInvoice(db, click.invoice, click.today),
    payableAccount(db),
    pagesOf(db, click),
  ])
  if (invoice.status === 'draft' || invoice.status === 'void' || invoice.balance_due_cents <= 0) return 'settled'
  if ((await isBankPaymentPending(db, invoice.id)) || (await hasOpenCharge(db, invoice.id))) return 'under_way'
  if (account === undefined || !isPayableAmount(invoice.currency, invoice.balance_due_cents)) return 'unavailable'
  const chosen = await chooseAmounts(db, invoice, click)
  if (chosen === undefined) return 'bad_amount'
  const own = pages.find(({ id }) => id === click.idempotencyKey)
  if (own !== undefined && (own.amount_cents !== chosen.amount_cents || own.tip_cents !== chosen.tip_cents))
    return 'moved'
  const id = own === undefined || own.is_reusable ? click.idempotencyKey : newId()
  const others = pages.filter((page) => page.is_payable && page.id !== id)
  if (others.some(({ state, is_starting }) => state === 'starting' && is_starting)) return 'busy'
  await failUnmadePages(db, others)
  const [row, email] = await Promise.all([
    recordPage(db, { id, account, ...chosen }, invoice),
    findPayerEmail(db, invoice),
  ])
  if (row === undefined) return 'moved'
  const { language, paidUrl, backUrl } = click
  return {
    earlier: pagesWithSession(others),
    request: {
      id,
      account: row.account_id,
      tenant: db.tenant,
      invoice: invoice.id,
      label: click.labelOf(invoice),
      amount_cents: row.amount_cents,
      tip: row.tip_cents === 0 ? null : { cents: row.tip_cents, label: click.tipLabel },
      currency: invoice.currency,
      isPart: row.is_part,
      email,
      language,
      expiresAt: Math.floor(Date.parse(row.created_at) / 1000) + 60 * PAGE_LIFETIME_MINUTES,
      paidUrl,
      backUrl,
    },
  }
}

/** Minimum partial payment in minor units; the provider's own minimum is lower. */
const MIN_PART_CENTS = 100

type ChosenAmounts = { amount_cents: number; tip_cents: number; is_part: boolean }

/** Returns the amount and tip of a click on "Pay"; undefined if the company doesn't allow them. */
async function chooseAmounts(
  db: Db,
  { balance_due_cents: balance, currency }: Invoice,
  { part_cents: part, tip_cents: tip }: CheckoutClick,
): Promise<ChosenAmounts | undefined> {
  const settings = await findPaymentSettings(db)
  const amount = settings.takes_parts && part !== null ? part : balance
  const isAllowed = amount === balance || (amount >= MIN_PART_CENTS && amount < balance)
  const isTipAllowed = tip === 0 || (settings.takes_tips && tip > 0 && tip <= amount)
  return isAllowed && isTipAllowed && isPayableAmount(currency, amount) && isPayableAmount(currency, tip)
    ? { amount_cents: amount, tip_cents: tip, is_part: amount < balance }
    : undefined
}

type PageRow = { account_id: string; amount_cents: number; tip_cents: number; is_part: boolean; created_at: string }

/** Records a click on "Pay", or finds the earlier record of a repeated one. */
async function recordPage(
  db: Db,
  { id, account, amount_cents, tip_cents, is_part }: ChosenAmounts & { id: string; account: string },
  invoice: Invoice,
): Promise<PageRow | undefined> {
  await db.run(sql`insert into checkout_sessions (tenant_id, id, invoice_id, account_id, amount_cents, tip_cents,
      is_part, currency, state)
    values (${db.tenant}, ${id}, ${invoice.id}, ${account}, ${amount_cents}, ${tip_cents}, ${is_part},
      ${invoice.currency}, 'starting')
    on conflict do nothing`)
  return db.maybe<PageRow>(sql`select account_id, amount_cents, tip_cents, is_part, created_at from checkout_sessions
    where tenant_id = ${db.tenant} and id = ${id} and invoice_id = ${invoice.id} and state in ('starting', 'open')`)
}

/** Records the page that the provider created. Returns false if it no longer fits the balance and has to expire. */
async function markPageOpen(db: Db, request: CheckoutRequest, session: string, today: string): Promise<boolean> {
  const { before: invoice } = await lockInvoice(db, request.invoice, today)
  const { balance_due_cents: balance, status } = invoice
  const isPayable = request.isPart
    ? balance >= request.amount_cents && status !== 'void'
    : balance === request.amount_cents
  const count =
    await db.run(sql`update checkout_sessions set session = ${session}, state = ${isPayable ? 'open' : 'stale'}
    where tenant_id = ${db.tenant} and id = ${request.id} and state in ('starting', 'open')`)
  if (!isPayable) await db.run(sql`select ask_chore(${db.tenant}, ${CHECKOUT_END_TASK})`)
  return isPayable && count > 0
}
