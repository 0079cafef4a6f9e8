import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { formIn, importingInto, withTwoCustomers, type Importing } from '../../harness/files/imports.ts'
import { createCompany, startSite, newBrowser } from '../../harness/web_client.ts'
import { workbookOf, type WorkbookCell } from '../../harness/files/workbook.ts'

let service: TestService

before(async () => {
  service = await startSite()
})
after(() => service.stop())

const cellOf = (value: number, style: number): WorkbookCell => ({ value, style })
const FORMATS = ['m/d/yyyy', '"$"#,##0.00']

/** Returns QuickBooks Online's invoice list as exported: title rows above, totals and a timestamp below. */
const invoiceList = (company: string): Buffer<ArrayBuffer> =>
  workbookOf({
    formats: FORMATS,
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          [company],
          ['Invoice List by Date'],
          ['January 1 - March 31, 2026'],
          [],
          [null, 'Date', 'Transaction Type', 'Num', 'Name', 'Memo/Description', 'Due Date', 'Amount', 'Open Balance'],
          [
            null,
            cellOf(46027, 1),
            'Invoice',
            '1001',
            'Ana Ruiz',
            'Drain',
            cellOf(46057, 1),
            cellOf(180, 2),
            cellOf(180, 2),
          ],
          [
            null,
            cellOf(46058, 1),
            'Invoice',
            '1002',
            'Hill Dental',
            'Trap',
            cellOf(46088, 1),
            cellOf(24.5, 2),
            cellOf(0, 2),
          ],
          [
            'Total',
            null,
            null,
            null,
            null,
            null,
            null,
            { xml: '<c><f>SUM(H6:H7)</f><v>204.5</v></c>' },
            cellOf(180, 2),
          ],
          [],
          ['Thursday, Mar 05, 2026 08:12 AM GMT-08:00 - Cash Basis'],
        ],
      },
    ],
  })

const invoicesOf = ({ rows, company }: Importing) =>
  rows<{ total: number; paid: number; issued: string; name: string }>(sql`
    select i.total_cents::int as total, i.amount_paid_cents::int as paid, i.issue_date::text as issued, c.display_name as name
    from invoices i join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
    where i.tenant_id = ${company.id} order by i.issue_date`)

