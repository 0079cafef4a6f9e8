import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase, sql } from '../../../src/platform/db/database.ts'
import { readTenant, writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { runPlan } from '../../../src/records/plans/index.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { enrollmentTask } from '../../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { captureLines } from '../../harness/processes/workers.ts'

let service: TestService
let second: Database
before(async () => {
  service = await startTestService()
  second = openDatabase(service.login, { maxConnections: 3 })
})
after(async () => {
  await second.close()
  await service.stop()
})

const chores = [...PERIODIC_TASKS.filter(({ name }) => name === 'plan_runs'), enrollmentTask(PERIODIC_TASKS)]
const { log, lines } = captureLines()

/** Runs the tasks that are due at a time in UTC. */
const workAt = (now: string, database = service.database): Promise<unknown> =>
  runDue({ database, log, clock: () => Temporal.Instant.from(now), stopping: new AbortController().signal }, chores)

/** Moves dates by multiples of four years until the first is in the future, so leap years stay leap years. */
function ahead(first: string, dates: readonly string[]): string[] {
  const today = Temporal.Now.plainDateISO('Pacific/Kiritimati')
  let years = 0
  while (Temporal.PlainDate.compare(Temporal.PlainDate.from(first).add({ years }), today) <= 0) years += 4
  return dates.map((date) => date.replaceAll(/\b\d{4}(?=-)/g, (year) => String(Number(year) + years)))
}

/** Moves dates of spring 2027. */
const later = (date: string): string => ahead('2027-01-31', [date])[0]!

const visit = { name: 'Visit', unit_price_cents: 15000, quantity: 2 }

/** Creates a separate company with a customer, so that other tests' plans don't run by its clock. */
async function begin(timezone = 'America/New_York') {
  const company = await makeCompany(service, { timezone })
  const { id: customer_id } = await company.call('customers_create', {
    customer_type: 'company',
    company_name: 'Palm Court',
    locations: [{ address_line1: '2 Service St' }],
  })
  const make = (more: object): Promise<Result> =>
    company.call('plans_create', { customer_id, name: 'Pool care', cadence: 'monthly', line_items: [visit], ...more })
  return {
    ...company,
    customer_id,
    make,
    plan: (id: string) => company.call('plans_get', { id }),
    drafts: () => draftsOf(company),
  }
}

const draftsOf = ({ tenant }: Pick<Company, 'tenant'>): Promise<Result[]> =>
  readTenant(service.database, { tenant }, (db) =>
    db.all<Result>(sql`select i.*, r.run_date from invoices i
    join plan_runs r on r.tenant_id = i.tenant_id and r.invoice_id = i.id where i.tenant_id = ${db.tenant} order by r.run_date, i.id`),
  )

const dates = (drafts: Result[]): string => drafts.map(({ run_date }) => run_date).join(' ')
const progress = ({ status, next_run_date, last_run_date, runs_count }: Result) => [
  status,
  next_run_date,
  last_run_date,
  runs_count,
]

describe('plan cadences', () => {
  const examples: [cadence: string, ...runs: string[]][] = [
    ['weekly', '2027-12-28', '2028-01-04', '2028-01-11'],
    ['biweekly', '2027-12-28', '2028-01-11', '2028-01-25'],
    ['monthly', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ['bimonthly', '2027-12-31', '2028-02-29', '2028-04-30', '2028-06-30'],
    ['quarterly', '2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30'],
    ['semiannual', '2027-08-31', '2028-02-29', '2028-08-31'],
    ['annual', '2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28'],
  ]
  for (const [cadence, ...given] of examples) {
    it(`${cadence} from ${given[0]} drafts one invoice on each run date`, async () => {
      const runs = ahead(given[0]!, given)
      const { make, drafts, plan } = await begin()
      const { id } = await make({ cadence, start_date: runs[0] })
      for (const [i, run] of runs.entries()) {
        const before = runs.slice(0, i)
        await workAt(`${run}T09:59:00Z`)
        assert.equal(dates(await drafts()), before.join(' '))
        assert.deepEqual(progress(await plan(id)), ['active', run, before.at(-1) ?? null, i])
        await workAt(`${run}T12:00:00Z`)
        assert.equal(dates(await drafts()), [...before, run].join(' '))
      }
    })
  }
})

describe('plan invoice drafts', () => {
  it("contain the plan's lines, discount and tax on the run date, with no creator", async () => {
    const { call, make, drafts, plan, customer_id } = await begin()
    const { id: rate } = await call('tax_rates_create', { rate_percentage: 10, is_default: true })
    const made = await make({ start_date: later('2027-03-01'), discount: { type: 'amount', value: 1000 } })
    await call('tax_rates_create', { rate_percentage: 20, is_default: true })
    await workAt(later('2027-03-01T11:00:00Z'))
    const [draft] = await drafts()
    assert.deepEqual(
      [
        draft!.status,
        draft!.customer_id,
        draft!.plan_id,
        draft!.subject,
        draft!.issue_date,
        draft!.due_date,
        draft!.location_id,
        draft!.created_by,
      ],
      ['draft', customer_id, made.id, 'Pool care', later('2027-03-01'), later('2027-03-15'), made.location_id, null],
    )
    assert.deepEqual(
      [draft!.subtotal_cents, draft!.discount_cents, draft!.tax_cents, draft!.total_cents],
      [30000, 1000, 5800, 34800],
    )
    assert.notEqual(draft!.line_items[0].id, made.line_items[0].id)
    const ran = await plan(made.id)
    assert.deepEqual(progress(ran), ['active', later('2027-04-01'), later('2027-03-01'), 1])
    assert.equal(ran.tax_rate_id, rate)
    assert.equal((await call('invoices_get', { id: draft!.id })).plan_id, made.id)
  })

  it('keep a chosen tax rate that was archived since, and omit an archived location', async () => {
    const { call, make, drafts } = await begin()
    const { id: rate } = await call('tax_rates_create', { rate_percentage: 10 })
    const { location_id } = await make({ start_date: later('2027-03-01'), tax_rate_id: rate })
    await call('tax_rates_archive', { id: rate })
    await call('locations_archive', { id: location_id })
    await workAt(later('2027-03-01T11:00:00Z'))
    const [draft] = await drafts()
    assert.deepEqual([draft!.tax_cents, draft!.location_id], [3000, null])
  })

  it('are not created if auto_invoice is none; the run still counts', async () => {
    const { make, drafts, plan } = await begin()
    const { id } = await make({ start_date: later('2027-03-01'), auto_invoice: 'none' })
    await workAt(later('2027-03-01T11:00:00Z'))
    assert.deepEqual(await drafts(), [])
    assert.deepEqual(progress(await plan(id)), ['active', later('2027-04-01'), later('2027-03-01'), 1])
  })

  it("are created at 06:00 in the company's time zone", async () => {
    const [east, west] = [await begin('Pacific/Auckland'), await begin('America/Los_Angeles')]
    for (const { make } of [east, west]) await make({ start_date: later('2027-03-01') })
    await workAt(later('2027-02-28T16:59:59Z'))
    assert.deepEqual([dates(await east.drafts()), dates(await west.drafts())], ['', ''])
    await workAt(later('2027-02-28T17:00:00Z'))
    assert.deepEqual([dates(await east.drafts()), dates(await west.drafts())], [later('2027-03-01'), ''])
    await workAt(later('2027-03-01T14:00:00Z'))
    assert.deepEqual(
      [dates(await east.drafts()), dates(await west.drafts())],
      [later('2027-03-01'), later('2027-03-01')],
    )
  })

  it('of a plan that starts today are created the same day', async () => {
    const { make, drafts } = await begin('UTC')
    const now = Temporal.Now.instant()
    await workAt(now.add({ seconds: 1 }).toString())
    await make({})
    const soon = now.toZonedDateTimeISO('UTC')
    await workAt(soon.add({ seconds: 5 }).toInstant().toString())
    assert.equal(dates(await drafts()), soon.hour < 6 ? '' : soon.toPlainDate().toString())
  })
})

describe('missed run dates', () => {
  it('after days without a worker are caught up with one draft each', async () => {
    const { make, drafts, plan } = await begin()
    const { id } = await make({ cadence: 'weekly', start_date: later('2027-03-01') })
    await workAt(later('2027-03-01T11:00:00Z'))
    await workAt(later('2027-03-25T18:00:00Z'))
    const made = await drafts()
    assert.equal(dates(made), later('2027-03-01 2027-03-08 2027-03-15 2027-03-22'))
    assert.deepEqual(
      made.map(({ issue_date }) => issue_date),
      [later('2027-03-01'), later('2027-03-08'), later('2027-03-15'), later('2027-03-22')],
    )
    assert.deepEqual(new Set(made.map(({ number }) => number)).size, 4)
    assert.deepEqual(progress(await plan(id)), ['active', later('2027-03-29'), later('2027-03-22'), 4])
  })

  it('during a pause are skipped', async () => {
    const { call, make, drafts, plan, tenant } = await begin()
    const { id } = await make({ cadence: 'weekly', start_date: later('2027-03-01') })
    await call('plans_update', { id, status: 'paused' })
    await workAt(later('2027-03-25T18:00:00Z'))
    assert.deepEqual(await drafts(), [])
    await writeTenant(service.database, { tenant }, (db) =>
      db.run(
        sql`update plans set start_date = ${Temporal.Now.plainDateISO('America/New_York').subtract({ days: 10 }).toString()}`,
      ),
    )
    const resumed = await call('plans_update', { id, status: 'active' })
    assert.deepEqual(progress(resumed), [
      'active',
      Temporal.Now.plainDateISO('America/New_York').add({ days: 4 }).toString(),
      null,
      0,
    ])
    assert.equal((await plan(id)).runs_count, 0)
  })
})

describe('the end of a plan', () => {
  it("comes the night after end_date, paused plans included; expired plans can't be changed", async () => {
    const { call, refusal, make, drafts, plan } = await begin()
    const { id } = await make({ cadence: 'weekly', start_date: later('2027-03-01'), end_date: later('2027-03-08') })
    const paused = await make({ start_date: later('2027-03-01'), end_date: later('2027-03-08') })
    await call('plans_update', { id: paused.id, status: 'paused' })
    await workAt(later('2027-03-08T12:00:00Z'))
    assert.deepEqual(progress(await plan(id)), ['active', null, later('2027-03-08'), 2])
    await workAt(later('2027-03-09T12:00:00Z'))
    assert.deepEqual(progress(await plan(id)), ['expired', null, later('2027-03-08'), 2])
    assert.equal((await plan(paused.id)).status, 'expired')
    assert.equal(dates(await drafts()), later('2027-03-01 2027-03-08'))
    assert.equal((await call('plans_list', { status: 'expired' })).rows.length, 2)
    assert.match(await refusal('plans_update', { id, status: 'active' }), /is expired and cannot be reactivated/)
    assert.match(await refusal('plans_cancel', { id }), /is expired and cannot be reactivated/)
  })
})

describe('the start_date of a plan that has run', () => {
  it("can't be changed, and a new cadence counts from it", async () => {
    const { call, refusal, make } = await begin()
    const { id } = await make({ start_date: later('2027-01-31') })
    await workAt(later('2027-02-28T12:00:00Z'))
    assert.match(
      await refusal('plans_update', { id, start_date: later('2027-02-15') }),
      new RegExp(
        later(
          '^invalid_input: start_date cannot be changed after the first run \\(it is 2027-01-31, got 2027-02-15\\); .*plans_create',
        ),
      ),
    )
    assert.equal(
      (await call('plans_update', { id, start_date: later('2027-01-31') })).next_run_date,
      later('2027-03-31'),
    )
    assert.equal((await call('plans_update', { id, cadence: 'quarterly' })).next_run_date, later('2027-04-30'))
  })
})

describe('a plan run', () => {
  it('creates one draft per run date under concurrent runs', async () => {
    const { make, drafts, tenant } = await begin()
    const { id } = await make({ cadence: 'weekly', start_date: later('2027-03-01') })
    const run = (database: Database): Promise<void> =>
      writeTenant(database, { tenant }, (db) => runPlan(db, id, later('2027-03-15')))
    await Promise.all([run(service.database), run(second), run(service.database), run(second)])
    assert.equal(dates(await drafts()), later('2027-03-01 2027-03-08 2027-03-15'))
  })

  it('is rolled back if the process fails, then creates one draft with no number lost', async () => {
    const { make, drafts, tenant, plan } = await begin()
    const { id } = await make({ start_date: later('2027-03-01') })
    const failing = writeTenant(service.database, { tenant }, async (db) => {
      await runPlan(db, id, later('2027-03-01'))
      throw new Error('power cut')
    })
    await assert.rejects(failing, /power cut/)
    assert.deepEqual([dates(await drafts()), (await plan(id)).runs_count], ['', 0])
    await Promise.all([workAt(later('2027-03-01T12:00:00Z')), workAt(later('2027-03-01T12:00:00Z'), second)])
    assert.deepEqual([dates(await drafts()), (await plan(id)).runs_count], [later('2027-03-01'), 1])
    const [{ number }] = (await drafts()) as [Result]
    assert.equal(number, 1001)
  })

  it("that fails doesn't stop other plans, is logged, and is retried", async () => {
    const { call, make, drafts, tenant } = await begin()
    const { id: gone } = await call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    const [bad, good] = [
      await make({ start_date: later('2027-03-01'), customer_id: gone }),
      await make({ start_date: later('2027-03-01') }),
    ]
    await writeTenant(service.database, { tenant }, (db) =>
      db.run(sql`update customers set archived_at = moment() where id = ${gone}`),
    )
    await workAt(later('2027-03-01T12:00:00Z'))
    assert.deepEqual(
      (await drafts()).map(({ plan_id }) => plan_id),
      [good.id],
    )
    assert.deepEqual(
      lines.filter((line) => line.tenant === tenant).map(({ record, msg }) => [record, msg]),
      [
        [bad.id, 'task failed'],
        [undefined, 'task failed'],
      ],
    )
    await writeTenant(service.database, { tenant }, (db) =>
      db.run(sql`update customers set archived_at = null where id = ${gone}`),
    )
    await workAt(later('2027-03-01T12:00:30Z'))
    assert.equal((await drafts()).length, 2)
  })
})
