import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { readImportSample, importingInto, withTwoCustomers, type Importing } from '../../harness/files/imports.ts'
import { submit } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService

before(async () => {
  service = await startSite()
})
after(() => service.stop())

/** Creates a company with two customers and a tax rate. */
async function withPeople(name: string): Promise<Importing> {
  const one = await importingInto(service, name)
  await withTwoCustomers(one)
  return one
}

const invoicesOf = ({ rows, company }: Importing) =>
  rows<
    Record<string, unknown> & { paid: string | null }
  >(sql`select i.fields ->> 'Number before' as theirs, i.status, c.display_name as customer, i.issue_date,
      i.subject, i.total_cents as total, i.tax_cents as tax, i.balance_due_cents as owed,
      (select string_agg(concat_ws(' ', p.amount_cents, p.method, p.paid_on), ', ' order by p.at, p.id) from payments p
        where p.tenant_id = i.tenant_id and p.invoice_id = i.id) as paid
    from invoices i join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
    where i.tenant_id = ${company.id} order by i.number`)

const plain = (text: string): string =>
  text
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')

describe('invoices from another product', () => {
  it('are imported with exact lines, tax and payments, and invalid ones are skipped with a reason', async () => {
    const one = await withPeople('Alder Plumbing')
    const { path, text } = await one.uploadAndConfirm(await readImportSample('plain_invoices'))
    assert.match(plain(text), /Together \$1,866\.77 \$787\.09 of it is still owed\. An import sends nothing/)
    assert.match(plain(text), /3 rows need fixing/)
    assert.deepEqual(await invoicesOf(one), [])
    await one.owner.post(path, {})
    const done = plain(await one.waitForEnd(path))
    assert.match(done, /5 records imported 3 rows were left out\./)
    assert.match(done, /8 Customer name: “Nobody Known” isn’t one of your customers\. Import your customers first\./)
    assert.match(done, /9 Tax: The file has \$19\.00 of tax, and your rate Austin comes to \$17\.33\./)
    assert.match(done, /10 .*Unit price: On row 10, write the price as an amount in USD and the quantity as a number\./)
    assert.match(done, /Invoice date: “04\/31\/2026” isn’t a date\. Write it like 2026-03-31\./)
    const given = { customer: 'Ana Ruiz', paid: null }
    assert.deepEqual(await invoicesOf(one), [
      {
        ...given,
        theirs: '1001',
        status: 'paid',
        issue_date: '2026-03-02',
        subject: 'Kitchen drain',
        total: 35_235,
        tax: 2_685,
        owed: 0,
        paid: '35235 check 2026-03-10',
      },
      {
        theirs: '1002',
        status: 'partially_paid',
        customer: 'Hill Dental',
        issue_date: '2026-03-20',
        subject: 'Water heater',
        total: 128_709,
        tax: 9_809,
        owed: 78_709,
        paid: '50000 bank_transfer 2026-04-01',
      },
      {
        ...given,
        theirs: '1003',
        status: 'draft',
        customer: 'Hill Dental',
        issue_date: '2026-04-02',
        subject: 'Invoice 1003',
        total: 0,
        tax: 0,
        owed: 0,
      },
      {
        ...given,
        theirs: '1004',
        status: 'void',
        issue_date: '2026-04-05',
        subject: 'Invoice 1004',
        total: 9_500,
        tax: 0,
        owed: 0,
      },
      {
        ...given,
        theirs: '1005',
        status: 'uncollectible',
        issue_date: '2026-04-06',
        subject: 'Invoice 1005',
        total: 22_733,
        tax: 1_733,
        owed: 22_733,
      },
    ])
    const lines = await one.rows<{ lines: unknown }>(sql`select jsonb_path_query_array(line_items, '$[*].name') ||
        jsonb_path_query_array(line_items, '$[*].quantity') as lines from invoices where tenant_id = ${one.company.id} order by number limit 1`)
    assert.deepEqual(lines[0]!.lines, ['Drain cleaning', 'Camera inspection', 1, 1.5])
  })

  it('get lines that make up the difference to the billed total, if chosen', async () => {
    const one = await withPeople('Birch Plumbing')
    const content = `Invoice number,Customer,Invoice date,Status,Item,Unit price,Discount,Tax,Total
1,Ana Ruiz,2026-03-02,Sent,Leak repair,210.00,,19.00,229.00
2,Ana Ruiz,2026-03-02,Sent,Leak repair,210.00,10.00,16.50,216.49
3,Ana Ruiz,2026-03-02,Sent,Leak repair,210.00,,0,250.00
`
    const { text } = await one.uploadAndConfirm(content)
    assert.match(plain(text), /3 rows need fixing/)
    assert.match(plain(text), /4 Total: The total is \$250\.00, but the lines with tax come to \$210\.00\./)
    await one.importFile(content, { fixed_difference: 'line' })
    assert.deepEqual(
      (await invoicesOf(one)).map(({ theirs, total, owed }) => [theirs, total, owed]),
      [
        ['1', 22_900, 22_900],
        ['2', 21_649, 21_649],
        ['3', 25_000, 25_000],
      ],
    )
    const names = await one.rows<{ names: string[] }>(
      sql`select jsonb_path_query_array(line_items, '$[*].name') as names from invoices where tenant_id = ${one.company.id} order by number`,
    )
    assert.deepEqual(
      names.map((row) => row.names),
      [
        ['Leak repair', 'Tax'],
        ['Leak repair', 'Tax', 'Difference'],
        ['Leak repair', 'Difference'],
      ],
    )
  })

  it('are imported once, and undone together with their payments except where changed since', async () => {
    const one = await withPeople('Cedar Plumbing')
    const content = await readImportSample('plain_invoices')
    const { path } = await one.importFile(content)
    const again = await one.importFile(content)
    assert.match(plain(again.text), /0 records imported 5 were here already\. 3 rows were left out\./)
    assert.equal((await invoicesOf(one)).length, 5)
    const [touched] = await one.rows<{ id: string }>(
      sql`select id from invoices where tenant_id = ${one.company.id} and status = 'partially_paid'`,
    )
    const noted = await submit(one.owner, one.at('invoices', touched!.id, 'payment'), {
      amount: '10.00',
      method: 'cash',
    })
    assert.equal(noted.status, 303, noted.text)
    await one.owner.post(`${path}/back`, {})
    const back = plain(await one.waitForEnd(path))
    assert.match(back, /4 records were undone One stays as it is\./)
    assert.deepEqual(
      (await invoicesOf(one)).map(({ theirs, status, paid }) => [
        theirs,
        status,
        paid?.replace(/(cash) .*/, '$1') ?? null,
      ]),
      [
        ['1001', 'void', '35235 check 2026-03-10, -35235 check 2026-03-10'],
        ['1002', 'paid', '50000 bank_transfer 2026-04-01, 78709 cash'],
        ['1003', 'void', null],
        ['1004', 'void', null],
        ['1005', 'void', null],
      ],
    )
  })

  it('are created once when two copies of a file are imported at the same time', async () => {
    const one = await withPeople('Cherry Plumbing')
    const content = `Invoice number,Invoice date,Customer name,Total,Status\n${Array.from({ length: 20 }, (_, i) => `${i},2026-01-05,Ana Ruiz,10.00,Sent`).join('\n')}\n`
    const [first, second] = [await one.uploadAndConfirm(content), await one.uploadAndConfirm(content)]
    await Promise.all([first, second].map(({ path }) => one.owner.post(path, { existing: 'skip' })))
    await Promise.all([one.waitForEnd(first.path), one.waitForEnd(second.path)])
    assert.equal((await invoicesOf(one)).length, 20)
  })

  it('are matched to a customer by ID, email, phone or name, and refused when ambiguous or unknown', async () => {
    const one = await importingInto(service, 'Dogwood Plumbing')
    await one.importFile(`Customer ID,First name,Last name,Email,Phone
7,Ana,Ruiz,ana@example.com,512-555-0101
8,Ana,Ruiz,ruiz@example.com,512-555-0102
`)
    const { path, text } =
      await one.uploadAndConfirm(`Invoice number,Invoice date,Customer ID,Customer name,Customer email,Customer phone,Total,Status
1,2026-01-05,7,,,,10.00,Sent
2,2026-01-05,,Ana Ruiz,RUIZ@example.com,,20.00,Sent
3,2026-01-05,,Ana Ruiz,,(512) 555-0101,30.00,Sent
4,2026-01-05,,Ana Ruiz,,,40.00,Sent
5,2026-01-05,,,,,50.00,Sent
6,2026-01-05,99,,,,60.00,Sent
7,2026-01-05,7,,,,10.00,Sent
7,2026-01-05,8,,,,10.00,Sent
`)
    assert.match(
      plain(text),
      /5 Customer name: This could be any of 2 customers\. Add a column with their email or phone number\./,
    )
    assert.match(plain(text), /6 Customer name: The row has no customer\./)
    assert.match(plain(text), /7 Customer ID: “99” isn’t one of your customers\./)
    assert.match(plain(text), /9 Invoice number: This number is already on row 8, for another customer\./)
    await one.owner.post(path, {})
    await one.waitForEnd(path)
    const owners = await one.rows<{ theirs: string; email: string }>(sql`
      select i.fields ->> 'Number before' as theirs, k.email from invoices i
      join contacts k on k.tenant_id = i.tenant_id and k.customer_id = i.customer_id
      where i.tenant_id = ${one.company.id} order by i.number`)
    assert.deepEqual(
      owners.map(({ theirs, email }) => [theirs, email]),
      [
        ['1', 'ana@example.com'],
        ['2', 'ruiz@example.com'],
        ['3', 'ana@example.com'],
        ['7', 'ana@example.com'],
      ],
    )
  })
})

