import { ENTERED, sql, type Db } from '../platform/db/tenant.ts'
import { isBankPaymentPending, lockInvoice, type Invoice } from '../records/invoices/index.ts'
import { newId } from '../platform/validation/id.ts'
import { findPaymentAccounts } from './accounts.ts'
import type { CheckoutRequest, HostedCheckout } from './hosted_checkout.ts'

/** Task that ends pages for an amount that is no longer owed. */
export const CHECKOUT_END_TASK = 'checkout_endings'

/** Minutes that a page can be paid on; the provider's minimum is 30. */
const STANDS_MINUTES = 35

/** Minutes that the same press leads to its page; later there would be too little time to pay on it. */
const LEADS_MINUTES = 25

/** Seconds that one press waits for another that has begun. */
const STARTS_SECONDS = 60

/** Runs one transaction of the company. */
type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** A press of "Pay"; `press` identifies it, so that it creates one page however often it is sent. */
type CheckoutPress = Pick<CheckoutRequest, 'invoice' | 'language' | 'paidUrl' | 'backUrl'> & {
  press: string
  today: string
  labelOf: (invoice: Invoice) => string
}

/**
 * Why a press leads to no page: nothing is owed any more, a payment is under way, the balance changed meanwhile,
 * another press is being answered, the provider refused it or can't be asked now, or there is no account to pay to.
 */
export type CheckoutRefusal = 'settled' | 'under_way' | 'moved' | 'busy' | 'refused' | 'unreachable' | 'unavailable'

/** Checks whether an invoice can be paid online: the provider is configured and takes its amount for the company. */
export const mayPayOnline = async (
  db: Db,
  checkout: HostedCheckout | null,
  invoice: Pick<Invoice, 'currency' | 'balance_due_cents'>,
): Promise<boolean> => checkout !== null && isPayableAmount(invoice) && (await payableAccount(db)) !== undefined

/** Returns the company's account that takes charges, as far as the provider said. */
const payableAccount = async (db: Db): Promise<string | undefined> =>
  (await findPaymentAccounts(db)).find(({ closed, charges_enabled }) => !closed && charges_enabled !== false)
    ?.account_id

/**
 * Lists currencies whose smallest unit at the provider is the currency itself, or a thousandth of it in steps of ten.
 */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Checks whether our minor unit is the provider's; an amount is never converted. */
function isPayableAmount({ currency, balance_due_cents }: Pick<Invoice, 'currency' | 'balance_due_cents'>): boolean {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  if (digits !== (WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2)) return false
  return digits !== 3 || balance_due_cents % 10 === 0
}

type Page = { id: string; session: string | null; account_id: string; state: string }
/** A page that the provider has made. */
type MadePage = Page & { session: string }
/** A page of an invoice: one that stands may still be paid on, or was paid on and its money isn't booked yet. */
type OpenPage = Page & { amount_cents: number; stands: boolean; is_starting: boolean; leads: boolean }
type CheckoutStart = { asked: CheckoutRequest; earlier: MadePage[] }

/**
 * Returns the page on which a customer pays what is left of an invoice now. A page that was made before for it is ended
 * first, so that one amount can't be paid twice.
 */
export async function startCheckout(
  write: Write,
  checkout: HostedCheckout,
  press: CheckoutPress,
): Promise<{ url: string } | CheckoutRefusal> {
  const begun = await write((db) => prepareCheckout(db, press))
  if (typeof begun === 'string') return begun
  const { asked, earlier } = begun
  for (const one of earlier) {
    const end = await checkout.end(one.account_id, one.session)
    await write((db) => settlePage(db, one.id, end ?? 'stale'))
    if (end !== 'expired') {
      await write((db) => settlePage(db, asked.id, 'failed'))
      return end === 'complete' ? 'under_way' : 'unreachable'
    }
  }
  const started = await checkout.start(asked)
  if (typeof started === 'string') {
    await write((db) => settlePage(db, asked.id, 'failed'))
    return started
  }
  const stands = await write((db) => markPageOpen(db, asked, started.session, press.today))
  if (stands) return { url: started.url }
  await checkout.end(asked.account, started.session)
  return 'moved'
}

