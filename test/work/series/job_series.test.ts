import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { ZONE, at, instant, jobsOfSeries, mowingSeries, inDays, today } from './mowing_series.ts'

let service: TestService
let company: Company
let customer: Result
let other: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    status: 'lead',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '1 Elm St' }],
  })
  other = await company.call('customers_create', {
    customer_type: 'company',
    company_name: 'Other',
    do_not_service: true,
    locations: [{ address_line1: '9 Far Rd' }],
  })
})
after(() => service.stop())

const start = (given: object = {}): Promise<Result> => company.call('job_series_create', mowingSeries(customer, given))
const jobsOf = (series: Result): Promise<Result[]> => jobsOfSeries(company, series)

describe('job_series_create', () => {
  it('returns the template with its rule in words and creates the first jobs at once', async () => {
    const member = await company.member('tech')
    const series = await start({
      rrule:
        'rrule:freq=weekly;interval=1;byday=' +
        ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'][today.add({ days: 1 }).dayOfWeek - 1]!.toLowerCase(),
      description: 'Lawn',
      instructions: 'Gate 12',
      priority: 'low',
      duration_minutes: 45,
      arrival_window_minutes: 30,
      assignees: [member.email],
      line_items: [{ name: 'Mow', quantity: 2, unit_price_cents: 3000 }],
    })
    const {
      id,
      created_at: _made,
      updated_at: _changed,
      rrule,
      rule_text,
      line_items,
      generated,
      occurrences_preview,
      ...rest
    } = series
    assert.match(rrule, /^FREQ=WEEKLY;INTERVAL=1;BYDAY=[A-Z]{2}$/)
    assert.match(rule_text, /^weekly on \w+day$/)
    assert.deepEqual(
      occurrences_preview,
      [1, 8, 15, 22, 29].map((days) => instant(at(days))),
    )
    assert.deepEqual(rest, {
      customer_id: customer.id,
      customer_name: 'Ana',
      location_id: customer.locations[0].id,
      location_address: '1 Elm St, US',
      contact_id: customer.contacts[0].id,
      title: 'Mowing',
      description: 'Lawn',
      instructions: 'Gate 12',
      priority: 'low',
      duration_minutes: 45,
      all_day: false,
      arrival_window_minutes: 30,
      assignments: [{ user_id: member.id, name: 'Test tech' }],
      subtotal_cents: 6000,
      timezone: ZONE,
      dtstart: `${at(1)}:00`,
      end_date: null,
      status: 'active',
      generated_through: inDays(89),
      ended_at: null,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      next_occurrence_at: instant(at(1)),
    })
    const rows = await jobsOf(series)
    assert.deepEqual(generated, { count: 13, first_job_id: rows[0]!.id, through: inDays(89) })
    assert.deepEqual(
      rows.map(({ scheduled_start }) => scheduled_start),
      Array.from({ length: 13 }, (_, week) => instant(at(1 + 7 * week))),
    )
    const job = await company.call('jobs_get', { id: rows[0]!.id })
    assert.deepEqual(
      [job.series_id, job.occurrence_key, job.is_exception, job.status, job.timezone],
      [id, `${at(1)}:00`, false, 'scheduled', ZONE],
    )
    assert.deepEqual(
      [job.description, job.instructions, job.priority, job.duration_minutes, job.arrival_window_minutes],
      ['Lawn', 'Gate 12', 'low', 45, 30],
    )
    assert.deepEqual(
      [job.location_address, job.contact_id, job.assignments, job.subtotal_cents],
      ['1 Elm St, US', customer.contacts[0].id, rest.assignments, 6000],
    )
    assert.equal(Date.parse(job.scheduled_end) - Date.parse(job.scheduled_start), 45 * 60_000)
    assert.notEqual(job.line_items[0].id, line_items[0].id)
    assert.deepEqual({ ...job.line_items[0], id: null }, { ...line_items[0], id: null })
    assert.equal((await company.call('customers_get', { id: customer.id })).status, 'active')
  })

  const windows: [name: string, given: object, jobs: number][] = [
    ['daily: 90', { rrule: 'FREQ=DAILY', dtstart: at(0) }, 90],
    ['yearly in half a year: the one that is next', { rrule: 'FREQ=YEARLY', dtstart: at(180) }, 1],
    ['three months away: the one that is next', { rrule: 'FREQ=DAILY', dtstart: at(90) }, 1],
    ['backdated by four weeks, ten times: those that are left', { rrule: 'FREQ=WEEKLY;COUNT=10', dtstart: at(-27) }, 6],
    ['until a day, inclusive', { rrule: 'FREQ=WEEKLY', dtstart: at(1), end_date: inDays(15) }, 3],
    [
      'UNTIL before end_date',
      { rrule: `FREQ=WEEKLY;UNTIL=${inDays(8).replaceAll('-', '')}`, dtstart: at(1), end_date: inDays(15) },
      2,
    ],
  ]
  for (const [name, given, jobs] of windows) {
    it(name, async () => {
      const series = await start(given)
      assert.equal(series.generated.count, jobs)
      assert.equal(
        (await company.call('jobs_list', { seriesId: series.id, include_total: true, limit: 1 })).total,
        jobs,
      )
    })
  }

  it("keeps local time across a DST change in a time zone other than the company's", async () => {
    const turn = Temporal.Now.zonedDateTimeISO('Europe/London').add({ days: 20 }).getTimeZoneTransition('next')!
    const dtstart = `${turn.toPlainDate().subtract({ days: 8 }).toString()}T07:30`
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=5', dtstart, timezone: 'Europe/London' })
    const walls = series.occurrences_preview.map((text: string) =>
      Temporal.Instant.from(text).toZonedDateTimeISO('Europe/London'),
    )
    assert.deepEqual(
      walls.map((wall: Temporal.ZonedDateTime) => wall.toPlainTime().toString()),
      Array(5).fill('07:30:00'),
    )
    assert.equal(new Set(walls.map((wall: Temporal.ZonedDateTime) => wall.offset)).size, 2)
    assert.equal((await company.call('jobs_get', { id: series.generated.first_job_id })).timezone, 'Europe/London')
  })
  it('creates all-day jobs from local midnight for a dtstart without time', async () => {
    const series = await start({ dtstart: inDays(1), rrule: 'FREQ=WEEKLY;COUNT=1' })
    assert.deepEqual(
      [series.dtstart, series.all_day, series.occurrences_preview],
      [inDays(1), true, [instant(at(1, '00:00'))]],
    )
    const job = await company.call('jobs_get', { id: series.generated.first_job_id })
    assert.deepEqual(
      [job.all_day, job.scheduled_start, job.occurrence_key],
      [true, instant(at(1, '00:00')), `${inDays(1)}T00:00:00`],
    )
    assert.equal((await start({ dtstart: at(1), all_day: true })).dtstart, inDays(1))
  })
  it("converts a dtstart with an offset to the series' time zone", async () => {
    assert.equal(
      (await start({ dtstart: `${inDays(1)}T12:00:00Z`, timezone: 'Asia/Tokyo' })).dtstart,
      `${inDays(1)}T21:00:00`,
    )
  })
  it('accepts a time zone alias', async () => {
    assert.equal((await start({ timezone: 'us/eastern' })).timezone, 'US/Eastern')
  })
  it('warns about skipped short months, a do-not-service customer, and a series with no jobs ahead', async () => {
    const monthly = await start({ rrule: 'FREQ=MONTHLY;BYMONTHDAY=31' })
    assert.deepEqual(monthly.warnings, ['months without day 31 are skipped; use BYMONTHDAY=-1 for the last day'])
    assert.match((await start({ customer_id: other.id })).warnings[0], /do_not_service/)
    const over = await start({ rrule: 'FREQ=DAILY;COUNT=3', dtstart: at(-30) })
    assert.deepEqual(
      [over.generated, over.next_occurrence_at],
      [{ count: 0, first_job_id: null, through: inDays(89) }, null],
    )
    assert.match(over.warnings[0], /the rule has no upcoming occurrences/)
  })
  it('creates one series for two concurrent calls with one idempotency key', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => start({ idempotency_key: 'once', title: 'Once' })))
    assert.deepEqual(a, b)
    assert.equal((await jobsOf(a!)).length, 13)
  })
  it('gives each job a consecutive number under concurrency', async () => {
    const fresh = await makeCompany(service)
    const { id } = await fresh.call('customers_create', { customer_type: 'individual', first_name: 'Di' })
    const given = { customer_id: id, title: 'X', rrule: 'FREQ=DAILY', dtstart: at(0) }
    await Promise.all([
      fresh.call('job_series_create', given),
      fresh.call('job_series_create', given),
      fresh.call('jobs_create', { customer_id: id, title: 'X' }),
    ])
    const pages = await Promise.all([1, 2].map((page) => fresh.call('jobs_list', { limit: 100, page })))
    const numbers = pages
      .flatMap(({ rows }) => rows.map(({ display_number }: Result) => Number(display_number.slice(2))))
      .toSorted((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: 181 }, (_, n) => 1001 + n),
    )
  })
})

