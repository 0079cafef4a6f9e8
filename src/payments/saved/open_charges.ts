import { sql, type Db } from '../../platform/db/tenant.ts'
import type { ChargeOutcome } from './charge_outcome.ts'
import { SAVED_PAYMENTS_TASK } from './saved_method.ts'

/** Checks whether a charge of a saved method is in progress, so that nothing else collects the same money. */
export const hasOpenCharge = async (db: Db, invoice: string): Promise<boolean> =>
  (await db.maybe(sql`select from saved_charges
    where tenant_id = ${db.tenant} and invoice_id = ${invoice} and state in ('starting', 'created', 'processing')`)) !==
  undefined

/** Checks whether a charge succeeded but can't be booked on its invoice, so that a person has to look at it. */
export const hasUnbookedCharge = async (db: Db, invoice: string): Promise<boolean> =>
  (await db.maybe(sql`select from saved_charges where tenant_id = ${db.tenant} and invoice_id = ${invoice}
    and state = 'succeeded' and code is not null`)) !== undefined

/** Wakes the worker for open charges whose payments the provider reported on. */
export const wakeCharges = (db: Db, names: readonly string[]): Promise<number> =>
  db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK}) where exists (select 1 from saved_charges
    where tenant_id = ${db.tenant} and intent = any(${[...names]}) and state in ('created', 'processing'))`)

/** A charge of a saved method, for the invoice page. */
export type SavedCharge = {
  id: string
  cause: 'person' | 'autopay'
  state: ChargeOutcome
  amount_cents: number
  code: string | null
  message: string | null
  created_at: string
  user_name: string | null
  brand: string | null
  kind: string | null
  last_four: string | null
}

const MAX_CHARGES = 20

/** Returns the latest charges of an invoice, newest first. */
export const listCharges = (db: Db, invoice: string): Promise<SavedCharge[]> =>
  db.all<SavedCharge>(sql`select c.id, c.cause, c.state, c.amount_cents, c.code, c.message, c.created_at,
      u.name as user_name, m.brand, m.kind, m.last_four
    from saved_charges c join payment_methods m on m.tenant_id = c.tenant_id and m.id = c.method_id
    left join users u on u.id = c.created_by
    where c.tenant_id = ${db.tenant} and c.invoice_id = ${invoice} order by c.created_at desc, c.id desc
    limit ${MAX_CHARGES}`)
