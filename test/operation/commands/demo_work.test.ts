import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listMembers } from '../../../src/identity/people/people.ts'
import { makeDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { startTestService, type Result, type TestService } from '../../harness/harness.ts'
import { byText, readerOf, sum, tally, type DemoReader } from './demo_records.ts'

let service: TestService
let demo: Demo
let records: DemoReader
before(async () => {
  service = await startTestService()
  demo = await makeDemo(service.database, service.config)
  records = readerOf(service, demo)
})
after(() => service.stop())

describe('the work of a new demo company', () => {
  it('has two months of completed jobs and a week of others in every status', async () => {
    const jobs = (await records.list('jobs_list')).filter(({ series_id }) => series_id === undefined)
    assert.ok(jobs.length >= 72 && jobs.length <= 80, `${jobs.length} jobs`)
    const { done = 0, scheduled = 0, ...others } = tally(jobs, 'status')
    assert.ok(done >= 50 && scheduled >= 12, `${done} done, ${scheduled} scheduled`)
    assert.deepEqual(others, { in_progress: 2, en_route: 1, on_hold: 1, unscheduled: 3, cancelled: 1 })
    const today = Temporal.Now.plainDateISO(demo.tenant.timezone)
    for (const { title, status, day } of jobs.map((job) => ({
      title: job['title'],
      status: job['status'],
      day: localDay(job['scheduled_start']),
    }))) {
      if (day === null) assert.equal(status, 'unscheduled', title)
      else if (Temporal.PlainDate.compare(day, today) < 0) assert.equal(status, 'done', title)
      else if (Temporal.PlainDate.compare(day, today) > 0) assert.equal(status, 'scheduled', title)
      assert.ok(day === null || (day.until(today).days >= -6 && day.until(today).days <= 62), title)
    }
    const full = await records.read('jobs_get', jobs)
    assert.ok(full.filter(({ line_items }) => line_items.length > 0).length > 68)
    assert.ok(full.filter(({ instructions }) => instructions !== null).length > 12)
    for (const { subtotal_cents, line_items } of full) assert.equal(subtotal_cents, soldFor(line_items))
    assert.equal(full.filter(({ quote_id }) => quote_id !== null).length, 2)
  })

  it('books no technician twice at a time', async () => {
    const technicians = (await listMembers(service.database, { tenant: demo.tenant.id })).filter(
      ({ role }) => role === 'tech',
    )
    for (const { user_id, name } of technicians) {
      const visits = await records.list('jobs_list', { assignee: user_id, sort: 'scheduled_asc' })
      assert.ok(visits.length >= 8, `${name} has ${visits.length}`)
      for (const [i, { scheduled_start, title }] of visits.entries()) {
        assert.ok(
          i === 0 || visits[i - 1]!['scheduled_end'] <= scheduled_start,
          `${name}: ${visits[i - 1]?.['title']}, ${title}`,
        )
      }
    }
  })

  it('has a weekly and a monthly series with upcoming jobs', async () => {
    const series = await records.list('job_series_list', { status: 'active' })
    assert.deepEqual(series.map(({ rrule }) => rrule).sort(byText), ['FREQ=MONTHLY;BYDAY=1WE', 'FREQ=WEEKLY;BYDAY=TU'])
    for (const { id, rrule } of series) {
      const jobs = await records.list('jobs_list', { seriesId: id, status: 'scheduled' })
      assert.ok(jobs.length >= (rrule.includes('WEEKLY') ? 12 : 2), `${rrule}: ${jobs.length}`)
    }
  })

  it('has quotes in every status, two of them accepted and booked', async () => {
    const quotes = await records.list('quotes_list', {
      status: ['draft', 'sent', 'accepted', 'declined', 'expired', 'archived'],
    })
    assert.deepEqual(tally(quotes, 'status'), { draft: 2, sent: 2, accepted: 2, declined: 1, expired: 1, archived: 1 })
    const today = Temporal.Now.plainDateISO(demo.tenant.timezone).toString()
    for (const { status, valid_until, title } of quotes) assert.equal(status === 'expired', valid_until < today, title)
    const full = await records.read(
      'quotes_get',
      quotes.filter(({ status }) => status !== 'archived'),
    )
    assert.equal(
      full.filter(({ status, converted_job_id }) => status === 'accepted' && converted_job_id !== null).length,
      2,
    )
    for (const quote of full) assert.deepEqual(totalsOf(quote), countedUp(quote), quote['title'])
  })

  it('has invoices in every status, some overdue, with totals that add up', async () => {
    const invoices = await records.list('invoices_list', {
      status: ['draft', 'sent', 'partially_paid', 'paid', 'void'],
    })
    assert.deepEqual(tally(invoices, 'status'), { draft: 2, sent: 10, partially_paid: 1, paid: 36, void: 1 })
    assert.ok((await records.list('invoices_list', { overdue: true })).length >= 3)
    const full = await records.read('invoices_get', invoices)
    for (const invoice of full) {
      assert.deepEqual(totalsOf(invoice), countedUp(invoice), invoice['display_number'])
      const isOwed = !['paid', 'void'].includes(invoice['status'])
      assert.equal(invoice['balance_due_cents'], isOwed ? invoice['total_cents'] - invoice['amount_paid_cents'] : 0)
      for (const id of invoice['job_ids']) {
        const job = await records.call('jobs_get', { id })
        assert.deepEqual([job['subtotal_cents'], job['invoice_ids']], [invoice['subtotal_cents'], [invoice['id']]])
      }
    }
    assert.ok(full.filter(({ tax_cents }) => tax_cents > 0).length >= 30)
    assert.ok(full.filter(({ job_ids }) => job_ids.length > 0).length >= 40)
  })

  it('spreads its records over two months, with none in the future', async () => {
    const now = Temporal.Now.instant().toString()
    const days = await readTenant(service.database, { tenant: demo.tenant.id }, (db) =>
      db.all<{ what: string; days: number; latest: string; first: string }>(sql`
        select what, count(distinct at::date) as days, max(at) as latest, min(at) as first from (
          select 'customers' as what, created_at as at from customers where tenant_id = ${demo.tenant.id}
          union all select 'jobs', coalesce(completed_at, created_at) from jobs where tenant_id = ${demo.tenant.id}
          union all select 'invoices', unnest(array[created_at, sent_at, paid_at]) from invoices where tenant_id = ${demo.tenant.id}
          union all select 'payments', at from payments where tenant_id = ${demo.tenant.id}
          union all select 'quotes', unnest(array[created_at, sent_at, accepted_at, declined_at]) from quotes where tenant_id = ${demo.tenant.id}
          union all select 'notes', created_at from notes where tenant_id = ${demo.tenant.id}
          union all select 'messages', occurred_at from communications where tenant_id = ${demo.tenant.id}
          union all select 'history', at from audit where tenant_id = ${demo.tenant.id}
        ) told group by what`),
    )
    assert.equal(days.length, 8)
    const least: Record<string, number> = {
      customers: 20,
      jobs: 30,
      invoices: 30,
      payments: 20,
      quotes: 8,
      notes: 15,
      messages: 9,
      history: 30,
    }
    for (const { what, days: on, latest, first } of days) {
      assert.ok(on >= least[what]!, `${what} are of ${on} days`)
      assert.ok(latest <= now, `${what} end at ${latest}`)
      assert.ok(Temporal.Instant.from(first).until(now).total('hours') > 40 * 24, `${what} begin at ${first}`)
    }
    const invoices = await records.read('invoices_get', await records.list('invoices_list', { status: ['paid'] }))
    for (const { issue_date, sent_at, paid_at, created_at, display_number } of invoices) {
      assert.ok(created_at <= sent_at && sent_at <= paid_at, display_number)
      assert.ok(localDay(created_at)!.toString() >= issue_date, display_number)
    }
  })

  it('has two plans with future run dates', async () => {
    const plans = await records.list('plans_list', { status: 'active' })
    assert.deepEqual(plans.map(({ cadence }) => cadence).sort(byText), ['monthly', 'quarterly'])
    const today = Temporal.Now.plainDateISO(demo.tenant.timezone).toString()
    for (const { next_run_date, name } of plans) assert.ok(next_run_date > today, name)
  })
})

const localDay = (instant: string | undefined): Temporal.PlainDate | null =>
  instant === undefined ? null : Temporal.Instant.from(instant).toZonedDateTimeISO(demo.tenant.timezone).toPlainDate()

const soldFor = (lines: Result[]): number =>
  sum(lines.filter(({ kind }) => kind !== 'discount').map(({ line_total_cents }) => line_total_cents))

const totalsOf = ({ subtotal_cents, discount_cents, tax_cents, total_cents }: Result) => ({
  subtotal_cents,
  discount_cents,
  tax_cents,
  total_cents,
})

/** Computes the totals from the lines and tax rates. */
function countedUp({ line_items, taxes }: Result): ReturnType<typeof totalsOf> {
  const [subtotal_cents, discount_cents] = [
    soldFor(line_items),
    sum(line_items.map((line: Result) => line['discount_share_cents'])),
  ]
  const tax_cents = sum(
    taxes.map(({ base_cents, rate_decimal }: Result) => Math.round(base_cents * Number(rate_decimal))),
  )
  return { subtotal_cents, discount_cents, tax_cents, total_cents: subtotal_cents - discount_cents + tax_cents }
}
