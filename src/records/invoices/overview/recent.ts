import { quoteUntrusted } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { RecentRecord } from '../../../tools/declare/define.ts'
import type { Invoice } from '../fields.ts'

type Row = Pick<Invoice, 'id' | 'display_number' | 'subject' | 'status' | 'customer_name' | 'due_date'> & {
  updated_at: string
}

/** Returns the most recently changed invoices, without void ones. */
export async function recentInvoices(db: Db, limit: number): Promise<RecentRecord[]> {
  const rows = await db.all<Row>(sql`
    select i.id, i.display_number, i.subject, i.status, c.display_name as customer_name, i.due_date, i.updated_at
    from invoices i join customers c on c.tenant_id = ${db.tenant} and c.id = i.customer_id
    where i.tenant_id = ${db.tenant} and i.status <> 'void' order by i.updated_at desc, i.id desc limit ${limit}`)
  return rows.map(({ id, display_number, subject, status, customer_name, due_date, updated_at }) => ({
    id,
    name: display_number,
    title: subject === null ? display_number : `${display_number}: ${quoteUntrusted(subject)}`,
    updated_at,
    description: `${status.replaceAll('_', ' ')}, for ${quoteUntrusted(customer_name)}, due ${due_date}`,
  }))
}
