import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { enrollmentTask } from '../../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { makeCompany, startTestService, type Result, type TestService } from '../../harness/harness.ts'
import { captureLines } from '../../harness/processes/workers.ts'

const ZONE = 'America/New_York'
let service: TestService
before(async () => void (service = await startTestService()))
after(() => service.stop())

const { log, lines } = captureLines()
/**
 * Tomorrow, so that all its hours are ahead: whatever the service did at startup is earlier than the tests' own work.
 */
const today = Temporal.Now.plainDateISO(ZONE).add({ days: 1 })

/** Runs the tasks that are due by a local time, some days from today. */
const workAt = async (days: number, time: string): Promise<void> => {
  const now = today.add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant()
  const stopping = new AbortController().signal
  await runDue({ database: service.database, log, clock: () => now, stopping }, [
    ...PERIODIC_TASKS,
    enrollmentTask(PERIODIC_TASKS),
  ])
  assert.deepEqual(lines, [])
}

async function begin() {
  const company = await makeCompany(service, { timezone: ZONE })
  const { id: customer_id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  return { ...company, customer_id }
}

describe('the nightly tasks', () => {
  it('create one more day of jobs at 02:00, and catch up after several days', async () => {
    const { call, customer_id } = await begin()
    const start = today.add({ days: 1 }).toString()
    const { id } = await call('job_series_create', {
      customer_id,
      title: 'Patrol',
      rrule: 'FREQ=DAILY',
      dtstart: `${start}T09:00`,
    })
    const last = async (): Promise<string> =>
      (await call('jobs_list', { seriesId: id, sort: 'scheduled_desc', limit: 1 })).rows
        .map(({ scheduled_start }: Result) => scheduled_start.slice(0, 10))
        .join('')
    const total = async (): Promise<number> =>
      (await call('jobs_list', { seriesId: id, include_total: true, limit: 1 })).total
    await workAt(0, '23:00')
    const [before, count] = [Temporal.PlainDate.from(await last()), await total()]
    await workAt(1, '01:59')
    assert.equal(await total(), count)
    await workAt(1, '02:00')
    assert.deepEqual([await last(), await total()], [before.add({ days: 1 }).toString(), count + 1])
    await workAt(5, '12:00')
    assert.deepEqual([await last(), await total()], [before.add({ days: 5 }).toString(), count + 5])
  })

  it('end a series without occurrences after today', async () => {
    const { call, customer_id } = await begin()
    const start = today.add({ days: 1 }).toString()
    const { id } = await call('job_series_create', {
      customer_id,
      title: 'Two visits',
      rrule: 'FREQ=WEEKLY;COUNT=2',
      dtstart: `${start}T09:00`,
    })
    const status = async (): Promise<string> => (await call('job_series_get', { id })).status
    await workAt(7, '12:00')
    assert.equal(await status(), 'active')
    await workAt(8, '02:00')
    assert.equal(await status(), 'ended')
  })

  it('expire sent quotes after midnight of their last day', async () => {
    const { call, customer_id } = await begin()
    const { id } = await call('quotes_create', {
      customer_id,
      title: 'Repipe',
      valid_until: today.add({ days: 3 }).toString(),
    })
    await call('quotes_update', { id, status: 'sent' })
    const status = async (): Promise<string> => (await call('quotes_get', { id })).status
    await workAt(3, '23:59')
    assert.equal(await status(), 'sent')
    await workAt(4, '00:05')
    assert.equal(await status(), 'expired')
  })
})