describe('an Excel file', () => {
  it('is imported like its CSV: title rows, dates and amounts by cell style, totals rows', async () => {
    const one = await importingInto(service, 'Alder Excel')
    await withTwoCustomers(one)
    const form = await one.owner.get(one.here)
    assert.match(form.text, /Excel or CSV file/)
    assert.match(form.text, /accept="\.xlsx,\.csv,/)
    const sent = await one.upload(invoiceList('Alder Excel'), {}, one.owner, 'Invoice List.xlsx')
    assert.equal(sent.status, 303, sent.text)
    const columns = await one.owner.get(sent.location!)
    assert.match(columns.text, /Invoices · QuickBooks/)
    assert.doesNotMatch(columns.text, /Read this sheet/)
    const { path, text } = await one.uploadAndConfirm(invoiceList('Alder Excel'))
    assert.match(text, /Import 2 records/, text)
    assert.match(text, /Together \$204\.50/)
    assert.doesNotMatch(text, /Rows to fix/)
    await one.owner.post(path, { existing: 'skip' })
    assert.match(await one.waitForEnd(path), /2 records imported/)
    assert.deepEqual(await invoicesOf(one), [
      { total: 18_000, paid: 0, issued: '2026-01-05', name: 'Ana Ruiz' },
      { total: 2_450, paid: 2_450, issued: '2026-02-05', name: 'Hill Dental' },
    ])
    const again = await one.importFile(invoiceList('Alder Excel'))
    assert.match(again.text, /2 were here already/)
  })

  it('lets the user choose a visible sheet, detects its content again, and hides hidden sheets', async () => {
    const one = await importingInto(service, 'Birch Excel')
    const content = workbookOf({
      sheets: [
        {
          name: 'People',
          rows: [
            ['Name', 'Email'],
            ['Ann Lee', 'ann@example.com'],
          ],
        },
        { name: 'Pay', state: 'hidden', rows: [['Name'], ['Secret']] },
        {
          name: 'Prices',
          rows: [
            ['Item', 'SKU', 'Price'],
            ['Trap', 'TR-1', 24.5],
            ['Rod', 'RO-1', 39],
          ],
        },
      ],
    })
    const { location } = await one.upload(content, {}, one.owner, 'Everything.xlsx')
    const people = await one.owner.get(location!)
    assert.match(people.text, /Customers, with their people/)
    assert.match(people.text, /<option selected>People<\/option>/)
    assert.doesNotMatch(people.text, />Pay</)
    const sheet = location!.replace(/columns$/, 'sheet')
    assert.equal((await one.owner.post(sheet, { sheet: 'Pay' })).status, 422)
    const chosen = await one.owner.post(sheet, { sheet: 'Prices' })
    assert.equal(chosen.location, location)
    const prices = await one.owner.get(location!)
    assert.match(prices.text, /Catalog · /)
    await one.owner.post(sheet, { sheet: 'Prices', kind: 'customers' })
    assert.match((await one.owner.get(location!)).text, /Customers, with their people/)
    await one.owner.post(sheet, { sheet: 'Prices', kind: '' })
    const saved = await one.owner.post(location!, formIn(prices.text))
    assert.match(await one.waitForEnd(saved.location!), /Import 2 records/)
    await one.owner.post(saved.location!, { existing: 'skip' })
    assert.match(await one.waitForEnd(saved.location!), /2 records imported/)
    assert.equal((await one.owner.post(sheet, { sheet: 'People' })).status, 409)
    const other = await createCompany(service, 'Other Excel')
    const stranger = newBrowser(service)
    await stranger.signIn(other.owner.email)
    assert.equal((await stranger.post(sheet, { sheet: 'People' })).status, 404)
  })

  it('returns the rows to fix as CSV, with row numbers of the sheet', async () => {
    const one = await importingInto(service, 'Cedar Excel')
    const content = workbookOf({
      sheets: [{ name: 'A', rows: [['Name', 'Email'], [], ['Ann Lee', 'ann@example.com'], ['Bo Ray', 'nobody']] }],
    })
    const { path, text } = await one.uploadAndConfirm(content)
    assert.match(text, /Rows to fix[^]*>4</)
    const file = await one.owner.get(`${path}/to-fix.csv`)
    assert.match(file.text, /^\ufeff?Problem,Name,Email\r\n.*,Bo Ray,nobody\r\n$/)
  })

  it('is refused with advice when it is damaged, another file type or too large when unpacked', async () => {
    const one = await importingInto(service, 'Dogwood Excel')
    for (const [content, why] of [
      [Buffer.from('504b030414000600', 'hex'), /Excel file is damaged/],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as \.xlsx without a password/],
      [Buffer.from('<!DOCTYPE html><p>Sign in'), /This is a web page/],
      [
        workbookOf({ sheets: [{ name: 'A', rows: `<worksheet>${' '.repeat(50 * 2 ** 20)}</worksheet>` }] }),
        /A sheet in this file is too large/,
      ],
    ] as const) {
      const { status, text } = await one.upload(content, {}, one.owner, 'theirs.xlsx')
      assert.match(text, why)
      assert.equal(status, 422)
    }
  })
})

describe('spreadsheet serial dates', () => {
  const HEADER = 'Invoice No,Customer,Invoice Date,Due Date,Total,Status'

  it('are read as dates, with one notice per column', async () => {
    const one = await importingInto(service, 'Elm Excel')
    await withTwoCustomers(one)
    const lines = Array.from({ length: 30 }, (_, i) => `${2000 + i},Ana Ruiz,${46027 + i},${46057 + i}.5,10.00,Sent`)
    const { path, text } = await one.uploadAndConfirm([HEADER, ...lines].join('\n'))
    assert.match(text, /Import 30 records/)
    assert.equal(text.match(/day numbers are read as dates/g)?.length, 2)
    assert.match(text, /46027 as Jan 5, 2026 \(30 rows\)/)
    await one.owner.post(path, { existing: 'skip' })
    assert.match(await one.waitForEnd(path), /30 records imported/)
    const [first] = await invoicesOf(one)
    assert.equal(first!.issued, '2026-01-05')
  })

  it('use the 1904 date system of the workbook', async () => {
    const one = await importingInto(service, 'Fir Excel')
    await withTwoCustomers(one)
    const rows = [HEADER.split(','), ['1', 'Ana Ruiz', 44565, 44595, 10, 'Sent']]
    await one.importFile(workbookOf({ is1904: true, sheets: [{ name: 'A', rows }] }))
    assert.equal((await invoicesOf(one))[0]!.issued, '2026-01-05')
  })

  it("aren't read as dates when another number in the column is out of range", async () => {
    const one = await importingInto(service, 'Gum Excel')
    await withTwoCustomers(one)
    const { text } = await one.uploadAndConfirm(`${HEADER}\n1,Ana Ruiz,46027,,10.00,Sent\n2,Ana Ruiz,12,,10.00,Sent\n`)
    assert.match(text, /“46027” isn’t a date\. Write it like 2026-03-31\./)
    assert.match(text, /2 rows need fixing/)
  })
})

