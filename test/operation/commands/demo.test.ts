import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findCaller } from '../../../src/identity/credentials/caller.ts'
import { hashOf } from '../../../src/identity/credentials/secret_hash.ts'
import { verifyPassword } from '../../../src/identity/sign_in/passwords/passwords.ts'
import { listMembers } from '../../../src/identity/people/people.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { makeDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { readTenant, sql, type Database } from '../../../src/platform/db/tenant.ts'
import { companyOf } from '../../../src/identity/companies/company.ts'
import { findLogo } from '../../../src/files/logo.ts'
import { callerOf, startTestService, type Result, type TestService } from '../../harness/harness.ts'

let service: TestService
let demo: Demo
let second: Demo
before(async () => {
  service = await startTestService()
  demo = await makeDemo(service.database, service.config)
  second = await makeDemo(noting(service.database), service.config)
})
after(() => service.stop())

/** Returns every row of a cursor list. */
async function all({ key }: Demo, tool: string): Promise<Result[]> {
  const { call } = callerOf(service.url, key)
  const rows: Result[] = []
  for (let cursor: string | undefined; ;) {
    const page = await call(tool, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...page['rows'])
    if (page['nextCursor'] === null) return rows
    cursor = page['nextCursor']
  }
}

/** Returns the rows of a page list, which the demo keeps within one page. */
async function listed(tool: string, given: object = {}): Promise<Result[]> {
  const { rows, hasMore } = await callerOf(service.url, demo.key).call(tool, { limit: 100, ...given })
  assert.equal(hasMore, false)
  return rows
}

const details = ({ key }: Demo, tool: string, rows: Result[]): Promise<Result[]> =>
  Promise.all(rows.map(({ id }) => callerOf(service.url, key).call(tool, { id })))
const sum = (amounts: number[]): number => amounts.reduce((all, one) => all + one, 0)
const tally = (rows: Result[], field: string): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const { [field]: value } of rows) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** The `patient` option of each use of the database. */
const waits: (boolean | undefined)[] = []
const noting = (database: Database): Database => ({
  ...database,
  send: (statements, own) => {
    waits.push(own?.patient)
    return database.send(statements, own)
  },
  hold: (use, own) => {
    waits.push(own?.patient)
    return database.hold(use, own)
  },
})

