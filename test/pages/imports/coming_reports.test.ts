import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { readImportSample, importingInto, withTwoCustomers, type Importing } from '../../harness/files/imports.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService

before(async () => {
  service = await startSite()
})
after(() => service.stop())

async function withPeople(name: string): Promise<Importing> {
  const one = await importingInto(service, name)
  await withTwoCustomers(one)
  return one
}

/** Imports a report with its detected settings, and checks that no rows are left to fix. */
async function importReport(one: Importing, report: string, label: string): Promise<string> {
  const content = await readImportSample(report)
  const sent = await one.upload(content)
  assert.match((await one.owner.get(sent.location!)).text, new RegExp(`class="lead">${label}`))
  const { text } = await one.importFile(content)
  assert.doesNotMatch(text, /to-fix\.csv/, text)
  return text
}

const number = sql`(select value from jsonb_each_text(fields) where key like '% number' limit 1)`

const invoicesOf = async ({ rows, company }: Importing) =>
  (
    await rows(sql`select ${number} as theirs, status, issue_date, total_cents as total, tax_cents as tax, balance_due_cents as owed,
      array(select x ->> 'name' from jsonb_array_elements(line_items) x) as lines
    from invoices where tenant_id = ${company.id} order by number`)
  ).map((row) => Object.values(row))

const quotesOf = async ({ rows, company }: Importing) =>
  (
    await rows(sql`select ${number} as theirs, status, issue_date, title, total_cents as total, tax_cents as tax
    from quotes where tenant_id = ${company.id} order by number`)
  ).map((row) => Object.values(row))

const jobsOf = async ({ rows, company }: Importing) =>
  (
    await rows(sql`select (select value from jsonb_each_text(j.fields) where key like '% number' limit 1) as theirs, j.title, j.status,
      (j.scheduled_start at time zone t.timezone)::text as start, (j.scheduled_end at time zone t.timezone)::text as until,
      j.all_day, j.subtotal_cents as subtotal
    from jobs j join tenants t on t.id = j.tenant_id where j.tenant_id = ${company.id} order by j.number`)
  ).map((row) => Object.values(row))

