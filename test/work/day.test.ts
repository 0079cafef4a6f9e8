import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { enrollment } from '../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../src/worker/worker.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { remembering } from '../harness/processes/workers.ts'

/** Works as an office does, from the phone call to the payment, with tools only, through a protocol client. */
const ZONE = 'America/New_York'
const today = Temporal.Now.plainDateISO(ZONE)
const day = (days: number): string => today.add({ days }).toString()

let service: TestService
let company: Company
let client: Client
let rate: Result
let bundle: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE })
  client = new Client({ name: 'day-test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(service.url), {
      requestInit: { headers: { Authorization: `Bearer ${company.owner.key}` } },
    }),
  )
  rate = await call('tax_rates_create', { name: 'County', rate_percentage: 8.25, is_default: true })
  const hour = await call('catalog_items_create', { kind: 'labor', name: 'Technician hour', unit_price_cents: 9500 })
  const valve = await call('catalog_items_create', {
    kind: 'product',
    name: 'Valve',
    unit_price_cents: 4599,
    cost_cents: 2100,
  })
  bundle = await call('catalog_items_create', {
    kind: 'bundle',
    name: 'Valve swap',
    components: [{ catalog_item_id: hour['id'], quantity: 1.5 }, { catalog_item_id: valve['id'] }],
  })
})
after(async () => {
  await client.close()
  await service.stop()
})

async function call(name: string, given: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError } = (await client.callTool({ name, arguments: given })) as {
    content: { text: string }[]
    isError?: boolean
  }
  assert.ok(!isError, `${name}: ${content[0]!.text}`)
  return JSON.parse(content[0]!.text) as Result
}

const { log, lines: logged } = remembering()

/** Runs the service's periodic tasks that are due by a time. */
const workAt = (now: Temporal.Instant, ...chores: string[]): Promise<unknown> =>
  runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
    ...PERIODIC_TASKS.filter(({ name }) => chores.includes(name)),
    enrollment(PERIODIC_TASKS),
  ])

const instant = (wall: string): Temporal.Instant => Temporal.PlainDateTime.from(wall).toZonedDateTime(ZONE).toInstant()
const wallOf = (text: string): string =>
  Temporal.Instant.from(text).toZonedDateTimeISO(ZONE).toPlainDateTime().toString({ smallestUnit: 'minute' })
const totals = (record: Result): number[] =>
  ['subtotal_cents', 'discount_cents', 'tax_cents', 'total_cents'].map((field) => record[field])

