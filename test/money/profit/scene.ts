import { sql, writeTenant, type Db } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, sendForm } from '../../harness/identity/people_pages.ts'

/** Opens a company, with helpers for jobs completed on given dates and their working time. */
export async function openProfit(service: TestService, name: string) {
  const office = await openOffice(service, name)
  const within = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    writeTenant(service.database, { tenant: office.id }, work)

  /** Completes a job at a given time. */
  async function finish(job: Result, at: string): Promise<void> {
    await office.call('jobs_update', { id: job['id'], status: 'done' })
    await within((db) =>
      db.run(sql`update jobs set completed_at = ${at} where tenant_id = ${office.id} and id = ${String(job['id'])}`),
    )
  }

  /** Records a member's working time. */
  const work = (job: Result, user: string, from: string, until: string): Promise<number> =>
    within((db) =>
      db.run(sql`insert into time_entries (tenant_id, id, user_id, job_id, started_at, ended_at, ended_by)
        values (${office.id}, ${newId()}, ${user}, ${String(job['id'])}, ${from}, ${until}, 'end')`),
    )

  async function bill(...jobs: Result[]): Promise<Result> {
    const [first] = jobs
    const made =
      jobs.length === 1
        ? await office.call('invoices_create', { customer_id: first!['customer_id'], from_job_id: first!['id'] })
        : await office.call('invoices_create', {
            customer_id: first!['customer_id'],
            job_ids: jobs.map(({ id }) => id),
            line_items: [{ name: 'All of it', unit_price_cents: 100_001 }],
          })
    return office.call('invoices_update', { id: made['id'], status: 'sent' })
  }

  const setRate = (member: string, from_day: string, rate: string) =>
    sendForm(office.browser, office.at('settings', 'rates'), [
      ['member', member],
      ['from_day', from_day],
      ['rate', rate],
    ])

  /** Backdates an item's costs. */
  const datedCosts = (item: Result, since: readonly string[]): Promise<unknown> =>
    within(async (db) => {
      const rows = await db.all<{ since: string }>(sql`select since from catalog_item_costs
        where tenant_id = ${office.id} and item_id = ${String(item['id'])} order by since`)
      for (const [at, { since: before }] of rows.entries())
        await db.run(sql`update catalog_item_costs set since = ${since[at] ?? before}
          where tenant_id = ${office.id} and item_id = ${String(item['id'])} and since = ${before}`)
    })

  return { ...office, within, finish, work, bill, setRate, datedCosts }
}

export type ProfitScene = Awaited<ReturnType<typeof openProfit>>