/** Decides under the invoice's lock what is to be paid, and notes that a page is being made. */
async function prepareCheckout(db: Db, press: CheckoutPress): Promise<CheckoutStart | CheckoutRefusal> {
  const [{ before: invoice }, account, pages] = await Promise.all([
    lockInvoice(db, press.invoice, press.today),
    payableAccount(db),
    pagesOf(db, press),
  ])
  if (invoice.status === 'draft' || invoice.status === 'void' || invoice.balance_due_cents <= 0) return 'settled'
  if (await isBankPaymentPending(db, invoice.id)) return 'under_way'
  if (account === undefined || !isPayableAmount(invoice)) return 'unavailable'
  const own = pages.find(({ id }) => id === press.press)
  if (own !== undefined && own.amount_cents !== invoice.balance_due_cents) return 'moved'
  const id = own === undefined || own.leads ? press.press : newId()
  const others = pages.filter((page) => page.stands && page.id !== id)
  if (others.some(({ state, is_starting }) => state === 'starting' && is_starting)) return 'busy'
  await failUnmadePages(db, others)
  const [row, email] = await Promise.all([recordPage(db, id, invoice, account), emailOf(db, invoice)])
  if (row === undefined) return 'moved'
  const { language, paidUrl, backUrl } = press
  return {
    earlier: others.flatMap(({ session, ...page }) => (session === null ? [] : [{ ...page, session }])),
    asked: {
      id,
      account: row.account_id,
      tenant: db.tenant,
      invoice: invoice.id,
      label: press.labelOf(invoice),
      amount_cents: row.amount_cents,
      currency: invoice.currency,
      email,
      language,
      expiresAt: Math.floor(Date.parse(row.created_at) / 1000) + 60 * STANDS_MINUTES,
      paidUrl,
      backUrl,
    },
  }
}

/** Returns the customer's address for the provider's receipt: the invoice's contact first, then the primary one. */
const emailOf = async (db: Db, { customer_id, contact_id }: Invoice): Promise<string | null> =>
  (
    await db.maybe<{ email: string }>(sql`select email from contacts
      where tenant_id = ${db.tenant} and customer_id = ${customer_id} and archived_at is null and email is not null
      order by (id = ${contact_id}::uuid) desc nulls last, is_primary desc, created_at, id limit 1`)
  )?.email ?? null

/** Matches a page `c` with no charge since. */
const isUnbooked = sql`not exists (select 1 from payments p
  where p.tenant_id = ${ENTERED} and p.invoice_id = c.invoice_id and p.kind = 'charge' and p.at >= c.created_at)`

/** Returns the pages of an invoice that stand, and that of this press, whatever became of it. */
const pagesOf = (db: Db, { invoice, press }: CheckoutPress): Promise<OpenPage[]> =>
  db.all<OpenPage>(sql`select s.*, state in ('starting', 'open')
      and created_at > moment() - make_interval(mins => ${LEADS_MINUTES}) as leads,
      created_at > moment() - make_interval(secs => ${STARTS_SECONDS}) as is_starting
    from (select id, session, account_id, state, amount_cents, created_at, state in ('starting', 'open', 'stale')
      or state = 'complete' and ${isUnbooked} as stands
      from checkout_sessions c where tenant_id = ${db.tenant} and invoice_id = ${invoice}) s
    where stands or id = ${press} order by created_at`)

/** Gives up presses whose page was never made: whoever pressed got no address. */
const failUnmadePages = (db: Db, others: readonly Page[]): Promise<unknown> =>
  Promise.all(others.filter(({ session }) => session === null).map(({ id }) => settlePage(db, id, 'failed')))

type PageRow = { account_id: string; amount_cents: number; created_at: string }