describe('a lead who calls', () => {
  it('is found by four digits, is quoted, says yes, is served, billed, and pays', async () => {
    await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Bob',
      last_name: 'Near',
      phone: '(512) 555-0199',
    })
    const lead = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'López',
      status: 'lead',
      phone: '(512) 555-0143',
      locations: [{ address_line1: '12 Pecan St', city: 'Austin', region: 'TX' }],
    })
    const {
      rows: [found, ...others],
    } = await call('customers_search', { query: '0143' })
    assert.deepEqual(
      [found.id, found.display_name, found.status, found.primary_phone, others],
      [lead['id'], 'Ana López', 'lead', '+15125550143', []],
    )

    // 1.5 x 95.00 + 45.99 = 188.49; 2 x 12.49 = 24.98; 213.47 less 10 % (21.35) = 192.12; 8.25 % of it is 15.85
    const line_items = [
      { catalog_item_id: bundle['id'] },
      { name: 'Sealant', kind: 'product', quantity: 2, unit_price_cents: 1249 },
    ]
    const discount = { type: 'percent', value: 10 }
    const quote = await call('quotes_create', {
      customer_id: found.id,
      title: 'New shower valve',
      line_items,
      discount,
    })
    assert.deepEqual(totals(quote), [21_347, 2135, 1585, 20_797])
    assert.deepEqual(
      quote['line_items'].map(({ kind, name, line_total_cents }: Result) => [kind, name, line_total_cents]),
      [
        ['bundle', 'Valve swap', 18_849],
        ['product', 'Sealant', 2498],
      ],
    )
    assert.equal(quote['url'], `http://callout.test/${company.tenant}/quotes/${quote['id']}`)

    assert.equal((await call('quotes_update', { id: quote['id'], status: 'sent' }))['status'], 'sent')
    assert.equal((await call('customers_get', { id: lead['id'] }))['status'], 'lead')
    assert.match((await call('quotes_update', { id: quote['id'], status: 'accepted' }))['accepted_at'], /Z$/)
    assert.equal((await call('customers_get', { id: lead['id'] }))['status'], 'active')

    const tech = await company.member('tech')
    const job = await call('jobs_create', {
      customer_id: lead['id'],
      title: 'Swap the valve',
      quote_id: quote['id'],
      scheduled_start: `${day(1)}T09:00`,
      duration_minutes: 90,
      assignees: [tech.email],
      line_items,
    })
    assert.deepEqual(
      [job['status'], wallOf(job['scheduled_start']), wallOf(job['scheduled_end']), job['subtotal_cents']],
      ['scheduled', `${day(1)}T09:00`, `${day(1)}T10:30`, 21_347],
    )
    assert.deepEqual([job['location_id'], job['contact_id']], [lead['locations'][0].id, lead['contacts'][0].id])
    assert.equal((await call('quotes_get', { id: quote['id'] }))['converted_job_id'], job['id'])
    assert.deepEqual(
      (await call('jobs_list', { assignee: tech.email, scheduled_from: day(1), scheduled_to: day(1) }))['rows'].map(
        ({ id }: Result) => id,
      ),
      [job['id']],
    )
    const done = await tech.call('jobs_update', { id: job['id'], status: 'done' })
    assert.deepEqual([done['status'], done['updated_by'], typeof done['completed_at']], ['done', tech.id, 'string'])

    const invoice = await call('invoices_create', {
      customer_id: lead['id'],
      from_job_id: job['id'],
      quote_id: quote['id'],
      discount,
    })
    assert.deepEqual(
      [invoice['status'], invoice['number'], ...totals(invoice)],
      ['draft', 1001, 21_347, 2135, 1585, 20_797],
    )
    assert.deepEqual(
      [
        invoice['taxes'].map(({ name, rate_decimal, base_cents }: Result) => [name, rate_decimal, base_cents]),
        invoice['due_date'],
      ],
      [[['County', 0.0825, 19_212]], day(14)],
    )
    const sent = await call('invoices_update', { id: invoice['id'], status: 'sent' })
    assert.deepEqual(
      [sent['balance_due_cents'], sent['is_overdue'], sent['location_address']],
      [20_797, false, '12 Pecan St, Austin, TX, US'],
    )
    assert.deepEqual((await call('customers_get', { id: lead['id'] }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 1,
      balance_due_cents: 20_797,
    })
    const paid = await call('invoices_update', { id: invoice['id'], status: 'paid' })
    assert.deepEqual(
      [paid['amount_paid_cents'], paid['balance_due_cents'], typeof paid['paid_at']],
      [20_797, 0, 'string'],
    )
    assert.deepEqual((await call('customers_get', { id: lead['id'] }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 0,
      balance_due_cents: 0,
    })
    assert.deepEqual(
      [
        (await call('jobs_get', { id: job['id'] }))['invoice_ids'],
        (await call('quotes_get', { id: quote['id'] }))['converted_invoice_id'],
      ],
      [[invoice['id']], invoice['id']],
    )
  })
})

describe('the end of the month', () => {
  it('lists what is overdue, and only that, with what is owed', async () => {
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Late',
      payment_terms_days: 10,
    })
    const bill = async (cents: number, issued: number, status: string): Promise<string> => {
      const { id } = await call('invoices_create', {
        customer_id,
        issue_date: day(issued),
        line_items: [{ name: 'Visit', unit_price_cents: cents, taxable: false }],
      })
      if (status !== 'draft') await call('invoices_update', { id, status })
      return id
    }
    const late = await bill(10_000, -40, 'sent')
    const partly = await bill(2500, -11, 'partially_paid')
    await bill(1, -10, 'sent')
    for (const status of ['draft', 'paid', 'uncollectible']) await bill(7, -40, status)
    await call('invoices_void', { id: await bill(5, -40, 'sent') })
    const { rows, total } = await call('invoices_list', { customer_id, overdue: true, include_total: true })
    assert.deepEqual(
      [
        rows.map(({ id, is_overdue, balance_due_cents, due_date }: Result) => [
          id,
          is_overdue,
          balance_due_cents,
          due_date,
        ]),
        total,
      ],
      [
        [
          [partly, true, 2500, day(-1)],
          [late, true, 10_000, day(-30)],
        ],
        2,
      ],
    )
    assert.deepEqual((await call('customers_get', { id: customer_id }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 3,
      balance_due_cents: 12_501,
    })
  })
})

describe('a plan', () => {
  it('drafts an invoice on its day, whatever hour it is there, for the office to send', async () => {
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'company',
      company_name: 'Hotel',
      status: 'lead',
      locations: [{ address_line1: '9 Pool Rd' }],
    })
    const first = today.add({ days: 3 })
    // 2 x 150.00 less 20.00 = 280.00; 8.25 % of it is 23.10
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
      logged.filter(({ msg }) => msg === 'chore failed'),
      [],
    )
  })
})

describe('a weekly visit', () => {
  const turn = today.add({ days: 40 }).toZonedDateTime(ZONE).getTimeZoneTransition('next')!.toPlainDate()
  const visit = (week: number, time: string): string => `${turn.add({ days: 7 * week - 10 }).toString()}T${time}`

  it('keeps its hour over the clock change, is edited, has one visit moved, and ends', async () => {
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
