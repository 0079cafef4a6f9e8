import { quoteUntrusted } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { wallAt } from '../../../platform/validation/formats/instants.ts'
import type { RecentRecord } from '../../../tools/declare/define.ts'
import type { JobRow } from '../listing.ts'

type Row = Pick<
  JobRow,
  'id' | 'display_number' | 'title' | 'status' | 'customer_name' | 'scheduled_start' | 'updated_at'
>

/** Returns the most recently changed jobs, including canceled ones, newest first; start times are in `zone`. */
export async function recentJobs(db: Db, zone: string, limit: number): Promise<RecentRecord[]> {
  const rows = await db.all<Row>(sql`
    select j.id, j.display_number, j.title, j.status, c.display_name as customer_name, j.scheduled_start, j.updated_at
    from jobs j join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    where j.tenant_id = ${db.tenant} order by j.updated_at desc, j.id desc limit ${limit}`)
  return rows.map(({ id, display_number, title, status, customer_name, scheduled_start, updated_at }) => ({
    id,
    name: display_number,
    title: `${display_number}: ${quoteUntrusted(title)}`,
    updated_at,
    description: [
      status.replaceAll('_', ' '),
      localMinute(scheduled_start, zone),
      `for ${quoteUntrusted(customer_name)}`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  }))
}

const localMinute = (instant: string | null, zone: string): string | null =>
  instant && wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' }).replace('T', ' ')
