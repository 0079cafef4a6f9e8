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

/** Returns a job in a status. It is scheduled, unless the status is unscheduled. */
async function jobIn(status: string): Promise<Result> {
  const job = await company.call('jobs_create', {
    customer_id: customer.id,
    title: 'Visit',
    ...(status === 'unscheduled' ? {} : { scheduled_start: START }),
  })
  if (status === 'cancelled') return company.call('jobs_cancel', { id: job.id, reason: 'Rain' })
  return job.status === status ? company.call('jobs_get', { id: job.id }) : update(job.id, { status })
}

describe('ok: from any open status to any open one', () => {
  for (const from of OPEN) {
    for (const to of OPEN) {
      it(`${from} to ${to}`, async () => {
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

describe('ok: done', () => {
  for (const from of OPEN) {
    it(`${from} to done stamps completed_at, whatever the schedule`, async () => {
      const before = Date.now() - 1000
      const job = await update((await jobIn(from)).id, { status: 'done' })
      assert.equal(job.status, 'done')
      assert.ok(Date.parse(job.completed_at) >= before && Date.parse(job.completed_at) <= Date.now() + 1000)
    })
    it(`done to ${from} reopens: completed_at is cleared, the audit keeps it`, async () => {
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
  it('stays done with its first completed_at, also when other fields change', async () => {
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

describe('ok: what follows from the schedule', () => {
  it('a start schedules what was unscheduled', async () => {
    assert.equal((await update((await jobIn('unscheduled')).id, { scheduled_start: START })).status, 'scheduled')
  })
  it('a start that is cleared unschedules what was scheduled', async () => {
    const job = await update((await jobIn('scheduled')).id, { scheduled_start: null })
    assert.deepEqual(
      [job.status, job.scheduled_start, job.scheduled_end, job.duration_minutes],
      ['unscheduled', null, null, 60],
    )
  })
  it('other statuses stay without a start, and with one', async () => {
    for (const status of ['en_route', 'in_progress', 'on_hold']) {
      const { id } = await jobIn(status)
      assert.equal((await update(id, { scheduled_start: null })).status, status)
      assert.equal((await update(id, { scheduled_start: START })).status, status)
    }
  })
  it('status unscheduled may say so of the start', async () => {
    assert.equal(
      (await update((await jobIn('scheduled')).id, { status: 'unscheduled', scheduled_start: null })).status,
      'unscheduled',
    )
  })
})

describe('ok: cancel', () => {
  for (const from of [...OPEN, 'done']) {
    it(`${from} is cancelled, its history kept`, async () => {
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
  it('again changes nothing', async () => {
    const before = await jobIn('cancelled')
    assert.deepEqual(await company.call('jobs_cancel', { id: before.id, reason: 'Snow' }), before)
  })
  it('at once, twice: both succeed with the first reason', async () => {
    const { id } = await jobIn('scheduled')
    const [a, b] = await Promise.all(['Rain', 'Snow'].map((reason) => company.call('jobs_cancel', { id, reason })))
    assert.deepEqual(a, b)
  })
  it('at once with an update: it ends cancelled', async () => {
    const { id } = await jobIn('scheduled')
    await Promise.all([company.call('jobs_cancel', { id }), company.owner.send('jobs_update', { id, status: 'done' })])
    assert.equal((await company.call('jobs_get', { id })).status, 'cancelled')
  })
})

describe('invalid_input', () => {
  it('scheduled without a start', async () => {
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
  it('unscheduled with a start or an end', async () => {
    const { id } = await jobIn('scheduled')
    for (const field of ['scheduled_start', 'scheduled_end']) {
      assert.match(
        await refusal(id, { status: 'unscheduled', [field]: START }),
        new RegExp(`^invalid_input: status unscheduled .* ${field}`),
      )
    }
  })
  it('an end without a start', async () => {
    const { id } = await jobIn('scheduled')
    assert.match(
      await refusal(id, { scheduled_start: null, scheduled_end: START }),
      /^invalid_input: scheduled_end needs scheduled_start/,
    )
  })
  for (const from of [...OPEN, 'done', 'cancelled']) {
    it(`${from} to cancelled by an update points at jobs_cancel`, async () => {
      assert.match(
        await refusal((await jobIn(from)).id, { status: 'cancelled' }),
        /^invalid_input: status can't become cancelled .*jobs_cancel/,
      )
    })
  }
  it('a status that there is not, naming those that there are', async () => {
    assert.match(
      await refusal((await jobIn('scheduled')).id, { status: 'finished' }),
      /^invalid_input: status must be one of unscheduled, scheduled/,
    )
  })
})

describe('conflict', () => {
  for (const patch of [{}, { title: 'X' }, { status: 'scheduled' }, { status: 'done' }, { scheduled_start: null }]) {
    it(`a cancelled job with ${JSON.stringify(patch)}`, async () => {
      assert.match(await refusal((await jobIn('cancelled')).id, patch), /^conflict: the job is cancelled/)
    })
  }
})
