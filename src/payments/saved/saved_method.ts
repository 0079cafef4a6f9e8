import { sql, type Db } from '../../platform/db/tenant.ts'
import { stopAutopay } from './autopay_consent.ts'
import { noteByCustomer, type Remover } from './consent.ts'

/** Task that asks the provider about setup pages and charges, and tells it of removals. */
export const SAVED_PAYMENTS_TASK = 'saved_payments'

/** A card or bank account on file; `state` is `open` while the provider's page for it isn't done. */
export type SavedMethod = {
  id: string
  kind: string | null
  brand: string | null
  last_four: string | null
  expires_on: string | null
  consent: string
  consented_at: string
  saved_at: string | null
}

const COLUMNS = sql`id, kind, brand, last_four, expires_on, consent, consented_at, saved_at`

/** Returns what a customer has on file. */
export const findSavedMethod = (db: Db, customer: string): Promise<SavedMethod | undefined> =>
  db.maybe<SavedMethod>(sql`select ${COLUMNS} from payment_methods
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active'`)

/** What the provider ended last of a customer's methods, while nothing is on file in its place. */
export const findLostMethod = (db: Db, customer: string): Promise<SavedMethod | undefined> =>
  db.maybe<SavedMethod>(sql`select ${COLUMNS} from (select *, state = 'removed' and removed_by = 'provider' as is_lost
      from payment_methods
      where tenant_id = ${db.tenant} and customer_id = ${customer} and state in ('active', 'removed')
      order by (state = 'active') desc, saved_at desc limit 1) last where is_lost`)

/**
 * Removes what a customer has on file, and stops their automatic payments. It can't be charged from now on; the
 * provider is told by the worker. Returns whether there was one.
 */
export async function removeSavedMethod(db: Db, customer: string, remover: Remover): Promise<boolean> {
  const removed = await db.run(sql`update payment_methods
    set state = 'removed', removed_at = moment(), removed_by = ${remover.by}, is_detached = ${remover.by === 'provider'}
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active'`)
  if (removed === 0) return false
  await Promise.all([
    stopAutopay(db, customer, null, remover),
    noteByCustomer(db, customer, remover, 'customers.remove_payment_method', { payment_method: [true, false] }),
    db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`),
  ])
  return true
}