describe('quotes from another product', () => {
  it('keep their status, dates and decline reason', async () => {
    const one = await withPeople('Elm Plumbing')
    await one.importFile(await readImportSample('plain_quotes'))
    const found = await one.rows(sql`select q.fields ->> 'Number before' as theirs, q.title, q.status,
        q.issue_date, q.valid_until, q.total_cents as total, q.decline_reason as reason,
        (coalesce(q.accepted_at, q.declined_at) at time zone t.timezone)::date::text as answered
      from quotes q join tenants t on t.id = q.tenant_id where q.tenant_id = ${one.company.id} order by q.number`)
    assert.deepEqual(
      found.map((row) => Object.values(row)),
      [
        ['501', 'Repipe the kitchen', 'accepted', '2026-01-05', '2026-02-04', 79_023, null, '2026-01-09'],
        ['502', 'New sinks', 'expired', '2026-01-06', '2026-02-05', 67_115, null, null],
        ['503', 'Backflow test', 'declined', '2026-01-07', '2026-02-06', 9_500, 'Too dear', '2026-01-12'],
        [
          '504',
          'Water softener',
          'draft',
          '2026-01-08',
          (found[3] as Record<string, unknown>)['valid_until'],
          156_963,
          null,
          null,
        ],
        ['505', 'Sump pump', 'sent', '2026-01-08', '2099-01-01', 69_280, null, null],
      ],
    )
  })

  it('are archived when the import is undone, even if accepted', async () => {
    const one = await withPeople('Fir Plumbing')
    const { path } = await one.importFile(await readImportSample('plain_quotes'))
    await one.owner.post(`${path}/back`, {})
    assert.match(plain(await one.waitForEnd(path)), /5 records were undone/)
    const left = await one.rows(sql`select 1 from quotes where tenant_id = ${one.company.id} and status <> 'archived'`)
    assert.equal(left.length, 0)
  })
})