/** Notes a press, or finds it when it came before. */
async function recordPage(db: Db, id: string, invoice: Invoice, account: string): Promise<PageRow | undefined> {
  await db.run(sql`insert into checkout_sessions (tenant_id, id, invoice_id, account_id, amount_cents, currency, state)
    values (${db.tenant}, ${id}, ${invoice.id}, ${account}, ${invoice.balance_due_cents}, ${invoice.currency},
      'starting')
    on conflict do nothing`)
  return db.maybe<PageRow>(sql`select account_id, amount_cents, created_at from checkout_sessions
    where tenant_id = ${db.tenant} and id = ${id} and invoice_id = ${invoice.id} and state in ('starting', 'open')`)
}

const settlePage = (db: Db, id: string, state: 'stale' | 'expired' | 'complete' | 'failed'): Promise<number> =>
  db.run(
    sql`update checkout_sessions set state = ${state}
      where tenant_id = ${db.tenant} and id = ${id} and state in ('starting', 'open', 'stale', 'complete')`,
  )

/** Notes the page that the provider made; false when another amount is left by now, for which it may not stand. */
async function markPageOpen(db: Db, request: CheckoutRequest, session: string, today: string): Promise<boolean> {
  const { before: invoice } = await lockInvoice(db, request.invoice, today)
  const stands = invoice.balance_due_cents === request.amount_cents
  const kept = await db.run(sql`update checkout_sessions set session = ${session}, state = ${stands ? 'open' : 'stale'}
    where tenant_id = ${db.tenant} and id = ${request.id} and state in ('starting', 'open')`)
  if (!stands) await db.run(sql`select ask_chore(${db.tenant}, ${CHECKOUT_END_TASK})`)
  return stands && kept > 0
}

const MAX_LOOKED_AT = 5

/**
 * Asks the provider whether an invoice was paid on a page whose money isn't booked yet. Asks about open pages only once
 * somebody comes back from one (`isBack`).
 */
export async function isPaymentUnderWay(
  write: Write,
  checkout: HostedCheckout,
  invoice: string,
  isBack: boolean,
): Promise<boolean> {
  const pages = await write((db) =>
    db.all<MadePage>(sql`select id, session, account_id, state from checkout_sessions c
      where tenant_id = ${db.tenant} and invoice_id = ${invoice} and session is not null
        and (state = 'complete' or state = 'open' and ${isBack}) and ${isUnbooked}
      order by created_at desc limit ${MAX_LOOKED_AT}`),
  )
  const states = await Promise.all(
    pages.map(async ({ id, session, account_id, state }) => {
      const now = await checkout.status(account_id, session)
      if (now !== undefined && now !== state) await write((db) => settlePage(db, id, now))
      return now ?? state
    }),
  )
  return states.includes('complete')
}

/** Keeps that the provider ended a page by itself. Returns how many pages that ended. */
export const endExpiredPage = (db: Db, { session, invoice }: { session: string; invoice: string }): Promise<number> =>
  db.run(sql`update checkout_sessions set state = 'expired' where tenant_id = ${db.tenant} and invoice_id = ${invoice}
      and session = ${session} and state in ('open', 'stale', 'complete')`)

const BATCH_SIZE = 100

/**
 * Ends the pages for amounts that aren't owed any more. One that can't be ended now fails the run, which comes again.
 */
export async function endStalePages(write: Write, checkout: HostedCheckout): Promise<void> {
  const stale = await write((db) =>
    db.all<MadePage>(sql`select id, session, account_id, state from checkout_sessions
      where tenant_id = ${db.tenant} and state = 'stale' order by created_at limit ${BATCH_SIZE}`),
  )
  let left = stale.length === BATCH_SIZE
  for (const { id, session, account_id } of stale) {
    const end = await checkout.end(account_id, session)
    if (end === undefined) left = true
    else await write((db) => settlePage(db, id, end))
  }
  if (left) throw new Error('Pages of payment are still to be ended')
}

/** Removes pages of payment made before a moment, so many at once; the provider ended them long before. */
export const sweepCheckoutPages = (db: Db, before: string, atOnce: number): Promise<number> =>
  db.run(sql`delete from checkout_sessions
    where tenant_id = ${db.tenant}
      and id in (select id from checkout_sessions where tenant_id = ${db.tenant} and created_at < ${before}
        limit ${atOnce})`)
