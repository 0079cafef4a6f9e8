import { sql } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import type { JournaledRow } from './journal.ts'
import type { RemovalContext } from './removal.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Takes back the payments recorded on invoices that a change created, each with a second row. */
export async function reverseRecordedPayments(
  { db, caller, baseUrl }: RemovalContext,
  rows: readonly JournaledRow[],
): Promise<void> {
  const inserted = rows.filter(({ kind, op }) => kind === 'invoices' && op === 'insert').map(({ key }) => key)
  if (inserted.length === 0) return
  const paid = await db.all<{ id: string; payment_id: string }>(sql`
    select p.invoice_id as id, p.id as payment_id from payments p
    join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
    where p.tenant_id = ${db.tenant} and p.invoice_id = any(${inserted}::uuid[]) and p.kind = 'recorded'
      and i.status <> 'void'
      and not exists (select 1 from payments b where b.tenant_id = ${db.tenant} and b.takes_back = p.id)`)
  const invoices = entities.find(({ name }) => name === 'invoices')
  const tool = requireValue(
    invoices?.pageActions.find(({ verb }) => verb === 'take_back_payment'),
    'The action that takes back a payment',
  )
  for (const payment of paid) await tool.run({ db, caller, baseUrl }, payment)
}
