import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Result } from '../../harness/harness.ts'
import { jobsOfSeries, mowingSeries } from './mowing_series.ts'

export type SeriesScene = Awaited<ReturnType<typeof openSeriesScene>>

/** Starts the service with a company and a customer with two locations. */
export async function openSeriesScene() {
  const service = await startTestService()
  const company = await makeCompany(service)
  const customer: Result = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    locations: [{ address_line1: '1 Elm St' }, { address_line1: '2 Oak St' }],
  })
  return {
    service,
    company,
    customer,
    /** Starts a weekly series from tomorrow at nine. */
    start: (given: object = {}): Promise<Result> => company.call('job_series_create', mowingSeries(customer, given)),
    update: (series: Result, patch: object): Promise<Result> =>
      company.call('job_series_update', { id: series.id, ...patch }),
    get: (job: Result): Promise<Result> => company.call('jobs_get', { id: job.id }),
    edit: (job: Result, patch: object): Promise<Result> => company.call('jobs_update', { id: job.id, ...patch }),
    jobsOf: (series: Result): Promise<Result[]> => jobsOfSeries(company, series),
    /** Moves a job's slot into the past. */
    age: (job: Result, key: string, start: string): Promise<unknown> =>
      writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`
          update jobs set occurrence_key = ${key}, scheduled_start = ${start}::timestamptz,
            scheduled_end = ${start}::timestamptz + interval '1 hour'
          where tenant_id = ${db.tenant} and id = ${job.id}`),
      ),
    stop: () => service.stop(),
  }
}

/** Returns when jobs start. */
export const starts = (jobs: Result[]): string[] => jobs.map(({ scheduled_start }) => scheduled_start)
/** Returns the ids of jobs. */
export const ids = (jobs: Result[]): string[] => jobs.map(({ id }) => id)

/** Counts of an update that changes no job. */
export const UNCHANGED = { kept: 0, created: 0, removed: 0, cancelled: 0, preserved: 0 }