describe('existing job series', () => {
  it('are listed newest first, by status, customer and updated_since, with the rule in words', async () => {
    const fresh = await makeCompany(service)
    const { id } = await fresh.call('customers_create', { customer_type: 'individual', first_name: 'Di' })
    const make = (title: string) =>
      fresh.call('job_series_create', { customer_id: id, title, rrule: 'FREQ=DAILY;INTERVAL=2', dtstart: at(1) })
    const a = await make('A')
    await make('B')
    await fresh.call('job_series_end', { id: a.id })
    const { rows, hasMore, total } = await fresh.call('job_series_list', { include_total: true })
    assert.deepEqual(
      [rows.map(({ title, status }: Result) => [title, status]), hasMore, total],
      [
        [
          ['B', 'active'],
          ['A', 'ended'],
        ],
        false,
        2,
      ],
    )
    const { id: _, ...row } = (await fresh.call('job_series_list', { status: 'active', customer_id: id })).rows[0]
    assert.deepEqual(row, {
      title: 'B',
      customer_id: id,
      customer_name: 'Di',
      rrule: 'FREQ=DAILY;INTERVAL=2',
      rule_text: 'every 2 days',
      timezone: ZONE,
      status: 'active',
      next_occurrence_at: instant(at(1)),
    })
    assert.deepEqual((await fresh.call('job_series_list', { customer_id: newId() })).rows, [])
    assert.deepEqual(
      (await fresh.call('job_series_list', { updated_since: '2020-01-01T00:00Z' })).rows.map(
        ({ title }: Result) => title,
      ),
      ['B', 'A'],
    )
  })
  it('are returned by get as by create', async () => {
    const { generated: _, ...series } = await start()
    assert.deepEqual(await company.call('job_series_get', { id: series['id'] }), series)
    const page = await company.call('jobs_list', { series_id: series['id'] })
    assert.equal(page.rows.length, 13)
  })
  it('accept notes, and so do their jobs', async () => {
    const series = await start()
    for (const [subject_type, subject_id] of [
      ['job_series', series.id],
      ['job', series.generated.first_job_id],
    ]) {
      assert.equal(
        (await company.call('notes_create', { body: 'Dog', subject_type, subject_id })).subject_id,
        subject_id,
      )
    }
  })
})
