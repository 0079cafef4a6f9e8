import { valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { APPLY_PAYMENTS_TASK } from './effects.ts'

/** Keeps an event until the payment appears that it names; that may be never, since accounts take other money too. */
export const waitForPayment = (db: Db, event: string, names: readonly string[]): Promise<number> =>
  db.run(
    sql`insert into payment_waits ${valuesOf(names.map((name) => ({ tenant_id: db.tenant, name, event_id: event })))}
      on conflict do nothing`,
  )

/** Wakes events that waited for a payment with these names, which is known now. */
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
