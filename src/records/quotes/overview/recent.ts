import { quoteUntrusted } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { RecentRecord } from '../../../tools/declare/define.ts'
import type { Quote } from '../fields.ts'

type Row = Pick<Quote, 'id' | 'display_number' | 'title' | 'status' | 'customer_name' | 'valid_until' | 'updated_at'>

/** Returns the most recently changed live quotes. */
export async function recentQuotes(db: Db, limit: number): Promise<RecentRecord[]> {
  const rows = await db.all<Row>(sql`
    select q.id, q.display_number, q.title, q.status, c.display_name as customer_name, q.valid_until, q.updated_at
    from quotes q join customers c on c.tenant_id = ${db.tenant} and c.id = q.customer_id
    where q.tenant_id = ${db.tenant} and q.status <> 'archived' order by q.updated_at desc, q.id desc limit ${limit}`)
  return rows.map(({ id, display_number, title, status, customer_name, valid_until, updated_at }) => ({
    id,
    name: display_number,
    title: `${display_number}: ${quoteUntrusted(title)}`,
    updated_at,
    description: `${status}, for ${quoteUntrusted(customer_name)}, valid until ${valid_until}`,
  }))
}