describe('jobs from another product', () => {
  const jobsOf = ({ rows, company }: Importing) =>
    rows(sql`select j.fields ->> 'Number before' as theirs, j.title, j.status,
        (j.scheduled_start at time zone t.timezone)::text as start, (j.scheduled_end at time zone t.timezone)::text as until,
        (j.completed_at at time zone t.timezone)::text as done, j.all_day, l.address_line1 as place, cardinality(j.assignee_ids) as crew,
        j.subtotal_cents as subtotal
      from jobs j join tenants t on t.id = j.tenant_id left join locations l on l.tenant_id = j.tenant_id and l.id = j.location_id
      where j.tenant_id = ${company.id} order by j.number`)

  it('are imported with time, location, technician and lines, and unknown technicians are reported', async () => {
    const one = await withPeople('Gum Plumbing')
    const content = (await readImportSample('plain_jobs')).replace('Olive Owner', one.company.owner.email)
    const { path, text } = await one.uploadAndConfirm(content)
    assert.match(plain(text), /Technicians “Somebody Else” is left out/)
    await one.owner.post(path, {})
    await one.waitForEnd(path)
    assert.deepEqual(
      (await jobsOf(one)).map((row) => Object.values(row)),
      [
        [
          '301',
          'Kitchen drain',
          'done',
          '2026-03-02 09:00:00',
          '2026-03-02 11:30:00',
          '2026-03-02 11:20:00',
          false,
          '1 Elm St',
          1,
          32_550,
        ],
        [
          '302',
          'Water heater',
          'scheduled',
          '2099-03-20 13:00:00',
          '2099-03-20 14:00:00',
          null,
          false,
          '9 Lake Dr',
          0,
          0,
        ],
        ['303', 'Leak', 'cancelled', '2026-04-02 00:00:00', '2026-04-02 01:00:00', null, true, '3 Oak Ave', 0, 0],
        ['304', 'Someday', 'unscheduled', null, null, null, false, '1 Elm St', 0, 0],
      ],
    )
  })

  it('are undone with the locations they added, and imported invoices are linked to their job', async () => {
    const one = await withPeople('Hazel Plumbing')
    const { path } = await one.importFile(await readImportSample('plain_jobs'))
    const billed = await one.importFile(
      'Invoice number,Invoice date,Customer,Job number,Total,Status\n9,2026-03-05,Ana Ruiz,301,325.50,Sent\n',
    )
    const links = await one.rows(
      sql`select 1 from invoice_jobs b join jobs j on j.tenant_id = b.tenant_id and j.id = b.job_id
        where b.tenant_id = ${one.company.id} and j.fields ->> 'Number before' = '301'`,
    )
    assert.equal(links.length, 1)
    await one.owner.post(`${billed.path}/back`, {})
    assert.match(plain(await one.waitForEnd(billed.path)), /One record was undone/)
    await one.owner.post(`${path}/back`, {})
    assert.match(plain(await one.waitForEnd(path)), /4 records were undone/)
    const left = await one.rows(sql`select 'job' from jobs where tenant_id = ${one.company.id} and status <> 'cancelled'
      union all select address_line1 from locations where tenant_id = ${one.company.id} and archived_at is null and address_line1 = '9 Lake Dr'`)
    assert.deepEqual(left, [])
  })
})
