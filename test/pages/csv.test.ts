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

/** Sends a file, and waits until it was checked. */
async function upload(content: string | Uint8Array<ArrayBuffer>, browser = owner): Promise<Seen> {
  const body = new FormData()
  body.append('file', new File([content], 'people.csv', { type: 'text/csv' }))
  const request = new Request('http://localhost', { method: 'POST', body })
  const bytes = await request.arrayBuffer()
  const sent = await browser.send(at('customers', 'import'), {
    method: 'POST',
    body: bytes,
    headers: {
      'content-type': request.headers.get('content-type')!,
      'sec-fetch-site': 'same-origin',
      'content-length': String(bytes.byteLength),
    },
  })
  if (sent.location !== null) await finished(sent.location)
  return sent
}

const statements = async (text: ReturnType<typeof sql>) =>
  (await service.database.send([sql`select enter_tenant(${company.id}, null, 0)`, text]))[1]!.rows as Record<
    string,
    unknown
  >[]
const customers = () =>
  statements(sql`select display_name from customers where tenant_id = ${company.id} order by display_name`)

async function finished(path: string): Promise<string> {
  for (let tries = 0; tries < 2_400; tries++) {
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
      preview.text.includes('Import 120 rows') &&
        preview.text.includes('Person019') &&
        !preview.text.includes('Person020'),
    )
    assert.match(preview.text, /Columns that are ignored[\s\S]*Shoe/)
    assert.equal((await customers()).length, 0)
    await Promise.all([owner.post(location!, {}), owner.post(location!, {})])
    assert.match(await finished(location!), /120 customers imported/)
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

  it('takes what is right, and gives the rest back with reasons in the words of the file', async () => {
    const before = (await customers()).length
    const { location } = await upload(
      'Customer,Mail,Shoe,Email,Mobile,City\nAna Right,x,7,ana@example.com,,\nBo Wrong,x,8,nobody,,\nCy Called,,,,12,\nEd Placed,,,,,Austin\n"Di, the ""B""",,=1+1,,(512) 555-0147,',
    )
    const { text } = await owner.get(location!)
    assert.match(text, /3 rows need fixing/)
    assert.match(text, /Address: is required/)
    assert.match(text, /Email: must be [^<]*nobody/)
    assert.match(text, /Mobile: must be [^<]*12/)
    assert.match(text, /Import 2 rows/)
    const rest = await owner.get(`${location}/to-fix.csv`)
    assert.match(rest.headers.get('content-disposition') ?? '', /filename="people to fix\.csv"/)
    const rows = parse(rest.text, { columns: true, bom: true }) as Record<string, string>[]
    assert.deepEqual(
      rows.map(({ Customer, Shoe }) => [Customer, Shoe]),
      [
        ['Bo Wrong', '8'],
        ['Cy Called', ''],
        ['Ed Placed', ''],
      ],
    )
    assert.match(rows[0]!['Problem']!, /^Email: /)
    await owner.post(location!, { existing: 'skip' })
    assert.match(await finished(location!), /2 customers imported[^]*3 rows were left out/)
    assert.equal((await customers()).length, before + 2)
    const mended = await upload(
      rest.text.replaceAll('nobody', 'bo@example.com').replace(',12,', ',512 555 0148,').replace(',Austin', ','),
    )
    await owner.post(mended.location!, {})
    assert.match(await finished(mended.location!), /3 customers imported/)
    assert.doesNotMatch((await owner.get(mended.location!)).text, /left out/)
  })

  it('tells who is here already, and skips, updates or makes them as chosen', async () => {
    const file =
      'Name,E-mail,External id,Terms\nTwin One,twin@example.com,T-1,\nTwin Two,,T-2,\nTwin One,twin@example.com,,'
    const first = (await upload(file)).location!
    assert.match((await owner.get(first)).text, /One row is a customer you already have[^]*Same as row 2/)
    await owner.post(first, {})
    assert.match(await finished(first), /2 customers imported[^]*One was here already/)
    const again = (await upload(file.replace('Twin Two,,T-2,', 'Twin Renamed,,T-2,45'))).location!
    assert.match((await owner.get(again)).text, /3 rows are customers you already have/)
    await owner.post(again, { existing: 'update' })
    assert.match(await finished(again), /0 customers imported[^]*3 were updated/)
    const twins = await statements(
      sql`select display_name, payment_terms_days from customers where tenant_id = ${company.id} and display_name like 'Twin%' order by display_name`,
    )
    assert.deepEqual(twins, [
      { display_name: 'Twin One', payment_terms_days: null },
      { display_name: 'Twin Renamed', payment_terms_days: 45 },
    ])
    assert.equal(
      (
        await statements(
          sql`select 1 from audit where tenant_id = ${company.id} and tool = 'customers.update' and changed ? 'payment_terms_days'`,
        )
      ).length,
      1,
    )
    const anyway = (await upload('Name,E-mail\nTwin Three,twin@example.com')).location!
    await owner.post(anyway, { existing: 'create' })
    assert.match(await finished(anyway), /One customer imported/)
    assert.equal((await owner.post(anyway, { existing: 'merge' })).status, 422)
  })

  it('makes the tags that the file names, once, and not too many', async () => {
    const { location } = await upload('Name,Tags\nTag One,Brand New; VIP import\nTag Two,brand new')
    assert.match((await owner.get(location!)).text, /New tags[^]*VIP import/)
    await owner.post(location!, {})
    assert.match(await finished(location!), /2 customers imported/)
    const tagged = await statements(
      sql`select t.name, count(*)::int as count from tags t join customer_tags c on c.tenant_id = t.tenant_id and c.tag_id = t.id
        where t.tenant_id = ${company.id} and lower(t.name) in ('brand new', 'vip import') group by 1 order by 1`,
    )
    assert.deepEqual(
      tagged.map(({ count }) => count),
      [2, 1],
    )
    const long = await upload(`Name,Tags\nTag Three,${'x'.repeat(60)}`)
    assert.match((await owner.get(long.location!)).text, /One row needs fixing/)
    const many = await upload(`Name,Tags\nTag Four,${Array.from({ length: 51 }, (_, i) => `t${i}`).join(';')}`)
    assert.equal(many.status, 422)
    assert.match(many.text, /at most 50 tags/)
  })

  it('says an id that two rows have, and leaves out what is refused after all', async () => {
    const before = (await customers()).length
    const { location } = await upload('Name,Customer id\nOne Two,A-1\nThree Four,A-2\nFive Six,A-1')
    assert.match((await owner.get(location!)).text, /Customer id: row 2 has it too/)
    const other = (await upload('Name,Customer id\nSeven Eight,A-2')).location!
    await owner.post(other, {})
    await finished(other)
    await owner.post(location!, {})
    const text = await finished(location!)
    assert.match(text, /One customer imported[^]*2 rows were left out/)
    assert.match(text, /Customer id: [^<]*another customer|external_id/)
    assert.equal((await customers()).length, before + 2)
  })

  it('is checked when it comes, and not again when it is looked at; one of an earlier version is when asked', async () => {
    const path = (await upload('Name,Shoe size\nKept Reading,7')).location!
    const id = path.split('/').at(-1)!
    await asOwner(service, `update customer_imports set content = 'Name\nAnother' where id = '${id}'`)
    assert.match((await owner.get(path)).text, /Kept Reading/)
    await asOwner(
      service,
      `update customer_imports set reading = null, state = 'checking', beat_at = null where id = '${id}'`,
    )
    assert.match((await owner.get(path)).text, /Check the file/)
    await owner.post(path, {})
    assert.match(await finished(path), /Another/)
  })

  it('writes nothing while it checks', async () => {
    const counts = () =>
      statements(sql`select (select count(*) from customers where tenant_id = ${company.id})::int as customers,
        (select count(*) from contacts where tenant_id = ${company.id})::int as contacts, (select count(*) from audit where tenant_id = ${company.id})::int as audit`)
    const before = await counts()
    await upload('Name,E-mail,Address\nOnly Looked,only@example.com,1 Main St\nAnd Another,and@example.com,2 Main St')
    assert.deepEqual(await counts(), before)
  })

  it("refuses what isn't a file of customers", async () => {
    for (const [content, says] of [
      ['', /choose one/],
      ['Phone\n1', /column for names/],
      ['Name\n', /no rows/],
      [new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14]), /must be a CSV file/],
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
    assert.match(await finished(location!), /Nothing was imported/)
    await asOwner(service, 'alter table customer_imports drop constraint not_done')
    assert.ok(!(await customers()).some(({ display_name }) => display_name === 'Ada Undone'))
    await owner.post(location!, {})
    assert.match(await finished(location!), /One customer imported/)
    assert.equal((await customers()).filter(({ display_name }) => display_name === 'Ada Undone').length, 1)
  })

  it('keeps nothing of a start that was given up for lost and went on after all', async () => {
    const { location } = await upload('Name\nBea Lost')
    await asOwner(
      service,
      `
      create function start_again() returns trigger language plpgsql as $$ begin update customer_imports set run = run + 1 where tenant_id = new.tenant_id and id = '${location!.slice(-36)}'; return new; end $$;
      create trigger start_again before insert on customers for each row execute function start_again()`,
    )
    await owner.post(location!, {})
    assert.match(await finished(location!), /started again meanwhile/)
    await asOwner(service, 'drop trigger start_again on customers; drop function start_again')
    assert.ok(!(await customers()).some(({ display_name }) => display_name === 'Bea Lost'))
  })

  it("that can't even say that it failed leaves the service standing", async () => {
    const { location } = await upload('Name,External id\nCal One,B-1\nCal Two,B-1')
    await asOwner(
      service,
      `alter table customer_imports add constraint not_failed check (state not in ('done', 'failed')) not valid`,
    )
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
    assert.match(await finished(location!), /One customer imported/)
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
