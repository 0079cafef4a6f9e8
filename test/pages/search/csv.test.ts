import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { importingInto, type Importing } from '../../harness/files/imports.ts'
import { startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let company: Importing['company']
let owner: Browser
let importing: Importing

before(async () => {
  service = await startSite()
  importing = await importingInto(service, 'Alder Plumbing')
  company = importing.company
  owner = importing.owner
  const people = Array.from({ length: 120 }, (_, i) => `Person${String(i).padStart(3, '0')},Import,p${i}@example.com`)
  await importing.importFile(`First name,Last name,Email\n${people.join('\n')}`)
})
after(() => service.stop())

async function signIn(email: string): Promise<Browser> {
  const browser = newBrowser(service)
  await browser.signIn(email)
  return browser
}

const at = (...steps: string[]): string => importing.at(...steps)
const statements = (text: ReturnType<typeof sql>) => importing.rows(text)
const customers = () =>
  statements(sql`select display_name from customers where tenant_id = ${company.id} order by display_name`)

describe('the CSV export', () => {
  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })

  it('contains the whole list with its columns', async () => {
    const answer = await owner.get(`${at('customers')}.csv`)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="customers-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const rows = rowsOf(answer.text)
    assert.equal(rows.length, (await customers()).length)
    assert.ok(
      rows.some((row) => row['display_name'] === 'Person119 Import' && row['primary_email'] === 'p119@example.com'),
    )
  })

  it('applies the filters of the list', async () => {
    const rows = rowsOf((await owner.get(`${at('customers')}.csv?query=Person11`)).text)
    assert.equal(rows.length, 10)
  })

  it("writes decimal amounts and times in the company's time zone, and escapes formulas", async () => {
    const customer = String(
      (await statements(sql`select id from customers where tenant_id = ${company.id} limit 1`))[0]!['id'],
    )
    await owner.post(at('jobs', 'new'), {
      customer_id: customer,
      title: '=HYPERLINK("http://evil.example")',
      scheduled_start: '2027-01-05T09:00',
      'line_items.0.name': 'Work',
      'line_items.0.price': '12.50',
    })
    const [job] = rowsOf((await owner.get(`${at('jobs')}.csv?scheduled_from=2027-01-05&scheduled_to=2027-01-05`)).text)
    assert.equal(job!['title'], '\'=HYPERLINK("http://evil.example")')
    assert.equal(job!['scheduled_start'], '2027-01-05 09:00')
    await owner.post(at('invoices', 'new'), {
      customer_id: customer,
      'line_items.0.name': 'Work',
      'line_items.0.quantity': '2',
      'line_items.0.price': '12.50',
    })
    assert.deepEqual(
      rowsOf((await owner.get(`${at('invoices')}.csv`)).text).map((row) => row['total']),
      ['25.00'],
    )
  })

  it('returns 404 without access to the list, and redirects signed-out users', async () => {
    const tech = await signIn((await company.hire('tech')).email)
    assert.equal((await tech.get(`${at('invoices')}.csv`)).status, 404)
    assert.equal((await tech.get(`${at('jobs')}.csv`)).status, 200)
    assert.equal((await newBrowser(service).get(`${at('jobs')}.csv`)).status, 303)
  })
})
