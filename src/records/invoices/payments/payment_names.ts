import { valuesOf } from '../../../platform/db/rows.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'

/** A known payment of the provider: its invoice, and the id under which it is booked. */
type NamedPayment = { invoice: string; charge: string }

/** Returns the payment with one of these ids; earlier ids win. */
export const findPaymentByName = (db: Db, names: readonly string[]): Promise<NamedPayment | undefined> =>
  db.maybe<NamedPayment>(sql`select invoice_id as invoice, charge
    from payment_names
    where tenant_id = ${db.tenant} and name = any(${[...names]})
    order by array_position(${[...names]}::text[], name) limit 1`)

/** Saves the ids of a payment, for later events with any of them. */
export const savePaymentNames = (
  db: Db,
  names: readonly string[],
  { invoice, charge }: NamedPayment,
): Promise<number> =>
  db.run(
    sql`insert into payment_names ${valuesOf(
      names.map((name) => ({ tenant_id: db.tenant, name, charge, invoice_id: invoice })),
    )}
      on conflict do nothing`,
  )
