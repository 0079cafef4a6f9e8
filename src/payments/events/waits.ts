import { valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { APPLY_PAYMENTS_TASK } from './effects.ts'

/** Holds an event until the payment it names is known; that may be never, since accounts also take other money. */
export const waitForPayment = (db: Db, event: string, names: readonly string[]): Promise<number> =>
  db.run(
    sql`insert into payment_waits ${valuesOf(names.map((name) => ({ tenant_id: db.tenant, name, event_id: event })))}
      on conflict do nothing`,
  )

/** Wakes the events that wait for a payment by one of these ids, now that it is known. */
export async function wakeWaitingEvents(db: Db, names: readonly string[]): Promise<void> {
  const waited = await db.all<{ event_id: string }>(
    sql`delete from payment_waits where tenant_id = ${db.tenant} and name = any(${[...names]}) returning event_id`,
  )
  if (waited.length === 0) return
  const woken = await db.run(sql`update payment_events set state = 'routed', reason = null, settled_at = null
    where tenant_id = ${db.tenant} and state = 'stored' and reason = 'unknown_payment' and raw is not null
      and id = any(${waited.map(({ event_id }) => event_id)})`)
  if (woken > 0) await db.run(sql`select ask_chore(${db.tenant}, ${APPLY_PAYMENTS_TASK})`)
}
