import { insertSelected, sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'

/** Settles a locked invoice that was marked paid by hand, with one entry for its remaining balance. */
export const addBalancingEntry = (db: Db, invoice: string): Promise<number> =>
  db.run(
    insertSelected(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents)
    select tenant_id, ${newId()}, id, 'manual', total_cents - amount_paid_cents from invoices
    where tenant_id = ${db.tenant} and id = ${invoice} and total_cents > amount_paid_cents`),
  )

/** Removes the balancing entry again; real payments stay. */
export const removeBalancingEntry = (db: Db, invoice: string): Promise<number> =>
  db.run(sql`delete from payments where tenant_id = ${db.tenant} and invoice_id = ${invoice} and kind = 'manual'`)

/** Sets the status that follows from the payments. A refund changes only paid or partially paid invoices. */
export const settleInvoice = (db: Db, invoice: string, isIncoming: boolean): Promise<number> =>
  db.run(sql`update invoices i set status = s.status, updated_at = later_than(i.updated_at),
    paid_at = case when s.status = 'paid' then coalesce(i.paid_at, moment_of(i.tenant_id)) end,
    sent_at = case when s.status = 'sent' then coalesce(i.sent_at, moment_of(i.tenant_id)) else i.sent_at end,
    location_address = case when i.status = 'draft' then
      (select formatted_address from locations l where l.tenant_id = ${db.tenant} and l.id = i.location_id)
        else i.location_address end
  from (select case when amount_paid_cents >= total_cents then 'paid' when amount_paid_cents > 0 then 'partially_paid'
    else 'sent' end as status
    from invoices where tenant_id = ${db.tenant} and id = ${invoice}) s
  where i.tenant_id = ${db.tenant} and i.id = ${invoice} and i.status <> s.status
    and (i.status in ('partially_paid', 'paid') or (${isIncoming} and s.status <> 'sent'))`)