describe('ok', () => {
  it('waits for others on a machine that is busy: nobody waits for it', () => {
    assert.ok(waits.length > 300 && waits.every((waits) => waits === true))
  })

  it('is a company with an owner who can sign in, an office and four technicians', async () => {
    assert.deepEqual(
      [demo.tenant.timezone, demo.tenant.currency, demo.tenant.country],
      ['America/Chicago', 'USD', 'US'],
    )
    const [stored] = await service.database.send([
      sql`select password_hash from users where id = ${demo.owner.id} and email = ${demo.owner.email}`,
    ])
    assert.equal(await verifyPassword(demo.owner.password, String(stored!.rows[0]!['password_hash'])), true)
    const members = await listMembers(service.database, { tenant: demo.tenant.id })
    assert.deepEqual(
      members.map(({ role }) => role),
      ['owner', 'office', 'tech', 'tech', 'tech', 'tech'],
    )
  })

  it('has a key of the owner for everything', async () => {
    const caller = await findCaller(service.database, hashOf(demo.key))
    assert.ok(typeof caller === 'object')
    assert.deepEqual([caller.user, caller.role, caller.scopes.size], [demo.owner.id, 'owner', SCOPES.length])
  })

  it('has some thirty customers of every kind, each with a phone kept for fiction and an address', async () => {
    const rows = await all(demo, 'customers_search')
    assert.ok(rows.length >= 28 && rows.length <= 36, `${rows.length} customers`)
    assert.deepEqual([...new Set(rows.map(({ customer_type }) => customer_type))].sort(byText), [
      'company',
      'individual',
    ])
    assert.deepEqual([...new Set(rows.map(({ status }) => status))].sort(byText), ['active', 'inactive', 'lead'])
    for (const { display_name, primary_phone, primary_address } of rows) {
      assert.match(primary_phone, /^\+151255501\d\d$/, display_name)
      assert.match(primary_address, /, TX 78\d{3}, US$/, display_name)
    }
    assert.equal(new Set(rows.map(({ primary_phone }) => primary_phone)).size, rows.length)
    const { tags } = await callerOf(service.url, demo.key).call('customers_get', {
      id: rows.find(({ display_name }) => display_name === 'Ngozi Okafor')!.id,
    })
    assert.deepEqual(
      tags.map(({ name }: Result) => name),
      ['Maintenance plan', 'VIP'],
    )
  })

  it('has notes by the office and the technicians on its customers', async () => {
    const rows = await all(demo, 'notes_list')
    assert.ok(rows.length >= 20 && rows.length <= 30, `${rows.length} notes`)
    assert.equal(new Set(rows.map(({ author_name }) => author_name)).size, 6)
    assert.ok(rows.every(({ excerpt }) => !/undefined|\$\{/.test(excerpt)))
  })

  it('has two tax rates, one of them the default', async () => {
    assert.deepEqual(
      (await listed('tax_rates_list')).map(({ name, rate_percentage, is_default }) => [
        name,
        rate_percentage,
        is_default,
      ]),
      [
        ['Sales tax', 8.25, true],
        ['State tax only', 6.25, false],
      ],
    )
  })

  it('has a catalog of every kind in categories, with costs, and a bundle for less than its parts', async () => {
    const items = await listed('catalog_items_list')
    assert.ok(items.length >= 22 && items.length <= 28, `${items.length} items`)
    assert.deepEqual(Object.keys(tally(items, 'kind')).sort(byText), [
      'bundle',
      'discount',
      'fee',
      'labor',
      'product',
      'service',
    ])
    assert.ok(items.every(({ category_id }) => category_id !== undefined))
    assert.ok(
      items
        .filter(({ kind }) => kind === 'product' || kind === 'service')
        .every(({ cost_cents, unit_price_cents }) => cost_cents > 0 && cost_cents < unit_price_cents),
    )
    const categories = await listed('catalog_categories_list')
    assert.deepEqual(tally(categories, 'depth'), { 1: 4, 2: 4 })
    const [bundle] = await details(
      demo,
      'catalog_items_get',
      items.filter(({ kind }) => kind === 'bundle'),
    )
    const apart = sum(
      bundle!['components'].map(({ quantity, unit_price_cents }: Result) => quantity * unit_price_cents),
    )
    assert.ok(
      bundle!['cost_cents'] < bundle!['unit_price_cents'] && bundle!['unit_price_cents'] < apart,
      `${apart} apart`,
    )
  })

  it('has two months of visits done and a week of others: under way today, ahead, waiting, one cancelled', async () => {
    const jobs = (await listed('jobs_list')).filter(({ series_id }) => series_id === undefined)
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
    const full = await details(demo, 'jobs_get', jobs)
    assert.ok(full.filter(({ line_items }) => line_items.length > 0).length > 68)
    assert.ok(full.filter(({ instructions }) => instructions !== null).length > 12)
    for (const { subtotal_cents, line_items } of full) assert.equal(subtotal_cents, soldFor(line_items))
    assert.equal(full.filter(({ quote_id }) => quote_id !== null).length, 2)
  })

  it('sends nobody to two places at once', async () => {
    const technicians = (await listMembers(service.database, { tenant: demo.tenant.id })).filter(
      ({ role }) => role === 'tech',
    )
    for (const { user_id, name } of technicians) {
      const visits = await listed('jobs_list', { assignee: user_id, sort: 'scheduled_asc' })
      assert.ok(visits.length >= 8, `${name} has ${visits.length}`)
      for (const [i, { scheduled_start, title }] of visits.entries()) {
        assert.ok(
          i === 0 || visits[i - 1]!['scheduled_end'] <= scheduled_start,
          `${name}: ${visits[i - 1]?.['title']}, ${title}`,
        )
      }
    }
  })

  it('has a weekly and a monthly series with jobs ahead', async () => {
    const series = await listed('job_series_list', { status: 'active' })
    assert.deepEqual(series.map(({ rrule }) => rrule).sort(byText), ['FREQ=MONTHLY;BYDAY=1WE', 'FREQ=WEEKLY;BYDAY=TU'])
    for (const { id, rrule } of series) {
      const jobs = await listed('jobs_list', { seriesId: id, status: 'scheduled' })
      assert.ok(jobs.length >= (rrule.includes('WEEKLY') ? 12 : 2), `${rrule}: ${jobs.length}`)
    }
  })

  it('has quotes in every state, two of them accepted and booked', async () => {
    const quotes = await listed('quotes_list', {
      status: ['draft', 'sent', 'accepted', 'declined', 'expired', 'archived'],
    })
    assert.deepEqual(tally(quotes, 'status'), { draft: 2, sent: 2, accepted: 2, declined: 1, expired: 1, archived: 1 })
    const today = Temporal.Now.plainDateISO(demo.tenant.timezone).toString()
    for (const { status, valid_until, title } of quotes) assert.equal(status === 'expired', valid_until < today, title)
    const full = await details(
      demo,
      'quotes_get',
      quotes.filter(({ status }) => status !== 'archived'),
    )
    assert.equal(
      full.filter(({ status, converted_job_id }) => status === 'accepted' && converted_job_id !== null).length,
      2,
    )
    for (const quote of full) assert.deepEqual(totalsOf(quote), countedUp(quote), quote['title'])
  })

  it('has invoices in every state, overdue ones among them, whose totals add up', async () => {
    const invoices = await listed('invoices_list', { status: ['draft', 'sent', 'partially_paid', 'paid', 'void'] })
    assert.deepEqual(tally(invoices, 'status'), { draft: 2, sent: 10, partially_paid: 1, paid: 36, void: 1 })
    assert.ok((await listed('invoices_list', { overdue: true })).length >= 3)
    const full = await details(demo, 'invoices_get', invoices)
    for (const invoice of full) {
      assert.deepEqual(totalsOf(invoice), countedUp(invoice), invoice['display_number'])
      const isOwed = !['paid', 'void'].includes(invoice['status'])
      assert.equal(invoice['balance_due_cents'], isOwed ? invoice['total_cents'] - invoice['amount_paid_cents'] : 0)
      for (const id of invoice['job_ids']) {
        const job = await callerOf(service.url, demo.key).call('jobs_get', { id })
        assert.deepEqual([job['subtotal_cents'], job['invoice_ids']], [invoice['subtotal_cents'], [invoice['id']]])
      }
    }
    assert.ok(full.filter(({ tax_cents }) => tax_cents > 0).length >= 30)
    assert.ok(full.filter(({ job_ids }) => job_ids.length > 0).length >= 40)
  })

  it('tells of two months: everything on its own day, nothing later than now', async () => {
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
    const invoices = await details(demo, 'invoices_get', await listed('invoices_list', { status: ['paid'] }))
    for (const { issue_date, sent_at, paid_at, created_at, display_number } of invoices) {
      assert.ok(created_at <= sent_at && sent_at <= paid_at, display_number)
      assert.ok(localDay(created_at)!.toString() >= issue_date, display_number)
    }
  })

  it('has a letterhead and a logo, and is marked as a demo', async () => {
    const [company, logo, marked] = await readTenant(service.database, { tenant: demo.tenant.id }, (db) =>
      Promise.all([
        companyOf(db),
        findLogo(db),
        db.one<{ is_demo: boolean }>(sql`select is_demo from tenants where id = ${demo.tenant.id}`),
      ]),
    )
    assert.deepEqual([company.license_number, company.website], ['M-41207', 'bartonridge.example'])
    assert.deepEqual([logo?.content_type, logo?.width, logo?.height], ['image/png', 620, 190])
    assert.equal(marked.is_demo, true)
  })

  it('has two plans that run next in days to come', async () => {
    const plans = await listed('plans_list', { status: 'active' })
    assert.deepEqual(plans.map(({ cadence }) => cadence).sort(byText), ['monthly', 'quarterly'])
    const today = Temporal.Now.plainDateISO(demo.tenant.timezone).toString()
    for (const { next_run_date, name } of plans) assert.ok(next_run_date > today, name)
  })

  it("is the same each time, beside the first, with other people's e-mails", async () => {
    // Sorted, because records of one millisecond stand in any order.
    const told = (rows: Result[]) =>
      rows
        .map(({ display_name, excerpt, primary_phone, author_name }) =>
          [display_name, excerpt, primary_phone, author_name].join(),
        )
        .sort(byText)
    for (const tool of ['customers_search', 'notes_list'])
      assert.deepEqual(told(await all(second, tool)), told(await all(demo, tool)))
    for (const tool of ['jobs_list', 'quotes_list', 'invoices_list', 'catalog_items_list']) {
      const [mine, other] = await Promise.all(
        [demo, second].map(async ({ key }) => (await callerOf(service.url, key).call(tool, { limit: 100 }))['rows']),
      )
      const numbered = (rows: Result[]) =>
        rows.map((row) =>
          [
            row['display_number'],
            row['title'],
            row['name'],
            row['customer_name'],
            row['status'],
            row['total_cents'],
            row['unit_price_cents'],
          ].join(),
        )
      assert.deepEqual(numbered(other).sort(byText), numbered(mine).sort(byText))
    }
    assert.deepEqual([demo.owner.email, second.owner.email], ['dana@bartonridge.example', 'dana+2@bartonridge.example'])
    assert.notEqual(second.owner.id, demo.owner.id)
  })
})

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

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

/** Returns the totals as the lines and the rates say them. */
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
