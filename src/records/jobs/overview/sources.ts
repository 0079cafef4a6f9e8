import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Number of jobs from customers of one source; null for customers without one. */
export type SourceCount = { source: string | null; jobs: number }

/** Counts the jobs created in a time span by their customers' source, largest first, without canceled ones. */
export const countJobsBySource = (db: Db, from: string, until: string): Promise<SourceCount[]> =>
  db.all<SourceCount>(sql`
  select nullif(trim(c.lead_source), '') as source, count(*)::integer as jobs
  from jobs j left join (
    select id, lead_source from customers where tenant_id = ${db.tenant} and lead_source is not null) c
    on c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.created_at >= ${from} and j.created_at < ${until} and j.status <> 'cancelled'
  group by 1 order by jobs desc, source`)
