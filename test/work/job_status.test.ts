import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const OPEN = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'] as const
const START = '2027-03-02T14:00:00.000Z'

let service: TestService
let company: Company
let customer: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
})
after(() => service.stop())

const update = (id: string, patch: object): Promise<Result> => company.call('jobs_update', { id, ...patch })
const refusal = (id: string, patch: object): Promise<string> => company.refusal('jobs_update', { id, ...patch })

/** Returns a job in the given status. It is scheduled unless the status is unscheduled. */
async function jobIn(status: string): Promise<Result> {
  const job = await company.call('jobs_create', {
    customer_id: customer.id,
    title: 'Visit',
    ...(status === 'unscheduled' ? {} : { scheduled_start: START }),
  })
  if (status === 'cancelled') return company.call('jobs_cancel', { id: job.id, reason: 'Rain' })
  return job.status === status ? company.call('jobs_get', { id: job.id }) : update(job.id, { status })
}

describe('a status change between open statuses', () => {
  for (const from of OPEN) {
    for (const to of OPEN) {
      it(`${from} to ${to} succeeds`, async () => {
        const { id } = await jobIn(from)
        const needsStart = from === 'unscheduled' && to === 'scheduled'
        const job = await update(id, { status: to, ...(needsStart ? { scheduled_start: START } : {}) })
        assert.equal(job.status, to)
        assert.equal(job.completed_at, null)
        const isScheduled = to !== 'unscheduled' && (from !== 'unscheduled' || needsStart)
        assert.deepEqual([job.scheduled_start, job.scheduled_end === null], [isScheduled ? START : null, !isScheduled])
      })
    }
  }
})

describe('the done status', () => {
  for (const from of OPEN) {
    it(`${from} to done sets completed_at, with or without a schedule`, async () => {
      const before = Date.now() - 1000
      const job = await update((await jobIn(from)).id, { status: 'done' })
      assert.equal(job.status, 'done')
      assert.ok(Date.parse(job.completed_at) >= before && Date.parse(job.completed_at) <= Date.now() + 1000)
    })
    it(`done to ${from} clears completed_at; the audit keeps it`, async () => {
      const { id, completed_at } = await jobIn('done')
      const job = await update(id, { status: from })
      assert.deepEqual([job.status, job.completed_at], [from, null])
      const { changed } = await readTenant(service.database, { tenant: company.tenant }, (db) =>
        db.one<{ changed: Result }>(sql`
        select changed from audit where tenant_id = ${db.tenant} and record_id = ${id} order by at desc, id desc limit 1`),
      )
      assert.deepEqual(changed.completed_at, [completed_at, null])
    })
  }
  it('keeps its first completed_at when the status is repeated or other fields change', async () => {
    const { id, completed_at } = await jobIn('done')
    for (const patch of [
      { status: 'done' },
      { title: 'After' },
      { scheduled_start: null },
      { scheduled_start: '2027-05-01T09:00' },
    ]) {
      const job = await update(id, patch)
      assert.deepEqual([job.status, job.completed_at], ['done', completed_at], JSON.stringify(patch))
    }
  })
})

describe('status changes from the schedule', () => {
  it('setting a start schedules an unscheduled job', async () => {
    assert.equal((await update((await jobIn('unscheduled')).id, { scheduled_start: START })).status, 'scheduled')
  })
  it('clearing the start unschedules a scheduled job', async () => {
    const job = await update((await jobIn('scheduled')).id, { scheduled_start: null })
    assert.deepEqual(
      [job.status, job.scheduled_start, job.scheduled_end, job.duration_minutes],
      ['unscheduled', null, null, 60],
    )
  })
  it('setting or clearing the start leaves other statuses unchanged', async () => {
    for (const status of ['en_route', 'in_progress', 'on_hold']) {
      const { id } = await jobIn(status)
      assert.equal((await update(id, { scheduled_start: null })).status, status)
      assert.equal((await update(id, { scheduled_start: START })).status, status)
    }
  })
  it('status unscheduled with scheduled_start null is accepted', async () => {
    assert.equal(
      (await update((await jobIn('scheduled')).id, { status: 'unscheduled', scheduled_start: null })).status,
      'unscheduled',
    )
  })
})

