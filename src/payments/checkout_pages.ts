import { ENTERED_TENANT, sql, type Db } from '../platform/db/tenant.ts'
import type { HostedCheckout } from './hosted_checkout.ts'

/** Task that expires checkout pages whose amount is no longer owed. */
export const CHECKOUT_END_TASK = 'checkout_endings'

/** Minutes for which a repeated click returns the same page; after that too little time to pay would be left. */
const REUSE_MINUTES = 25

/** Seconds for which a page that is being created blocks other payments of its invoice. */
const CREATION_SECONDS = 60

/** Runs one transaction of the company. */
export type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>

type Page = { id: string; session: string | null; account_id: string; state: string }
/** A page that exists at the provider. */
export type CreatedPage = Page & { session: string }
/** A page of an invoice. One that `is_payable` can still be paid, or was paid and its money isn't booked yet. */
type OpenPage = Page & {
  amount_cents: number
  tip_cents: number
  is_payable: boolean
  is_starting: boolean
  is_reusable: boolean
}
/** Condition for a page `c` whose invoice has no charge since the page was created. */
const isUnbooked = sql`not exists (select 1 from payments p
  where p.tenant_id = ${ENTERED_TENANT} and p.invoice_id = c.invoice_id and p.kind = 'charge' and p.at >= c.created_at)`

/** Returns the pages of an invoice that stand, and the page of this click in any state. */
export const pagesOf = (
  db: Db,
  { invoice, idempotencyKey }: { invoice: string; idempotencyKey: string | null },
): Promise<OpenPage[]> =>
  db.all<OpenPage>(sql`select s.*, state in ('starting', 'open')
      and created_at > moment() - make_interval(mins => ${REUSE_MINUTES}) as is_reusable,
      created_at > moment() - make_interval(secs => ${CREATION_SECONDS}) as is_starting
    from (select id, session, account_id, state, amount_cents, tip_cents, created_at,
      state in ('starting', 'open', 'stale')
      or state = 'complete' and ${isUnbooked} as is_payable
      from checkout_sessions c where tenant_id = ${db.tenant} and invoice_id = ${invoice}) s
    where is_payable or id = ${idempotencyKey} order by created_at`)

/** Marks pages that were never created as failed: their customers got no URL. */
export const failUnmadePages = (db: Db, others: readonly Page[]): Promise<unknown> =>
  Promise.all(others.filter(({ session }) => session === null).map(({ id }) => settlePage(db, id, 'failed')))

export const settlePage = (db: Db, id: string, state: 'stale' | 'expired' | 'complete' | 'failed'): Promise<number> =>
  db.run(
    sql`update checkout_sessions set state = ${state}
      where tenant_id = ${db.tenant} and id = ${id} and state in ('starting', 'open', 'stale', 'complete')`,
  )

/** Expires pages so that nobody can pay on them. Stops at one with unbooked money or without an answer. */
export async function endPages(
  write: Write,
  checkout: HostedCheckout,
  pages: readonly CreatedPage[],
): Promise<'ended' | 'under_way' | 'unreachable'> {
  for (const { id, account_id, session } of pages) {
    const result = await checkout.end(account_id, session)
    await write((db) => settlePage(db, id, result ?? 'stale'))
    if (result === undefined) return 'unreachable'
    if (result === 'complete' && (await write((db) => isMoneyUnbooked(db, id)))) return 'under_way'
  }
  return 'ended'
}

const isMoneyUnbooked = async (db: Db, page: string): Promise<boolean> =>
  (await db.maybe(sql`select from checkout_sessions c
    where c.tenant_id = ${db.tenant} and c.id = ${page} and ${isUnbooked}`)) !== undefined

/** Expires all pages of an invoice before a payment elsewhere. Returns `unreachable` while one is being created. */
export async function endOtherPages(
  write: Write,
  checkout: HostedCheckout,
  invoice: string,
): Promise<'ended' | 'under_way' | 'unreachable'> {
  const pages = await write((db) => pagesOf(db, { invoice, idempotencyKey: null }))
  if (pages.some(({ state, is_starting }) => state === 'starting' && is_starting)) return 'unreachable'
  await write((db) => failUnmadePages(db, pages))
  return endPages(write, checkout, pagesWithSession(pages))
}

export const pagesWithSession = (pages: readonly OpenPage[]): CreatedPage[] =>
  pages.flatMap(({ session, ...page }) => (session === null ? [] : [{ ...page, session }]))

const MAX_CHECKED_PAGES = 5

/**
 * Asks the provider whether an invoice was paid on a page whose money isn't booked yet. Includes open pages only when a
 * customer returns from one (`isReturning`).
 */
export async function isPaymentUnderWay(
  write: Write,
  checkout: HostedCheckout,
  invoice: string,
  isReturning: boolean,
): Promise<boolean> {
  const pages = await write((db) =>
    db.all<CreatedPage>(sql`select id, session, account_id, state from checkout_sessions c
      where tenant_id = ${db.tenant} and invoice_id = ${invoice} and session is not null
        and (state = 'complete' or state = 'open' and ${isReturning}) and ${isUnbooked}
      order by created_at desc limit ${MAX_CHECKED_PAGES}`),
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

/** Records that the provider expired a page. Returns the number of pages changed. */
export const endExpiredPage = (db: Db, { session, invoice }: { session: string; invoice: string }): Promise<number> =>
  db.run(sql`update checkout_sessions set state = 'expired' where tenant_id = ${db.tenant} and invoice_id = ${invoice}
      and session = ${session} and state in ('open', 'stale', 'complete')`)

const BATCH_SIZE = 100

/** Expires pages whose amount is no longer owed. Throws if some remain, so that the run is retried. */
export async function endStalePages(write: Write, checkout: HostedCheckout): Promise<void> {
  const stale = await write((db) =>
    db.all<CreatedPage>(sql`select id, session, account_id, state from checkout_sessions
      where tenant_id = ${db.tenant} and state = 'stale' order by created_at limit ${BATCH_SIZE}`),
  )
  let hasMore = stale.length === BATCH_SIZE
  for (const { id, session, account_id } of stale) {
    const result = await checkout.end(account_id, session)
    if (result === undefined) hasMore = true
    else await write((db) => settlePage(db, id, result))
  }
  if (hasMore) throw new Error('Some payment pages still have to be expired')
}

/** Deletes up to `limit` checkout pages created before a given time; the provider expired them long before. */
export const sweepCheckoutPages = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from checkout_sessions
    where tenant_id = ${db.tenant}
      and id in (select id from checkout_sessions where tenant_id = ${db.tenant} and created_at < ${before}
        limit ${limit})`)