describe('a Jobber report', () => {
  it('of invoices is read with title lines, one row per invoice, its lines in a cell, and dashes', async () => {
    const one = await withPeople('Alder Plumbing')
    const { text } = await one.uploadAndConfirm(await readImportSample('jobber_invoices_report'))
    assert.match(text, /Status “Paid” becomes Partly paid/)
    await importReport(one, 'jobber_invoices_report', 'Invoices · Jobber')
    assert.deepEqual(await invoicesOf(one), [
      ['2301', 'paid', '2026-03-02', 22_083, 1_683, 0, ['Drain cleaning', 'Trap, 1.5 in']],
      ['2302', 'partially_paid', '2026-03-20', 128_709, 9_809, 78_709, ['Water heater']],
      ['2303', 'draft', '2026-04-02', 9_500, 0, 9_500, ['Backflow test']],
      ['2304', 'uncollectible', '2026-04-03', 64_950, 4_950, 64_950, ['Sump pump']],
      ['2306', 'partially_paid', '2026-04-05', 21_000, 0, 6_000, ['Leak repair']],
      ['2305', 'sent', '2026-04-04', 10_000, 0, 10_000, ['Inspection']],
    ])
  })

  it('of quotes has no tax column, so the tax is the total minus the subtotal', async () => {
    const one = await withPeople('Birch Plumbing')
    await importReport(one, 'jobber_quotes_report', 'Quotes · Jobber')
    assert.deepEqual(await quotesOf(one), [
      ['71', 'accepted', '2026-01-05', 'Repipe the kitchen', 259_800, 19_800],
      ['72', 'expired', '2026-01-06', 'New sinks', 64_950, 4_950],
      ['73', 'draft', '2026-01-07', 'Backflow test', 9_500, 0],
      ['74', 'accepted', '2026-01-08', 'Softener', 145_000, 0],
    ])
  })

  it('of visits becomes a job per row, and an invoice is linked to the unbilled visits up to its date', async () => {
    const one = await withPeople('Cedar Plumbing')
    await importReport(one, 'jobber_visits', 'Jobs · Jobber')
    const jobs = [
      ['401', 'Kitchen drain', 'done', '2026-03-02 09:00:00', '2026-03-02 11:30:00', false, 18_000],
      ['402', 'Filter change', 'done', '2026-03-09 00:00:00', '2026-03-09 00:30:00', true, 5_000],
      ['402', 'Filter change', 'scheduled', '2099-04-09 13:00:00', '2099-04-09 13:30:00', false, 5_000],
      ['403', 'Water heater', 'unscheduled', null, null, false, 0],
    ]
    assert.deepEqual(await jobsOf(one), jobs)
    await importReport(one, 'jobber_visits', 'Jobs · Jobber')
    assert.deepEqual(await jobsOf(one), jobs)
    await importReport(one, 'jobber_invoices_report', 'Invoices · Jobber')
    await one.importFile(
      'Invoice #,Client name,Issued date,Status,Total ($),Job #s\n2307,Ana Ruiz,"Mar 31, 2026",Paid,50.00,402\n2308,Ana Ruiz,"Apr 30, 2026",Paid,50.00,402\n',
    )
    const billed =
      await one.rows(sql`select i.fields ->> 'Jobber number' as invoice, j.fields ->> 'Jobber number' as job,
        (j.scheduled_start at time zone t.timezone)::date::text as day
      from invoice_jobs b join invoices i on i.tenant_id = b.tenant_id and i.id = b.invoice_id
      join jobs j on j.tenant_id = b.tenant_id and j.id = b.job_id join tenants t on t.id = b.tenant_id
      where b.tenant_id = ${one.company.id} order by i.number`)
    assert.deepEqual(
      billed.map((row) => Object.values(row)),
      [
        ['2301', '401', '2026-03-02'],
        ['2302', '403', null],
        ['2307', '402', '2026-03-09'],
      ],
    )
  })

  it('of one-off jobs marks jobs with a closed date as done', async () => {
    const one = await withPeople('Dogwood Plumbing')
    await importReport(one, 'jobber_one_off_jobs', 'Jobs · Jobber')
    assert.deepEqual(
      (await jobsOf(one)).map(([theirs, title, status, , , , subtotal]) => [theirs, title, status, subtotal]),
      [
        ['501', 'Kitchen drain', 'done', 18_000],
        ['502', 'Water heater', 'scheduled', 118_900],
        ['503', 'Someday', 'unscheduled', 0],
      ],
    )
  })
})

describe('a Housecall Pro list', () => {
  it('of jobs is read with its numbers written as formulas', async () => {
    const one = await withPeople('Elm Plumbing')
    await importReport(one, 'housecall_pro_jobs_list', 'Jobs · Housecall Pro')
    assert.deepEqual(await jobsOf(one), [
      ['188', 'Drain cleaning', 'done', '2026-03-02 09:00:00', '2026-03-02 10:30:00', false, 18_000],
      ['189', 'Heater, 50 gal', 'scheduled', '2099-03-20 13:00:00', '2099-03-20 16:00:00', false, 118_900],
      ['190', 'Backflow test', 'unscheduled', null, null, false, 0],
      ['191', 'Sump pump', 'cancelled', '2026-03-05 08:00:00', '2026-03-05 09:00:00', false, 64_000],
    ])
  })

  it("of jobs with the address in one cell matches the customer's existing location", async () => {
    const one = await withPeople('Juniper Plumbing')
    const { text } =
      await one.importFile(`Job #,Customer name,Job description,Job status,Address,Job created date,Job scheduled start date,Job amount
"=""288""",Ana Ruiz,Leak,Completed,"1 Elm St, Austin, TX 78701",3/1/2026,3/2/2026 9:00 AM,$95.00
"=""289""",Ana Ruiz,Leak,Completed,"7 Far Rd, Unit 3, Austin, TX 78705",3/1/2026,3/3/2026 9:00 AM,$95.00
`)
    assert.match(text, /2 records imported/)
    const places =
      await one.rows(sql`select l.address_line1, l.address_line2, l.city, l.region, l.postal_code, count(j.id)::int as jobs
      from locations l join jobs j on j.tenant_id = l.tenant_id and j.location_id = l.id
      where l.tenant_id = ${one.company.id} group by l.tenant_id, l.id order by 1`)
    assert.deepEqual(
      places.map((row) => Object.values(row)),
      [
        ['1 Elm St', null, 'Austin', 'TX', '78701', 1],
        ['7 Far Rd', 'Unit 3', 'Austin', 'TX', '78705', 1],
      ],
    )
    const all = await one.rows(
      sql`select 1 from locations where tenant_id = ${one.company.id} and address_line1 = '1 Elm St'`,
    )
    assert.equal(all.length, 1)
  })

  it('of estimates or invoices is imported with exact amounts', async () => {
    const one = await withPeople('Fir Plumbing')
    await importReport(one, 'housecall_pro_estimates_list', 'Quotes · Housecall Pro')
    assert.deepEqual(await quotesOf(one), [
      ['710', 'accepted', '2026-01-05', 'Repipe the kitchen', 259_800, 19_800],
      ['711', 'declined', '2026-01-06', 'New sinks', 64_950, 4_950],
      ['712', 'draft', '2026-01-07', 'Backflow test', 9_500, 0],
    ])
    await importReport(one, 'housecall_pro_invoices_list', 'Invoices · Housecall Pro')
    assert.deepEqual(
      (await invoicesOf(one)).map(([theirs, status, issued, total, , owed]) => [theirs, status, issued, total, owed]),
      [
        ['188-1', 'paid', '2026-03-02', 18_000, 0],
        ['189-1', 'partially_paid', '2026-03-20', 118_900, 68_900],
        ['190-1', 'void', '2026-03-21', 9_500, 0],
        ['191-1', 'void', '2026-03-22', 64_000, 0],
      ],
    )
  })
})

