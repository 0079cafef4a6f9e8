import type { Write } from '../checkout_pages.ts'
import { findPayerEmail, isPayableAmount, payableAccount } from '../payable.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { resumeRuns } from './autopay_runs.ts'
import { auditConsentChange, type CustomerConsent } from './consent.ts'
import { removeSavedMethod, SAVED_PAYMENTS_TASK } from './saved_method.ts'
import type { SavedDetails, SavedPayments, SetupRequest } from './saved_payments_api.ts'

/** Lifetime of a setup page in minutes; the provider's minimum is 30. */
const PAGE_LIFETIME_MINUTES = 35

/** Days to keep checking a setup page: verifying a bank account may take days. */
const MAX_SETUP_DAYS = 20

/** A click on "Save". `press` is its idempotency key: repeated requests create one page. */
type SetupClick = Pick<SetupRequest, 'customer' | 'currency' | 'language' | 'savedUrl' | 'backUrl'> & {
  idempotencyKey: string
  consent: CustomerConsent
}

/** Why a click creates no page: there is no account, or the provider refused it or can't be reached now. */
export type SetupRefusal = 'unavailable' | 'refused' | 'unreachable'

type SetupRow = { id: string; account_id: string; session: string | null; customer_id: string }

/** Returns the provider's page for saving a card or bank account, and records the customer's consent. */
export async function startSetup(
  write: Write,
  provider: SavedPayments,
  click: SetupClick,
): Promise<{ url: string } | SetupRefusal> {
  const request = await write((db) => prepareSetup(db, click))
  if (request === undefined) return 'unavailable'
  const started = await provider.startSetup(request)
  if ('failed' in started) {
    if (started.failed === 'refused') await write((db) => failSetup(db, request.id))
    return started.failed
  }
  await write((db) =>
    db.run(sql`update payment_methods set state = 'open', session = ${started.session}
      where tenant_id = ${db.tenant} and id = ${request.id} and state = 'starting'`),
  )
  return { url: started.url }
}

async function prepareSetup(db: Db, click: SetupClick): Promise<SetupRequest | undefined> {
  const { consent, customer, ...options } = click
  const account = await payableAccount(db)
  if (account === undefined || !isPayableAmount(click.currency, 0)) return undefined
  await db.run(sql`insert into payment_methods
      (tenant_id, id, customer_id, account_id, state, consent, link_id, address, user_agent)
    values (${db.tenant}, ${click.idempotencyKey}, ${customer}, ${account}, 'starting', ${consent.text},
      ${consent.link},
      ${consent.address}, ${consent.userAgent}) on conflict do nothing`)
  const [row, email] = await Promise.all([
    db.maybe<{ account_id: string; consented_at: string; provider_customer: string | null }>(sql`
      select m.account_id, m.consented_at, (select o.provider_customer from payment_methods o
          where o.tenant_id = ${db.tenant} and o.customer_id = m.customer_id and o.account_id = m.account_id
            and o.provider_customer is not null order by o.consented_at desc limit 1) as provider_customer
      from payment_methods m where m.tenant_id = ${db.tenant} and m.id = ${click.idempotencyKey}
        and m.customer_id = ${customer} and m.state in ('starting', 'open')`),
    findPayerEmail(db, { customer_id: customer, contact_id: null }),
  ])
  if (row === undefined) return undefined
  return {
    id: click.idempotencyKey,
    account: row.account_id,
    tenant: db.tenant,
    customer,
    providerCustomer: row.provider_customer,
    currency: options.currency,
    email,
    language: options.language,
    expiresAt: Math.floor(Date.parse(row.consented_at) / 1000) + 60 * PAGE_LIFETIME_MINUTES,
    savedUrl: options.savedUrl,
    backUrl: options.backUrl,
  }
}

const failSetup = (db: Db, id: string): Promise<number> =>
  db.run(sql`update payment_methods set state = 'failed'
    where tenant_id = ${db.tenant} and id = ${id} and state in ('starting', 'open')`)

