import { sql, type Db } from '../platform/db/tenant.ts'

/** A technician's latest report of running late. */
type LateReport = {
  user_name: string
  job_id: string
  display_number: string
  title: string
  minutes: number
  told: number
  at: string
}

/** Stores that a technician runs late, under the id of the event that reported it. */
export const addLateReport = (
  db: Db,
  report: { id: string; user: string; job: string; minutes: number; notified: number; at: string },
): Promise<number> =>
  db.run(sql`insert into late_reports (tenant_id, id, user_id, job_id, minutes, told, at)
    values (${db.tenant}, ${report.id}, ${report.user}, ${report.job}, ${report.minutes}, ${report.notified},
      ${report.at})`)

/** Returns each technician's latest report since `since`, while one of their visits of that day is still open. */
export const listLateReports = (db: Db, since: string): Promise<LateReport[]> =>
  db.all<LateReport>(sql`
    select u.name as user_name, l.job_id, j.display_number, j.title, l.minutes, l.told, l.at
    from (select distinct on (user_id) * from late_reports where tenant_id = ${db.tenant} and at >= ${since}
        order by user_id, at desc, id desc) l
      join jobs j on j.tenant_id = ${db.tenant} and j.id = l.job_id
      join users u on u.id = l.user_id
    where exists (select 1 from job_assignees a where a.tenant_id = ${db.tenant} and a.user_id = l.user_id
        and a.scheduled_start >= ${since} and a.scheduled_start < ${since}::timestamptz + interval '1 day'
        and a.status not in ('done', 'cancelled'))
    order by l.at desc limit 10`)