describe('jobs_cancel', () => {
  for (const from of [...OPEN, 'done']) {
    it(`cancels a job that is ${from} and keeps its schedule and completed_at`, async () => {
      const before = await jobIn(from)
      const job = await company.call('jobs_cancel', { id: before.id, reason: ' Rain ' })
      assert.deepEqual(
        [job.status, job.cancel_reason, job.completed_at, job.scheduled_start],
        ['cancelled', 'Rain', before.completed_at, before.scheduled_start],
      )
      assert.ok(Date.parse(job.cancelled_at) > 0)
      assert.equal(job.url, undefined)
    })
  }
  it('changes nothing on a canceled job', async () => {
    const before = await jobIn('cancelled')
    assert.deepEqual(await company.call('jobs_cancel', { id: before.id, reason: 'Snow' }), before)
  })
  it('succeeds for both of two concurrent calls, with the first reason', async () => {
    const { id } = await jobIn('scheduled')
    const [a, b] = await Promise.all(['Rain', 'Snow'].map((reason) => company.call('jobs_cancel', { id, reason })))
    assert.deepEqual(a, b)
  })
  it('wins over a concurrent update', async () => {
    const { id } = await jobIn('scheduled')
    await Promise.all([company.call('jobs_cancel', { id }), company.owner.send('jobs_update', { id, status: 'done' })])
    assert.equal((await company.call('jobs_get', { id })).status, 'cancelled')
  })
})

describe('an invalid status change', () => {
  it('to scheduled without a start returns invalid_input', async () => {
    for (const from of ['unscheduled', 'on_hold']) {
      const { id } = await jobIn(from)
      assert.equal(
        await refusal(id, { status: 'scheduled', scheduled_start: null }),
        'invalid_input: status scheduled needs scheduled_start; send both',
      )
    }
    const { id } = await jobIn('unscheduled')
    assert.equal(
      await refusal(id, { status: 'scheduled' }),
      'invalid_input: status scheduled needs scheduled_start; send both',
    )
  })
  it('to unscheduled with a start or an end returns invalid_input', async () => {
    const { id } = await jobIn('scheduled')
    for (const field of ['scheduled_start', 'scheduled_end']) {
      assert.match(
        await refusal(id, { status: 'unscheduled', [field]: START }),
        new RegExp(`^invalid_input: status unscheduled .* ${field}`),
      )
    }
  })
  it('with an end but no start returns invalid_input', async () => {
    const { id } = await jobIn('scheduled')
    assert.match(
      await refusal(id, { scheduled_start: null, scheduled_end: START }),
      /^invalid_input: scheduled_end needs scheduled_start/,
    )
  })
  for (const from of [...OPEN, 'done', 'cancelled']) {
    it(`${from} to cancelled with jobs_update returns invalid_input and names jobs_cancel`, async () => {
      assert.match(
        await refusal((await jobIn(from)).id, { status: 'cancelled' }),
        /^invalid_input: status can't be set to cancelled .*jobs_cancel/,
      )
    })
  }
  it('to an unknown status returns invalid_input with the valid ones', async () => {
    assert.match(
      await refusal((await jobIn('scheduled')).id, { status: 'finished' }),
      /^invalid_input: status must be one of unscheduled, scheduled/,
    )
  })
})

describe('a canceled job', () => {
  for (const patch of [{}, { title: 'X' }, { status: 'scheduled' }, { status: 'done' }, { scheduled_start: null }]) {
    it(`returns conflict for jobs_update with ${JSON.stringify(patch)}`, async () => {
      assert.match(await refusal((await jobIn('cancelled')).id, patch), /^conflict: the job is cancelled/)
    })
  }
})
