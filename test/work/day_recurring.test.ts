import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result } from '../harness/harness.ts'
import { ZONE, instant, today, totals, wallOf, openAgentOffice, type AgentOffice } from './agent_office.ts'

/** Runs an office's recurring work with tools only, through an MCP client. */
let { rate, call, workAt, logged, stop } = {} as AgentOffice
before(async () => {
  ;({ rate, call, workAt, logged, stop } = await openAgentOffice())
})
after(() => stop())

describe('a plan', () => {
  it('drafts an invoice at 6:00 local time on its day, which the office can send', async () => {
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'company',
      company_name: 'Hotel',
      status: 'lead',
      locations: [{ address_line1: '9 Pool Rd' }],
    })
    const first = today.add({ days: 3 })
    // 2 x 150.00 less 20.00 = 280.00; 8.25% of that is 23.10
    const plan = await call('plans_create', {
      customer_id,
      name: 'Pool care',
      cadence: 'monthly',
      start_date: first.toString(),
      line_items: [{ name: 'Visit', quantity: 2, unit_price_cents: 15_000 }],
      discount: { type: 'amount', value: 2000 },
    })
    assert.deepEqual(
      [plan['status'], plan['next_run_date'], ...totals(plan)],
      ['active', first.toString(), 30_000, 2000, 2310, 30_310],
    )
    assert.equal((await call('customers_get', { id: customer_id }))['status'], 'active')

    const drafts = async (): Promise<Result[]> => (await call('invoices_list', { customer_id }))['rows']
    await workAt(instant(`${first.toString()}T05:59`), 'plan_runs')
    assert.deepEqual(await drafts(), [])
    await workAt(instant(`${first.toString()}T06:00`), 'plan_runs')
    const [row, ...more] = await drafts()
    assert.deepEqual(
      [row!['status'], row!['issue_date'], row!['total_cents'], more],
      ['draft', first.toString(), 30_310, []],
    )
    const draft = await call('invoices_get', { id: row!['id'] })
    assert.deepEqual(
      [draft['plan_id'], draft['subject'], draft['created_by'], draft['tax_rate_id'], draft['amount_paid_cents']],
      [plan['id'], 'Pool care', null, rate['id'], 0],
    )
    const ran = await call('plans_get', { id: plan['id'] })
    assert.deepEqual(
      [ran['runs_count'], ran['last_run_date'], ran['next_run_date']],
      [1, first.toString(), first.add({ months: 1 }).toString()],
    )
    assert.equal((await call('invoices_update', { id: row!['id'], status: 'sent' }))['balance_due_cents'], 30_310)
    assert.deepEqual(
      logged.filter(({ msg }) => msg === 'task failed'),
      [],
    )
  })
})

describe('a weekly job series', () => {
  const turn = today.add({ days: 40 }).toZonedDateTime(ZONE).getTimeZoneTransition('next')!.toPlainDate()
  const visit = (week: number, time: string): string => `${turn.add({ days: 7 * week - 10 }).toString()}T${time}`

  it('keeps its local time across DST, accepts an edit and one moved visit, and ends', async () => {
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'company',
      company_name: 'Palm Court',
      locations: [{ address_line1: '2 Service St' }],
    })
    const series = await call('job_series_create', {
      customer_id,
      title: 'Mowing',
      rrule: 'FREQ=WEEKLY',
      dtstart: visit(0, '09:00'),
      duration_minutes: 60,
    })
    assert.deepEqual(
      series['occurrences_preview'].map(wallOf),
      [0, 1, 2, 3, 4].map((week) => visit(week, '09:00')),
    )
    const offsets = series['occurrences_preview'].map(
      (text: string) => Temporal.Instant.from(text).toZonedDateTimeISO(ZONE).offset,
    )
    assert.deepEqual(
      offsets.map((offset: string) => offset === offsets[0]),
      [true, true, false, false, false],
    )

    const grownAt = instant(visit(0, '03:00')).subtract({ hours: 24 * 20 })
    await workAt(grownAt, 'series_growth')
    const jobs = async (): Promise<Result[]> =>
      (await call('jobs_list', { seriesId: series['id'], sort: 'scheduled_asc', limit: 100 }))['rows']
    const grown = await jobs()
    assert.ok(grown.length >= 10, `${grown.length} jobs`)
    assert.deepEqual(
      grown.map(({ scheduled_start }) => wallOf(scheduled_start)),
      grown.map((_, week) => visit(week, '09:00')),
    )

    const [, second] = grown
    const moved = await call('jobs_update', { id: second!['id'], scheduled_start: visit(1, '15:00') })
    assert.deepEqual(
      [moved['is_exception'], moved['occurrence_key'], wallOf(moved['scheduled_end'])],
      [true, `${visit(1, '09:00')}:00`, visit(1, '16:00')],
    )

    const edited = await call('job_series_update', {
      id: series['id'],
      title: 'Mowing and edging',
      dtstart: visit(0, '10:30'),
      keep_exceptions: true,
    })
    assert.equal(edited['regeneration'].preserved, 1)
    await workAt(grownAt.add({ hours: 24 }), 'series_growth')
    const after = await jobs()
    const kept = after.find(({ id }) => id === second!['id'])!
    assert.deepEqual([kept['title'], wallOf(kept['scheduled_start'])], ['Mowing', visit(1, '15:00')])
    const others = after.filter(({ id, status }) => id !== second!['id'] && status !== 'cancelled')
    assert.ok(others.length >= 10, `${others.length} jobs`)
    assert.deepEqual(
      others.filter(
        ({ title, scheduled_start }) => title !== 'Mowing and edging' || !wallOf(scheduled_start).endsWith('T10:30'),
      ),
      [],
    )

    const ended = await call('job_series_end', { id: series['id'], end_date: visit(2, '09:00').slice(0, 10) })
    assert.deepEqual(
      [ended['status'], ended['end_date'], typeof ended['ended_at']],
      ['ended', visit(2, '09:00').slice(0, 10), 'string'],
    )
    const left = (await jobs())
      .filter(({ status }) => status === 'scheduled')
      .map(({ scheduled_start }) => wallOf(scheduled_start))
    assert.deepEqual(
      left.filter((wall) => wall > visit(3, '00:00')),
      [],
    )
    assert.ok(left.includes(visit(1, '15:00')))
  })
})
