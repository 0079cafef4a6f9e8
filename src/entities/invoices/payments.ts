import { sql, type Db } from '../../db/tenant.ts'
import { newId } from '../../shape/id.ts'

/** Settles a locked invoice that was marked paid by hand: one entry for what is left of its total. */
export const balance = (db: Db, invoice: string): Promise<number> =>
  db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents)
    select tenant_id, ${newId()}, id, 'manual', total_cents - amount_paid_cents from invoices
    where tenant_id = ${db.tenant} and id = ${invoice} and total_cents > amount_paid_cents`)

/** Removes that entry again; what was really paid stays. */
export const unbalance = (db: Db, invoice: string): Promise<number> =>
  db.run(sql`delete from payments where tenant_id = ${db.tenant} and invoice_id = ${invoice} and kind = 'manual'`)