describe('a ServiceTitan report', () => {
  it('of jobs or estimates is imported without its totals row', async () => {
    const one = await withPeople('Gum Plumbing')
    const text = await importReport(one, 'servicetitan_jobs_report', 'Jobs · ServiceTitan')
    assert.match(text, /3 records imported/)
    assert.deepEqual(await jobsOf(one), [
      ['60123', 'Drain cleaning', 'done', '2026-03-02 09:00:00', '2026-03-02 10:00:00', false, 18_000],
      ['60124', 'Water heater', 'scheduled', '2099-03-20 13:00:00', '2099-03-20 14:00:00', false, 118_900],
      ['60125', 'Inspection', 'cancelled', '2026-03-21 13:00:00', '2026-03-21 14:00:00', false, 0],
    ])
    await importReport(one, 'servicetitan_estimates_report', 'Quotes · ServiceTitan')
    assert.deepEqual(await quotesOf(one), [
      ['91001', 'accepted', '2026-01-05', 'ServiceTitan quote 91001', 240_000, 0],
      ['91002', 'declined', '2026-01-06', 'ServiceTitan quote 91002', 62_000, 0],
      ['91003', 'expired', '2026-01-07', 'ServiceTitan quote 91003', 9_500, 0],
    ])
  })
})

describe('a QuickBooks file', () => {
  it('with the invoice list is read despite title lines, an unnamed column and a totals row', async () => {
    const one = await withPeople('Hazel Plumbing')
    await importReport(one, 'quickbooks_invoice_list', 'Invoices · QuickBooks')
    assert.deepEqual(
      (await invoicesOf(one)).map(([theirs, status, issued, total, , owed]) => [theirs, status, issued, total, owed]),
      [
        ['1101', 'paid', '2026-01-08', 19_485, 0],
        ['1102', 'partially_paid', '2026-03-20', 128_709, 78_709],
        ['1103', 'sent', '2026-04-02', 9_500, 9_500],
      ],
    )
  })

  it('in the import template format is read with one row per line item', async () => {
    const one = await withPeople('Ivy Plumbing')
    await importReport(one, 'quickbooks_invoice_template', 'Invoices · QuickBooks')
    assert.deepEqual(
      (await invoicesOf(one)).map(([theirs, status, , total, tax, , lines]) => [theirs, status, total, tax, lines]),
      [
        ['1201', 'draft', 34_035, 1_485, ['Drain cleaning', 'Camera inspection']],
        ['1202', 'draft', 128_709, 9_809, ['Water heater']],
      ],
    )
  })
})
