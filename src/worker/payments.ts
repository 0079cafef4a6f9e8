import { sql } from '../db/tenant.ts'
import type { Db } from '../db/tenant.ts'
import { book } from '../entities/invoices/invoice.ts'
import type { Booked } from '../entities/invoices/invoice.ts'
import type { ServiceTurn, TenantTurn } from './chore.ts'
import { EFFECTIVE_TYPES, effectOf } from './payment_effects.ts'

/** The chore that a tenant's events are handed to. */
export const APPLY_PAYMENTS = 'payment_effects'

const AT_ONCE = 5_000

/**
 * Hands each new event to the tenant whose connected account it names. Those that can have no effect are put away, and those
 * of an account that nobody has connected wait until somebody does.
 */
export const routePayments = ({ send }: ServiceTurn): Promise<number[]> => send([
  sql`update payment_events e set state = 'pending' from payment_accounts a where e.state = 'unrouted' and e.account_id = a.account_id`,
  sql`with routed as (
      update payment_events e set state = r.state, tenant_id = r.owner from (
        select p.id, a.tenant_id as owner,
          case when not coalesce(p.type = any(${[...EFFECTIVE_TYPES]}), false) then 'stored' when a.tenant_id is null then 'unrouted' else 'routed' end as state
        from payment_events p left join payment_accounts a on a.account_id = p.account_id
        where p.state = 'pending' order by p.id limit ${AT_ONCE} for update of p skip locked) r
      where e.id = r.id returning e.tenant_id, e.state)
    select ask_chore(tenant_id, ${APPLY_PAYMENTS}) from (select distinct tenant_id from routed where state = 'routed') asked`,
])

/** Applies a tenant's events in the order they came, each in a transaction of its own with the note that it was. */
export const applyPayments = ({ each }: TenantTurn): Promise<void> => each(routedEvents, applyEvent)

const routedEvents = (db: Db, after: string): Promise<{ id: string }[]> =>
  db.all(sql`select id from payment_events where tenant_id = ${db.tenant} and state = 'routed' and id > ${after} order by id limit 100`)

async function applyEvent(db: Db, { id }: { id: string }): Promise<void> {
  const event = await db.maybe<{ raw: Buffer }>(sql`select raw from payment_events where tenant_id = ${db.tenant} and id = ${id} and state = 'routed' for update`)
  if (event === undefined) return
  const effect = effectOf(event.raw, id)
  const { state, reason } = ENDS[effect === undefined ? 'none' : effect === 'amount' ? effect : await book(db, effect)]
  await db.run(sql`update payment_events set state = ${state}, reason = ${reason} where id = ${id}`)
}

const ENDS: Readonly<Record<Booked | 'amount' | 'none', { state: string; reason: string | null }>> = {
  booked: { state: 'applied', reason: null },
  counted: { state: 'applied', reason: 'already_counted' },
  none: { state: 'stored', reason: 'no_invoice' },
  unknown: { state: 'stored', reason: 'unknown_invoice' },
  void: { state: 'review', reason: 'void_invoice' },
  currency: { state: 'review', reason: 'other_currency' },
  amount: { state: 'review', reason: 'unreadable_amount' },
}
