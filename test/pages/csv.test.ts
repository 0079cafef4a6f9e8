import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { sql } from '../../src/db/database.ts'
import type { TestService } from '../harness/harness.ts'
import { asOwner } from '../harness/inbound.ts'
import { foundCompany, startSite, visitor, type Browser, type Seen } from '../harness/visiting.ts'

let service: TestService
let company: Awaited<ReturnType<typeof foundCompany>>
let owner: Browser

before(async () => {
  service = await startSite()
  company = await foundCompany(service, 'Alder Plumbing')
  owner = await signedIn(company.owner.email)
})
after(() => service.stop())

async function signedIn(email: string): Promise<Browser> {
  const browser = visitor(service)
  await browser.signIn(email)
  return browser
}

const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`

async function upload(content: string | Uint8Array<ArrayBuffer>, browser = owner): Promise<Seen> {
  const body = new FormData()
  body.append('file', new File([content], 'people.csv', { type: 'text/csv' }))
  const request = new Request('http://localhost', { method: 'POST', body })
  const bytes = await request.arrayBuffer()
  return browser.send(at('customers', 'import'), {
    method: 'POST',
    body: bytes,
    headers: {
      'content-type': request.headers.get('content-type')!,
      'sec-fetch-site': 'same-origin',
      'content-length': String(bytes.byteLength),
    },
  })
}

const statements = async (text: ReturnType<typeof sql>) =>
  (await service.database.send([sql`select enter_tenant(${company.id}, null, 0)`, text]))[1]!.rows as Record<
    string,
    unknown
  >[]
const customers = () =>
  statements(sql`select display_name from customers where tenant_id = ${company.id} order by display_name`)

async function finished(path: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { text } = await owner.get(path)
    if (!text.includes('<progress')) return text
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The import did not end')
}

describe('import', () => {
  it('shows what would be made, takes it over whole, once, and writes it down', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, i) => `Person${String(i).padStart(3, '0')},Import,p${i}@example.com,1 Main St`,
    )
    const { location } = await upload(`First name,Last name,E-mail,Address,Shoe\n${rows.join('\n')}`)
    const preview = await owner.get(location!)
    assert.ok(
      preview.text.includes('Take over 120 customers') &&
        preview.text.includes('Person019') &&
        !preview.text.includes('Person020'),
    )
    assert.match(preview.text, /Columns that are passed over[\s\S]*Shoe/)
    assert.equal((await customers()).length, 0)
    await Promise.all([owner.post(location!, {}), owner.post(location!, {})])
    assert.match(await finished(location!), /120 customers taken over/)
    assert.equal((await customers()).length, 120)
    assert.equal(
      (
        await statements(
          sql`select 1 from audit where tenant_id = ${company.id} and tool = 'customers.create' and record_type = 'customer'`,
        )
      ).length,
      120,
    )
    assert.equal((await owner.post(location!, {})).status, 409)
    assert.equal((await customers()).length, 120)
  })

  it("names each row to mend, and can't be started with one", async () => {
    const { location } = await upload(
      'Name,E-mail,Tags\nAna Right,ana@example.com,\nBo Wrong,nobody,\nCy Tagged,,Nothing',
    )
    const { text } = await owner.get(location!)
    assert.ok(text.includes('2 of 3 rows') && text.includes('email') && !text.includes('Take over'))
    const before = (await customers()).length
    await owner.post(location!, {})
    assert.equal((await customers()).length, before)
  })

  it('is read when it comes, and not again when it is looked at; one of an earlier version is', async () => {
    const path = (await upload('Name,Shoe size\nKept Reading,7')).location!
    const id = path.split('/').at(-1)!
    await asOwner(service, `update customer_imports set content = 'Name\nAnother' where id = '${id}'`)
    assert.match((await owner.get(path)).text, /Kept<|Kept Reading/)
    await asOwner(service, `update customer_imports set reading = null where id = '${id}'`)
    const page = await owner.get(path)
    assert.match(page.text, /Another/)
    assert.doesNotMatch(page.text, /Kept Reading/)
  })

  it('keeps nothing when a row is refused on the way, and says which', async () => {
    const before = (await customers()).length
    const { location } = await upload('Name,External id\nOne Two,A-1\nThree Four,A-2\nFive Six,A-1')
    await owner.post(location!, {})
    assert.match(await finished(location!), /Nothing was taken over[\s\S]*row 4: /)
    assert.equal((await customers()).length, before)
  })

  it("refuses what isn't a file of customers", async () => {
    for (const [content, says] of [
      ['', /choose one/],
      ['Phone\n1', /column for names/],
      ['Name\n', /no rows/],
      [new Uint8Array([0x4e, 0x0a, 0xff]), /UTF-8/],
    ] as const) {
      const answer = await upload(content)
      assert.equal(answer.status, 422)
      assert.match(answer.text, says)
    }
    const large = await upload(`Name\n${'A'.repeat(6 * 1024 * 1024)}`)
    assert.equal(large.status, 413)
  })

  it("is for those who may change customers, and the company's alone", async () => {
    const tech = await signedIn((await company.hire('tech')).email)
    assert.equal((await tech.get(at('customers', 'import'))).status, 404)
    assert.equal((await upload('Name\nAna', tech)).status, 404)
    const { location } = await upload('Name\nAna Own')
    const other = await foundCompany(service, 'North Cleaning')
    const stranger = await signedIn(other.owner.email)
    assert.equal((await stranger.get(location!)).status, 404)
    assert.equal((await stranger.get(location!.replace(company.id, other.id))).status, 404)
  })

  it('is done in the transaction that keeps its rows, so that none can be taken over twice', async () => {
    const { location } = await upload('Name\nAda Undone')
    await asOwner(service, `alter table customer_imports add constraint not_done check (state <> 'done') not valid`)
    await owner.post(location!, {})
    assert.match(await finished(location!), /Nothing was taken over/)
    await asOwner(service, 'alter table customer_imports drop constraint not_done')
    assert.ok(!(await customers()).some(({ display_name }) => display_name === 'Ada Undone'))
    await owner.post(location!, {})
    assert.match(await finished(location!), /1 customer taken over/)
    assert.equal((await customers()).filter(({ display_name }) => display_name === 'Ada Undone').length, 1)
  })

  it('keeps nothing of a start that was given up for lost and went on after all', async () => {
    const { location } = await upload('Name\nBea Lost')
    await asOwner(
      service,
      `
      create function start_again() returns trigger language plpgsql as $$ begin update customer_imports set run = run + 1 where id = '${location!.slice(-36)}'; return new; end $$;
      create trigger start_again before insert on customers for each row execute function start_again()`,
    )
    await owner.post(location!, {})
    assert.match(await finished(location!), /started again meanwhile/)
    await asOwner(service, 'drop trigger start_again on customers; drop function start_again')
    assert.ok(!(await customers()).some(({ display_name }) => display_name === 'Bea Lost'))
  })

  it("that can't even say that it failed leaves the service standing", async () => {
    const { location } = await upload('Name,External id\nCal One,B-1\nCal Two,B-1')
    await asOwner(service, `alter table customer_imports add constraint not_failed check (state <> 'failed') not valid`)
    await owner.post(location!, {})
    for (let i = 0; i < 5; i++) assert.equal((await owner.get(at('customers'))).status, 200)
    await asOwner(service, 'alter table customer_imports drop constraint not_failed')
    assert.ok(!(await customers()).some(({ display_name }) => String(display_name).startsWith('Cal ')))
  })

  it('that stopped in the middle says so and can be started again', async () => {
    const { location } = await upload('Name\nLate Starter')
    const id = location!.slice(-36)
    await statements(
      sql`update customer_imports set state = 'running', beat_at = moment() - interval '2 minutes' where tenant_id = ${company.id} and id = ${id}`,
    )
    assert.match((await owner.get(location!)).text, /The service stopped in the middle/)
    await owner.post(location!, {})
    assert.match(await finished(location!), /1 customer taken over/)
  })

  it('shows hostile text as text', async () => {
    const { location } = await upload('Name,"<script>alert(1)</script>"\n<img src=x onerror=alert(1)>,x')
    const { text } = await owner.get(location!)
    assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x'))
  })
})

describe('export', () => {
  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })

  it('is the whole list, past one page, with its columns', async () => {
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

  it('is narrowed as the page is', async () => {
    const rows = rowsOf((await owner.get(`${at('customers')}.csv?query=Person11`)).text)
    assert.equal(rows.length, 10)
  })

  it("writes amounts in the major unit and times on the company's clocks, and defuses formulas", async () => {
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

  it('is for those who may see the list', async () => {
    const tech = await signedIn((await company.hire('tech')).email)
    assert.equal((await tech.get(`${at('invoices')}.csv`)).status, 404)
    assert.equal((await tech.get(`${at('jobs')}.csv`)).status, 200)
    assert.equal((await visitor(service).get(`${at('jobs')}.csv`)).status, 303)
  })
})
