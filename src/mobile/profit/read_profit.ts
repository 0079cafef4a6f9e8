import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import type { DayRange } from '../../records/invoices/index.ts'
import {
  addShares,
  lacksCosts,
  splitProfit,
  type JobProfit,
  type ProfitDimension,
  type ProfitShare,
} from './job_profit.ts'

/** Jobs per page. */
const PAGE = 500

/** Profit of a day's finished jobs, split, and how many of them are unbilled or lack costs. */
type DayProfit = { shares: ProfitShare[]; jobs: number; unbilled: number; lacking: number }

/** Reads the jobs finished in a range of days, about `maxJobs` of them, and adds up each day separately. */
export async function readDays(
  db: Db,
  timezone: string,
  { range, splits, maxJobs }: { range: DayRange; splits: readonly ProfitDimension[]; maxJobs: number },
): Promise<Map<string, ReadonlyMap<ProfitDimension, DayProfit>>> {
  const days = new Map<string, JobProfit[]>()
  const bounds = { from: lowerBound(timezone, range.from), until: upperBound(timezone, range.to) }
  let page: FinishedJob[] = []
  let readCount = 0
  let last: { at: string; id: string } | undefined
  do {
    page = await readJobs(db, timezone, whereFinished(bounds, last))
    for (const job of page) days.set(job.day, [...(days.get(job.day) ?? []), job])
    readCount += page.length
    const end = page.at(-1)
    last = end && { at: end.completed_at, id: end.id }
  } while (page.length === PAGE && readCount < maxJobs)
  return new Map([...days].map(([day, jobs]) => [day, new Map(splits.map((by) => [by, addUp(jobs, by)]))]))
}

function addUp(jobs: readonly JobProfit[], by: ProfitDimension): DayProfit {
  const totals = new Map<string | null, ProfitShare>()
  for (const job of jobs) addShares(totals, splitProfit(job, by))
  return {
    shares: [...totals.values()],
    jobs: jobs.length,
    unbilled: jobs.filter(({ is_billed }) => !is_billed).length,
    lacking: jobs.filter(lacksCosts).length,
  }
}

/** Returns the profit of one job so far, finished or not. */
export const findJobProfit = async (db: Db, job: string, timezone: string): Promise<JobProfit | undefined> =>
  (await readJobs(db, timezone, sql`j.id = ${job}`)).at(0)

const whereFinished = ({ from, until }: Record<'from' | 'until', string>, last?: { at: string; id: string }): Sql =>
  sql`j.status = 'done' and j.completed_at >= ${from} and j.completed_at < ${until}
    ${last === undefined ? sql`` : sql`and (j.completed_at, j.id) > (${last.at}, ${last.id})`}`

type FinishedJob = JobProfit & { completed_at: string }

/** Reads jobs with their sales, the costs of their lines as of completion, and their labor. */
const readJobs = (db: Db, timezone: string, condition: Sql): Promise<FinishedJob[]> =>
  db.all<FinishedJob>(sql`
    with picked as (
      select j.* from jobs j where j.tenant_id = ${db.tenant} and ${condition}
        order by j.completed_at, j.id limit ${PAGE})
    select p.id, p.display_number, p.title, p.customer_id, c.display_name as customer_name, p.completed_at,
      (coalesce(p.completed_at, moment()) at time zone ${timezone})::date::text as day, crew(p.assignee_ids) as crew,
      coalesce(s.cents, 0)::bigint as sales_cents, s.cents is not null as is_billed,
      (select coalesce(json_agg(l order by l.place), '[]') from (${linesOf(db)}) l) as lines,
      (select coalesce(json_agg(l order by l.name, l.user_id), '[]') from (${laborOf(db, timezone)}) l) as labor
    from picked p join customers c on c.tenant_id = ${db.tenant} and c.id = p.customer_id
      left join (${salesOfJobs(db)}) s on s.job_id = p.id
    order by p.completed_at, p.id`)

/**
 * Selects the sales of each job from its invoices, without deposits, divided by the subtotals of the jobs, or evenly.
 * Each job gets its increment of the rounded running sum, so the shares add up to the cent.
 */
const salesOfJobs = (db: Db): Sql => sql`
  select job_id, sum(floor(sales * upto / whole) - floor(sales * (upto - weight) / whole))::bigint as cents from (
    select b.job_id, i.sales, b.weight, sum(b.weight) over (partition by i.id order by b.job_id) as upto,
      sum(b.weight) over (partition by i.id) as whole
    from (select f.id, case when f.deposit_of is null
          then f.subtotal_cents - f.discount_cents + f.deducted_cents else 0 end::numeric as sales
        from invoices f where f.tenant_id = ${db.tenant} and f.status not in ('draft', 'void')
          and f.id in (select x.invoice_id from invoice_jobs x
            where x.tenant_id = ${db.tenant} and x.job_id in (select id from picked))) i
      join lateral (
        select o.job_id, case when sum(w.subtotal_cents) over () = 0 then 1 else w.subtotal_cents end::numeric as weight
        from invoice_jobs o join jobs w on w.tenant_id = ${db.tenant} and w.id = o.job_id
        where o.tenant_id = ${db.tenant} and o.invoice_id = i.id) b on true) parts
  group by job_id`

/** Selects the item lines of a job `p`, with their parts cost at its completion. */
const linesOf = (db: Db): Sql => sql`
  select n.place, i.id as item_id, i.name as item_name, (n.line ->> 'line_total_cents')::bigint as total_cents,
    case when i.id is null then null
      else round((n.line ->> 'quantity')::numeric * case when i.kind = 'bundle' then (
        select case when bool_and(h.cost_cents is not null) then sum(round(k.quantity * h.cost_cents)) end
        from catalog_components k left join lateral ${costOf(db, sql`k.item_id`)} h on true
        where k.tenant_id = ${db.tenant} and k.bundle_id = i.id)
      else (select h.cost_cents from ${costOf(db, sql`i.id`)} h) end)::bigint end as cost_cents
  from jsonb_array_elements(p.line_items) with ordinality n (line, place)
    left join catalog_items i on i.tenant_id = ${db.tenant} and i.id = (n.line ->> 'catalog_item_id')::uuid
  where n.line ->> 'kind' <> 'discount'`

/** Selects an item's cost at the completion of a job `p`, or its current cost. */
const costOf = (db: Db, item: Sql): Sql => sql`(
  select t.cost_cents from catalog_item_costs t
  where t.tenant_id = ${db.tenant} and t.item_id = ${item} and t.since <= coalesce(p.completed_at, moment())
  order by t.since desc limit 1)`

/** Selects the working time on a job `p` by member, each entry at the rate of the day it started. */
const laborOf = (db: Db, timezone: string): Sql => sql`
  select e.user_id, u.name, sum(e.seconds)::bigint as seconds,
    case when bool_and(e.rate is not null or e.seconds = 0)
      then sum(coalesce(round(e.seconds * e.rate / 3600.0), 0))::bigint end as cost_cents
  from (select t.user_id, floor(extract(epoch from coalesce(t.ended_at, moment()) - t.started_at))::bigint as seconds,
      (select r.cost_cents from labor_rates r where r.tenant_id = ${db.tenant} and r.user_id = t.user_id
        and r.from_day <= (t.started_at at time zone ${timezone})::date order by r.from_day desc limit 1) as rate
    from time_entries t where t.tenant_id = ${db.tenant} and t.job_id = p.id) e
  join users u on u.id = e.user_id
  group by e.user_id, u.name`
