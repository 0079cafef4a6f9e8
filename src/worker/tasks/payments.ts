import { sql, type Db } from '../../platform/db/tenant.ts'
import { book, type Booked } from '../../records/invoices/index.ts'
import {
  ACCOUNT_TYPE_PREFIXES,
  ACCOUNT_TYPES,
  isAccountEvent,
  readAccountEvent,
} from '../../payments/account_changes.ts'
import { saveAccountReport } from '../../payments/accounts.ts'
import { APPLY_PAYMENTS_TASK, EFFECTIVE_TYPES, FOLLOW_UP_TYPES, readEffect } from '../../payments/effects.ts'
import { waitForPayment, wakeWaitingEvents } from '../../payments/waits.ts'
import type { ServiceRun, TenantRun } from '../periodic_task.ts'

const AT_ONCE = 5_000

/**
 * Assigns each new event to the tenant with its connected account. Events without an effect are only stored (including
 * payments without an invoice id). Events of an account that nobody has connected wait until someone connects or claims
 * it.
 */
export const routePayments = ({ send }: ServiceRun): Promise<number[]> =>
  send([
    sql`update payment_events e set state = 'pending', reason = null from payment_accounts a where e.state = 'unrouted' and e.account_id = a.account_id`,
    sql`with routed as (
      update payment_events e set state = r.state, tenant_id = r.owner, settled_at = case when r.state = 'stored' then r.now end,
        reason = case when r.state = 'routed' then null when r.state = 'unrouted' then case when e.account_id is null then 'no_account' else 'unknown_account' end
          else case when r.is_of_money then 'no_invoice' end end
      from (
        select k.id, a.tenant_id as owner, k.is_of_money, k.now,
          case when not (k.is_of_account or (k.is_of_money and (k.names_invoice or (k.follows and k.account_id is not null)))) then 'stored' when a.tenant_id is null then 'unrouted' else 'routed' end as state
        from (
          select id, account_id, moment() as now, coalesce(names_invoice, true) as names_invoice, coalesce(type = any(${[...EFFECTIVE_TYPES]}), false) as is_of_money,
            coalesce(type = any(${[...FOLLOW_UP_TYPES]}), false) as follows,
            coalesce(type = any(${[...ACCOUNT_TYPES]}) or type ^@ any(${[...ACCOUNT_TYPE_PREFIXES]}), false) as is_of_account
          from payment_events where state = 'pending' order by id limit ${AT_ONCE} for update skip locked) k
        left join payment_accounts a on a.account_id = k.account_id) r
      where e.id = r.id returning e.tenant_id, e.state)
    select ask_chore(tenant_id, ${APPLY_PAYMENTS_TASK}) from (select distinct tenant_id from routed where state = 'routed') asked`,
  ])

/** Applies a tenant's events in the order they came, each in one transaction with the note that it was applied. */
export const applyPayments = ({ each }: TenantRun): Promise<void> => each(listRoutedEvents, applyEvent)

const listRoutedEvents = (db: Db, after: string): Promise<{ id: string }[]> =>
  db.all(
    sql`select id from payment_events where tenant_id = ${db.tenant} and state = 'routed' and id > ${after} order by id limit 100`,
  )

type Event = {
  id: string
  type: string | null
  account_id: string | null
  assigned_invoice_id: string | null
  received_at: string
  raw: Buffer
}

async function applyEvent(db: Db, { id }: { id: string }): Promise<void> {
  const event =
    await db.maybe<Event>(sql`select id, type, account_id, assigned_invoice_id, received_at, raw from payment_events
    where tenant_id = ${db.tenant} and id = ${id} and state = 'routed' for update`)
  if (event === undefined) return
  const { state, reason } =
    ENDS[isAccountEvent(event.type) ? await applyAccountEvent(db, event) : await bookEvent(db, event)]
  await db.run(
    sql`update payment_events set state = ${state}, reason = ${reason}, settled_at = case when ${state}::text <> 'review' then moment_of(id) end where id = ${id}`,
  )
}

type End = Booked | 'outdated' | 'amount' | 'none'

async function applyAccountEvent(db: Db, { id: source, account_id, received_at, raw }: Event): Promise<End> {
  const { parts, at } = readAccountEvent(raw)
  return account_id === null
    ? 'none'
    : (await saveAccountReport(db, account_id, parts, { source, at, received_at }))
      ? 'booked'
      : 'outdated'
}

async function bookEvent(db: Db, { id, assigned_invoice_id, raw }: Event): Promise<End> {
  const effect = readEffect(raw, id, assigned_invoice_id)
  if (effect === undefined) return 'none'
  if (effect === 'amount') return effect
  const end = await book(db, effect)
  if (end === 'unpaid') await waitForPayment(db, id, effect.names)
  else if (WRITTEN.includes(end)) await wakeWaitingEvents(db, effect.names)
  return end
}

/** Lists outcomes after which the payment is known. */
const WRITTEN: readonly Booked[] = ['booked', 'counted', 'nothing']

const ENDS: Readonly<Record<End, { state: string; reason: string | null }>> = {
  booked: { state: 'applied', reason: null },
  counted: { state: 'applied', reason: 'already_counted' },
  outdated: { state: 'applied', reason: 'outdated' },
  none: { state: 'stored', reason: 'no_invoice' },
  nothing: { state: 'stored', reason: 'no_money' },
  unpaid: { state: 'stored', reason: 'unknown_payment' },
  unknown: { state: 'stored', reason: 'unknown_invoice' },
  void: { state: 'review', reason: 'void_invoice' },
  currency: { state: 'review', reason: 'other_currency' },
  other_invoice: { state: 'review', reason: 'other_invoice' },
  amount: { state: 'review', reason: 'unreadable_amount' },
}
