import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Number of jobs that customers of one source brought; null is a customer without one. */
export type SourceCount = { source: string | null; jobs: number }

/** Counts the jobs of a span of time by their customers' source, the largest first; canceled ones are left out. */
export const countJobsBySource = (db: Db, from: string, until: string): Promise<SourceCount[]> =>
  db.all<SourceCount>(sql`
  select nullif(trim(c.lead_source), '') as source, count(*)::integer as jobs
  from jobs j left join (
    select id, lead_source from customers where tenant_id = ${db.tenant} and lead_source is not null) c
    on c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.created_at >= ${from} and j.created_at < ${until} and j.status <> 'cancelled'
  group by 1 order by jobs desc, source`)
