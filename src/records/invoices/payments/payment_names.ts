import { valuesOf } from '../../../platform/db/rows.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'

/** A payment of the provider that is known here: its invoice, and the name it was booked under. */
type NamedPayment = { invoice: string; charge: string }

/** Returns the payment that has one of these names; earlier names win. */
export const findPaymentByName = (db: Db, names: readonly string[]): Promise<NamedPayment | undefined> =>
  db.maybe<NamedPayment>(sql`select invoice_id as invoice, charge
    from payment_names
    where tenant_id = ${db.tenant} and name = any(${[...names]})
    order by array_position(${[...names]}::text[], name) limit 1`)

/** Keeps the names of a payment, for later events under any of them. */
export const namePayment = (db: Db, names: readonly string[], { invoice, charge }: NamedPayment): Promise<number> =>
  db.run(
    sql`insert into payment_names ${valuesOf(
      names.map((name) => ({ tenant_id: db.tenant, name, charge, invoice_id: invoice })),
    )}
      on conflict do nothing`,
  )