/** Checks unfinished setup pages at the provider, of one customer or all, and stores the methods saved on them. */
export async function settleSetups(write: Write, provider: SavedPayments, customer: string | null): Promise<void> {
  const open = await write((db) =>
    db.all<SetupRow>(sql`select id, account_id, session, customer_id from payment_methods
      where tenant_id = ${db.tenant} and state = 'open' and (${customer}::uuid is null or customer_id = ${customer})
      order by consented_at limit 100`),
  )
  for (const row of open) {
    if (row.session === null) continue
    const result = await provider.setupResult(row.account_id, row.session)
    if (result === 'ended') await write((db) => failSetup(db, row.id))
    else if (result !== undefined) await write((db) => activateMethod(db, row, result))
  }
  await write((db) =>
    db.run(sql`update payment_methods set state = 'failed' where tenant_id = ${db.tenant}
      and (state = 'open' and consented_at < moment() - make_interval(days => ${MAX_SETUP_DAYS})
        or state = 'starting' and consented_at < moment() - interval '1 day')`),
  )
}

/** Activates a saved method in place of the customer's earlier one. */
async function activateMethod(db: Db, { id, customer_id: customer }: SetupRow, saved: SavedDetails): Promise<void> {
  await db.run(sql`select id from customers where tenant_id = ${db.tenant} and id = ${customer} for no key update`)
  const row = await db.maybe<{ link_id: string; name: string; is_archived: boolean; is_older: boolean }>(sql`
    select m.link_id, c.display_name as name, c.archived_at is not null as is_archived, exists (select 1
        from payment_methods o where o.tenant_id = ${db.tenant} and o.customer_id = m.customer_id
          and o.state = 'active' and o.consented_at > m.consented_at) as is_older
    from payment_methods m join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id
    where m.tenant_id = ${db.tenant} and m.id = ${id} and m.state = 'open'`)
  if (row === undefined) return
  const { provider_customer, method, kind, brand, last_four, expires_on } = saved
  const details = sql`provider_customer = ${provider_customer}, method = ${method}, kind = ${kind}, brand = ${brand},
    last_four = ${last_four}, expires_on = ${expires_on}, saved_at = moment()`
  if (row.is_archived || row.is_older) {
    await db.run(sql`update payment_methods set ${details}, state = 'removed', removed_at = moment(),
      removed_by = 'replaced' where tenant_id = ${db.tenant} and id = ${id}`)
    await db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`)
    return
  }
  const replaced = await db.run(sql`update payment_methods
    set state = 'removed', removed_at = moment(), removed_by = 'replaced'
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active'`)
  await db.run(
    sql`update payment_methods set ${details}, state = 'active' where tenant_id = ${db.tenant} and id = ${id}`,
  )
  const by = { by: 'customer', link: row.link_id, name: row.name } as const
  await auditConsentChange(db, customer, by, 'customers.save_payment_method', {
    payment_method: [replaced > 0, true],
    ...(last_four !== null && { last_four: [null, last_four] }),
  })
  await resumeRuns(db, customer)
  if (replaced > 0) await db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`)
}

/** Detaches removed methods at the provider. Returns whether all are done. */
export async function detachRemovedMethods(write: Write, provider: SavedPayments): Promise<boolean> {
  const removed = await write((db) =>
    db.all<{ id: string; account_id: string; method: string }>(sql`select id, account_id, method
      from payment_methods m
      where tenant_id = ${db.tenant} and state = 'removed' and not is_detached and method is not null
        and not exists (select 1 from payment_methods o
          where o.tenant_id = ${db.tenant} and o.method = m.method and o.state = 'active')
      order by consented_at limit 100`),
  )
  let isDone = true
  for (const { id, account_id, method } of removed) {
    if (await provider.detach(account_id, method))
      await write((db) =>
        db.run(sql`update payment_methods set is_detached = true where tenant_id = ${db.tenant} and id = ${id}`),
      )
    else isDone = false
  }
  return isDone
}

/** Applies the provider's report of a saved method: its removal, or new details such as the expiry date. */
export async function applyMethodReport(
  db: Db,
  report: { method: string; is_gone: boolean; details: SavedDetails },
): Promise<boolean> {
  const row = await db.maybe<{ id: string; customer_id: string }>(sql`select id, customer_id from payment_methods
    where tenant_id = ${db.tenant} and method = ${report.method} and state = 'active' for no key update`)
  if (row === undefined) return false
  if (report.is_gone) return removeSavedMethod(db, row.customer_id, { by: 'provider' })
  const { brand, last_four, expires_on } = report.details
  return (
    (await db.run(sql`update payment_methods set brand = ${brand}, last_four = ${last_four}, expires_on = ${expires_on}
      where tenant_id = ${db.tenant} and id = ${row.id}
        and (brand, last_four, expires_on) is distinct from (${brand}, ${last_four}, ${expires_on}::date)`)) > 0
  )
}
