import type { Actor } from '../identity/audit.ts'
import { recordReview } from '../identity/people/reviews.ts'
import { transact } from '../platform/db/transaction.ts'
import { valuesOf } from '../platform/db/rows.ts'
import { rowsOf, onlyRow, sql, type Database, type Db } from '../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../platform/errors/refusal.ts'
import { ACCOUNT_PART, CAPABILITY_PREFIX, type ReportedPart } from './events/account_changes.ts'

/** A tenant's account at the payments provider, with the provider's last report; null for a value never reported. */
export type PaymentAccount = {
  account_id: string
  connected_at: string
  charges_enabled: boolean | null
  payouts_enabled: boolean | null
  details_submitted: boolean | null
  /** Information that the provider requires from the company. */
  requirements: { due: string[]; past_due: string[]; disabled_reason: string | null } | null
  /** Sorted by name. A status is the provider's own value, or `changed` if the event gave none. */
  capabilities: { name: string; status: string; at: string }[]
  closed: boolean
  /** Time of the newest event; null before the first. */
  told_at: string | null
  /** True if the newest event reported a change without the new values: only the provider has them. */
  is_outdated: boolean
}

/** Connection of an account with the tenant that owns its events. */
export type PaymentConnection = { account_id: string; tenant_id: string; created_at: string }

type Part = { account_id: string; part: string; status: string; detail: unknown; occurred_at: string }

/** Returns a tenant's accounts, in the order they were connected, for the settings page. */
export async function findPaymentAccounts(db: Db): Promise<PaymentAccount[]> {
  const [accounts, parts] = await Promise.all([
    db.all<PaymentConnection>(
      sql`select account_id, tenant_id, created_at from payment_accounts where tenant_id = ${db.tenant}
        order by created_at, account_id`,
    ),
    db.all<Part>(
      sql`select account_id, part, status, detail, occurred_at from payment_capabilities where tenant_id = ${db.tenant}
        order by part`,
    ),
  ])
  return accounts.map((account) =>
    stateOf(
      account,
      parts.filter(({ account_id }) => account_id === account.account_id),
    ),
  )
}

function stateOf({ account_id, created_at }: PaymentConnection, parts: readonly Part[]): PaymentAccount {
  const findPart = (part: string): Part | undefined => parts.find((one) => one.part === part)
  const isStatus = (part: string, status: string): boolean | null => {
    const entry = findPart(part)
    return entry === undefined ? null : entry.status === status
  }
  return {
    account_id,
    connected_at: created_at,
    charges_enabled: isStatus('charges', 'active'),
    payouts_enabled: isStatus('payouts', 'active'),
    details_submitted: isStatus('details', 'submitted'),
    requirements: (findPart('requirements')?.detail ?? null) as PaymentAccount['requirements'],
    capabilities: parts
      .filter(({ part }) => part.startsWith(CAPABILITY_PREFIX))
      .map(({ part, status, occurred_at }) => ({
        name: part.slice(CAPABILITY_PREFIX.length),
        status,
        at: occurred_at,
      })),
    closed: isStatus(ACCOUNT_PART, 'closed') === true,
    told_at: findPart(ACCOUNT_PART)?.occurred_at ?? null,
    is_outdated: isStatus(ACCOUNT_PART, 'changed') === true,
  }
}

/** An event and its time: the time it states, but never later than it was received. */
type AccountReport = { source: string; at: string | null; received_at: string }

/** Stores the parts of an event, unless a later event reported them already. Returns true if any part changed. */
export async function saveAccountReport(
  db: Db,
  account: string,
  parts: readonly ReportedPart[],
  { source, at, received_at }: AccountReport,
): Promise<boolean> {
  const occurred_at = sql`least(${at}::timestamptz, ${received_at}::timestamptz)`
  return (
    (await db.run(sql`insert into payment_capabilities as c ${valuesOf(
      parts.map(({ part, status, detail }) => ({
        tenant_id: db.tenant,
        account_id: account,
        part,
        status,
        detail: detail === null ? null : JSON.stringify(detail),
        occurred_at,
        source,
      })),
    )} on conflict (tenant_id, account_id, part) do update set
    status = excluded.status, detail = excluded.detail, occurred_at = excluded.occurred_at, source = excluded.source
    where (c.occurred_at, c.source) < (excluded.occurred_at, excluded.source)`)) > 0
  )
}

/**
 * Connects an account with a tenant, which then owns its events, earlier ones included. Throws `conflict` if another
 * company has the account.
 */
export async function connectPaymentAccount(
  database: Database,
  by: Actor,
  tenant: string,
  account: string,
): Promise<PaymentConnection> {
  if (!/^[\x21-\x7e]{1,100}$/.test(account))
    throw invalidField('account', `must be the payments provider's id of an account (got '${account.slice(0, 100)}')`)
  return transact(database, async (send) => {
    const [added] = await send([
      sql`insert into payment_accounts (account_id, tenant_id) values (${account}, ${tenant}) on conflict do nothing`,
    ])
    const [answer] = await send([
      sql<PaymentConnection>`select account_id, tenant_id, created_at from payment_accounts
        where account_id = ${account}`,
    ])
    const connection = onlyRow(answer)
    if (connection.tenant_id !== tenant)
      throw conflict('this account belongs to another company; disconnect it there first')
    if (added.count === 1) await send([recordReview(by, 'payment_accounts.connect', tenant, { account })])
    return connection
  })
}

/** Disconnects an account. Its later events wait until it is connected again; booked payments stay. */
export const disconnectPaymentAccount = (database: Database, by: Actor, account: string): Promise<PaymentConnection> =>
  transact(database, async (send) => {
    const [connection] = await rowsOf(
      send,
      sql<PaymentConnection>`delete from payment_accounts where account_id = ${account}
        returning account_id, tenant_id, created_at`,
    )
    if (connection === undefined) throw notFound('payment account')
    await send([recordReview(by, 'payment_accounts.disconnect', connection.tenant_id, { account })])
    return connection
  })

/** Returns all connected accounts, or those of one company. */
export async function listPaymentAccounts(
  database: Database,
  tenant: string | null = null,
): Promise<PaymentConnection[]> {
  return rowsOf(
    database.send,
    sql<PaymentConnection>`select account_id, tenant_id, created_at from payment_accounts
    where ${tenant}::uuid is null or tenant_id = ${tenant} order by created_at, account_id`,
  )
}