describe('a name in a file', () => {
  it("is reversed only when both parts look like a person's name, and documents match it as written", async () => {
    const one = await importingInto(service, 'Hazel Excel')
    const people = 'Name\n"Acme Property Mgmt, LLC #31"\n"Ruiz, Ana"\n"Lot 5, Oak Street"\n"King, Jr."\n"Vega, Eva"\n'
    const { path, text } = await one.uploadAndConfirm(people)
    assert.match(text, /the last name comes first, so “Ruiz, Ana” becomes Ana Ruiz \(2 rows\)/)
    await one.owner.post(path, { existing: 'skip' })
    await one.waitForEnd(path)
    const names = await one.rows<{ name: string; type: string }>(sql`
      select display_name as name, customer_type as type from customers where tenant_id = ${one.company.id} order by 1`)
    assert.deepEqual(
      names.map(({ name, type }) => `${name} (${type})`),
      [
        'Acme Property Mgmt, LLC #31 (company)',
        'Ana Ruiz (individual)',
        'Eva Vega (individual)',
        'King, Jr. (individual)',
        'Lot 5, Oak Street (individual)',
      ],
    )
    const invoices = [
      'Invoice No,Customer,Invoice Date,Total,Status',
      '1,"Acme Property Mgmt, LLC #31",2026-01-05,10.00,Sent',
      '2,"Ruiz, Ana",2026-01-06,10.00,Sent',
      '3,Ana Ruiz,2026-01-07,10.00,Sent',
      '4,"Lot 5, Oak Street",2026-01-08,10.00,Sent',
    ].join('\n')
    await one.importFile(invoices)
    assert.deepEqual(
      (await invoicesOf(one)).map(({ name }) => name),
      ['Acme Property Mgmt, LLC #31', 'Ana Ruiz', 'Ana Ruiz', 'Lot 5, Oak Street'],
    )
  })

  it('that differs from the display name is matched by the customer file, and refused when ambiguous', async () => {
    const one = await importingInto(service, 'Ivy Excel')
    await one.importFile(
      'Name,Company,Email\nRosa (front desk),Rosa Dental LLC,rosa@example.com\nSam Site,Sam One LLC,1@example.com\nSam Site,Sam Two LLC,2@example.com\n',
    )
    const { text } = await one.importFile(
      'Invoice No,Customer,Invoice Date,Total,Status\n1,Rosa (front desk),2026-01-05,10.00,Sent\n2,Sam Site,2026-01-06,10.00,Sent\n',
    )
    assert.match(text, /could be any of 2 customers/)
    assert.deepEqual(
      (await invoicesOf(one)).map(({ name }) => name),
      ['Rosa Dental LLC'],
    )
  })
})

describe('a repeated notice', () => {
  it('is shown once with its number of rows, and so is a repeated problem', async () => {
    const one = await importingInto(service, 'Juniper Excel')
    await withTwoCustomers(one)
    const lines = Array.from({ length: 320 }, (_, i) => `${i},Ana Ruiz,2026-01-05,10.00,Sent,J-${i}`)
    const header = 'Invoice No,Customer,Invoice Date,Total,Status,Job No'
    const { text } = await one.uploadAndConfirm([header, ...lines].join('\n'), { column_5: 'job_number' })
    assert.match(text, /Job number is left out in 320 rows, such as “J-0”/)
    assert.equal(text.match(/Job number/g)?.length, 1)
    const unknown = Array.from({ length: 40 }, (_, i) => `${i},Nobody Known,2026-01-05,10.00,Sent,`)
    const problems = await one.uploadAndConfirm([header, ...unknown].join('\n'))
    assert.equal(problems.text.match(/isn’t one of your customers/g)?.length, 1)
    assert.match(problems.text, />2–41</)
  })
})
