import { quoteUntrusted } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { RecentRecord } from '../../../tools/declare/define.ts'
import type { CustomerRow } from './search.ts'

type Row = Pick<
  CustomerRow,
  'id' | 'display_name' | 'customer_type' | 'status' | 'primary_phone' | 'primary_address' | 'updated_at'
>

/** Lists the most recently changed live customers, newest first. */
export async function recentCustomers(db: Db, limit: number): Promise<RecentRecord[]> {
  const rows = await db.all<Row>(sql`
    select c.id, c.display_name, c.customer_type, c.status, k.phone as primary_phone,
      (select l.formatted_address from locations l
        where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
        order by l.type desc limit 1) as primary_address, c.updated_at
    from customers c
      left join contacts k on k.tenant_id = ${db.tenant} and k.customer_id = c.id and k.is_primary
        and k.archived_at is null
    where c.tenant_id = ${db.tenant} and c.archived_at is null order by c.updated_at desc, c.id desc limit ${limit}`)
  return rows.map(({ id, display_name, customer_type, status, primary_phone, primary_address, updated_at }) => ({
    id,
    name: quoteUntrusted(display_name),
    title: quoteUntrusted(display_name),
    updated_at,
    description: [customer_type, status, primary_phone, primary_address && quoteUntrusted(primary_address)]
      .filter((part) => part !== null)
      .join(', '),
  }))
}
