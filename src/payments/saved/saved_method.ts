import { sql, type Db } from '../../platform/db/tenant.ts'
import { stopAutopay } from './autopay_consent.ts'
import { auditConsentChange, type Remover } from './consent.ts'

/** Task that checks setup pages and charges at the provider, and detaches removed methods there. */
export const SAVED_PAYMENTS_TASK = 'saved_payments'

/** A saved card or bank account; its row's `state` is `open` until the provider's setup page is done. */
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

/** Returns a customer's saved method. */
export const findSavedMethod = (db: Db, customer: string): Promise<SavedMethod | undefined> =>
  db.maybe<SavedMethod>(sql`select ${COLUMNS} from payment_methods
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active'`)

/** Returns a customer's last method if the provider removed it and nothing has replaced it. */
export const findLostMethod = (db: Db, customer: string): Promise<SavedMethod | undefined> =>
  db.maybe<SavedMethod>(sql`select ${COLUMNS} from (select *, state = 'removed' and removed_by = 'provider' as is_lost
      from payment_methods
      where tenant_id = ${db.tenant} and customer_id = ${customer} and state in ('active', 'removed')
      order by (state = 'active') desc, saved_at desc limit 1) last where is_lost`)

/**
 * Removes a customer's saved method and stops their automatic payments. It can't be charged from now on; the worker
 * detaches it at the provider. Returns whether there was one.
 */
export async function removeSavedMethod(db: Db, customer: string, remover: Remover): Promise<boolean> {
  const removed = await db.run(sql`update payment_methods
    set state = 'removed', removed_at = moment(), removed_by = ${remover.by}, is_detached = ${remover.by === 'provider'}
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active'`)
  if (removed === 0) return false
  await Promise.all([
    stopAutopay(db, customer, null, remover),
    auditConsentChange(db, customer, remover, 'customers.remove_payment_method', { payment_method: [true, false] }),
    db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`),
  ])
  return true
}
