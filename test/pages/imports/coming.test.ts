import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { asOwner } from '../../harness/messaging/inbound.ts'
import { submit } from '../../harness/identity/people_pages.ts'
import { comingFixture, formIn, importingInto, type Importing } from '../../harness/files/importing.ts'
import { startSite, visitor, type Browser } from '../../harness/visiting.ts'

let service: TestService
let company: Importing['company']
let owner: Browser
let importing: Importing

before(async () => {
  service = await startSite()
})
after(() => service.stop())

/** Founds a company of its own, so that nothing of another test is there. */
async function fresh(name: string): Promise<void> {
  importing = await importingInto(service, name)
  company = importing.company
  owner = importing.owner
}

const at: Importing['at'] = (...steps) => importing.at(...steps)
const HERE = (): string => importing.here
const upload: Importing['upload'] = (...given) => importing.upload(...given)
const finished: Importing['finished'] = (path) => importing.finished(path)
const checked: Importing['checked'] = (...given) => importing.checked(...given)
const imported: Importing['imported'] = (...given) => importing.imported(...given)
const rows = <Row = Record<string, unknown>>(text: ReturnType<typeof sql>): Promise<Row[]> => importing.rows<Row>(text)
const fixture = comingFixture

const customers = () =>
  rows<{ name: string; type: string; status: string; contacts: string[]; places: string[] }>(sql`
    select c.display_name as name, c.customer_type as type, c.status,
      array(select concat_ws('|', k.first_name, k.last_name, k.role_label, k.email, k.phone) from contacts k
        where k.tenant_id = c.tenant_id and k.customer_id = c.id order by k.created_at, k.id) as contacts,
      array(select concat_ws('|', l.type, l.name, l.address_line1, l.address_line2, l.city, l.postal_code, l.country) from locations l
        where l.tenant_id = c.tenant_id and l.customer_id = c.id order by l.created_at, l.id) as places
    from customers c where c.tenant_id = ${company.id} and c.archived_at is null order by c.display_name`)

describe('coming from another product', () => {
  it('takes the customers of each product with people and places, and knows which product it is', async () => {
    await fresh('Alder Plumbing')
    for (const [file, label] of [
      ['jobber', 'Jobber'],
      ['housecall_pro', 'Housecall Pro'],
      ['servicetitan', 'ServiceTitan'],
      ['quickbooks', 'QuickBooks'],
      ['plain', 'Another table'],
    ]) {
      const content = await fixture(`${file}_customers`)
      const { location } = await upload(content)
      assert.match(
        (await owner.get(location!)).text,
        new RegExp(`Customers, with their people and addresses · ${label}`),
      )
      const { text } = await imported(content, file === 'plain' ? { column_1: 'company_name' } : {})
      assert.match(text, /2 records imported/, text)
      assert.doesNotMatch(text, /left out/)
    }
    assert.deepEqual(await customers(), [
      {
        name: 'Ana Ruiz',
        type: 'individual',
        status: 'active',
        contacts: [
          'Ana|Ruiz|ana@example.com|+15125550101',
          'Ana|Ruiz|Mobile|+15125550102',
          'Ana|Ruiz|ruiz@example.com',
        ],
        places: [
          'service|Home|1 Elm St|Austin|78701|US',
          'billing|9 Bill Rd|Austin|78702|US',
          'service|Lake house|2 Lake Dr|Unit 4|Austin|78703|US',
        ],
      },
      {
        name: 'Cole Bakery',
        type: 'company',
        status: 'active',
        contacts: ['Hana|Cole|hana@cole.example|+15125550170', 'Hana|Cole|Mobile|+15125550171'],
        places: ['service|11 Bun Rd|Austin|78712|US'],
      },
      {
        name: 'Cy Park',
        type: 'individual',
        status: 'active',
        contacts: ['Cy|Park|cy@example.com|+15125550120', 'Cy|Park|Home|+15125550121'],
        places: ['service|4 Fir Ct|Apt 2|Austin|78705|US'],
      },
      {
        name: 'Dee Gym LLC',
        type: 'company',
        status: 'active',
        contacts: ['Dee|Long|dee@gym.example|+15125550130'],
        places: ['service|5 Gum St|Austin|78706|US'],
      },
      {
        name: 'Eli Fox',
        type: 'individual',
        status: 'active',
        contacts: ['Eli|Fox|eli@example.com|+15125550140'],
        places: ['service|Fox residence|6 Ash Ln|Austin|78707|US'],
      },
      {
        name: 'Gil Moss',
        type: 'individual',
        status: 'active',
        contacts: ['Gil|Moss|gil@example.com|+15125550160'],
        places: ['service|10 Bay St|Austin|78711|US'],
      },
      {
        name: 'Grand Hotel',
        type: 'company',
        status: 'active',
        contacts: ['desk@grand.example|+15125550150'],
        places: [
          'service|Grand Hotel East|8 East St|Austin|78709|US',
          'billing|7 Main St|Austin|78708|US',
          'service|Grand Hotel West|9 West St|Austin|78710|US',
        ],
      },
      {
        name: 'Hill Dental',
        type: 'company',
        status: 'active',
        contacts: ['Bo|Hill|bo@hill.example|+15125550110'],
        places: ['service|3 Oak Ave|Austin|78704|US'],
      },
      {
        name: 'Ivo Stone',
        type: 'individual',
        status: 'active',
        contacts: ['Ivo|Stone|ivo@example.com|+15125550180'],
        places: ['service|12 Pine|Austin|78713|US'],
      },
      {
        name: 'Stone Works',
        type: 'company',
        status: 'active',
        contacts: ['+15125550190'],
        places: ['service|13 Pine|Austin|78713|US'],
      },
    ])
    const [{ body } = { body: '' }] = await rows<{ body: string }>(
      sql`select body from notes where tenant_id = ${company.id}`,
    )
    assert.equal(body, 'Dog in the yard\nRing twice')
    const terms = await rows(sql`select display_name, payment_terms_days as days, do_not_service as no from customers
      where tenant_id = ${company.id} and (payment_terms_days is not null or do_not_service) order by display_name`)
    assert.deepEqual(terms, [
      { display_name: 'Cole Bakery', days: 0, no: false },
      { display_name: 'Dee Gym LLC', days: null, no: true },
      { display_name: 'Gil Moss', days: 30, no: false },
      { display_name: 'Ivo Stone', days: 14, no: false },
    ])
  })

  it('takes the catalog of each product to the cent, with its categories, and says what it cannot take', async () => {
    await fresh('Birch Heating')
    for (const [file, made] of [
      ['jobber', 2],
      ['housecall_pro', 2],
      ['servicetitan', 2],
      ['plain', 2],
    ]) {
      const { text } = await imported(await fixture(`${file}_catalog`))
      assert.match(text, new RegExp(`${made} records imported`), text)
    }
    const { text } = await imported(await fixture('quickbooks_catalog'))
    assert.match(text, /One record imported/)
    assert.match(text, /Sales Price \/ Rate: /)
    const items = await rows(sql`
      select i.name, i.kind, i.sku, i.unit_price_cents::int as price, i.cost_cents::int as cost, i.taxable, i.duration_minutes as minutes, c.name as category
      from catalog_items i left join catalog_categories c on c.tenant_id = i.tenant_id and c.id = i.category_id
      where i.tenant_id = ${company.id} order by i.name`)
    assert.deepEqual(
      items.map((item) => Object.values(item).join('|')),
      [
        'Anode rod|product|AN-1|3995|1200|true||Water heaters',
        'Camera look|service||14950|0|false|30|Drains',
        'Cartridge|product|M-7|2499|900|true||Parts',
        'Drain cleaning|service||118900|4025|true|90|Drains',
        'Faucet repair|service|P-100|12999|1810|true||Faucets',
        'Filter|service|FI|1500||true||Seasonal',
        'Hourly repair|service|HR-1|9500||false||Repairs',
        'Tune-up|service|TU|8950||true||Seasonal',
        'Water heater 50 gal|service|WH-50|185000|90000|true|150|Water heaters',
      ],
    )
  })
})

describe('an import', () => {
  it('remembers the columns, and says of a repeated file that it changes nothing', async () => {
    await fresh('Cedar Cleaning')
    const content = 'Wer,Mail,Extra\nAnn Lee,ann@example.com,Blue\n'
    const strange = await upload(content)
    const refused = await owner.post(strange.location!, { column_0: '', column_1: 'email', column_2: '' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Choose which column has the name\./)
    const twice = await owner.post(strange.location!, { column_0: 'name', column_1: 'name', column_2: '' })
    assert.match(twice.text, /The columns “Wer” and “Mail” are set to the same thing\. Leave one out\./)
    const foreign = await owner.post(strange.location!, { column_0: 'name', column_1: 'password', column_2: '' })
    assert.equal(foreign.status, 422)
    const change = { column_0: 'name', column_1: 'email', column_2: 'custom', fixed_tags: 'Moved' }
    assert.match((await imported(content, change)).text, /One record imported/)
    const again = await upload(content)
    const page = await owner.get(again.location!)
    assert.match(page.text, /The columns are set as you chose them last time/)
    assert.deepEqual(formIn(page.text), { fixed_lead_source: '', fixed_status: '', ...change })
    const { path, text } = await checked(content)
    assert.match(text, /One came with an earlier file/)
    await owner.post(path, { existing: 'skip' })
    assert.match(await finished(path), /0 records imported[^]*One was here already/)
    const [{ fields, tags } = { fields: null, tags: null }] = await rows(sql`
      select c.fields, (select array_agg(t.name) from customer_tags k join tags t on t.tenant_id = k.tenant_id and t.id = k.tag_id
        where k.tenant_id = c.tenant_id and k.customer_id = c.id) as tags from customers c where c.tenant_id = ${company.id}`)
    assert.deepEqual([fields, tags], [{ Extra: 'Blue' }, ['Moved']])
  })

  it('tells who is here already by e-mail, phone or name, and skips, updates or makes them as chosen', async () => {
    await fresh('Dogwood Drains')
    await imported('Name,E-mail,Phone\nAnn Lee,ann@example.com,\nBob Ray,,512 555 0101\nCal Oak,,\n')
    const theirs =
      'Id,Name,E-mail,Phone,Source\n1,Ann M. Lee,ANN@example.com,,Web\n2,Robert Ray,,(512) 555-0101,Web\n3,cal  oak,,,Web\n4,Dan Elm,,,Web\n'
    const { path, text } = await checked(theirs)
    assert.match(text, /Already here[^]*Ann Lee[^]*Bob Ray[^]*Cal Oak/)
    assert.match(text, /Import 4 records/)
    await owner.post(path, { existing: 'update' })
    assert.match(await finished(path), /One record imported[^]*3 were updated/)
    assert.deepEqual(
      (
        await rows(
          sql`select display_name as name, lead_source as source from customers where tenant_id = ${company.id} order by display_name`,
        )
      ).map(({ name, source }) => `${String(name)} ${String(source)}`),
      ['Ann M. Lee Web', 'Dan Elm Web', 'Robert Ray Web', 'cal oak Web'],
    )
    const made = await imported('Name,E-mail\nAnn Other,ann@example.com\n', {}, 'create')
    assert.match(made.text, /One record imported/)
    assert.equal((await owner.post(path, { existing: 'delete' })).status, 422)
  })

  it('is taken back as one act: what nobody changed since goes, the rest stays and is listed', async () => {
    await fresh('Elm Electric')
    await imported('Name,E-mail,Source\nOld One,old@example.com,Phone book\n')
    const before = await customers()
    const { path, text } = await imported(
      'Name,E-mail,Source,Tags,Address,Notes\nOld One,old@example.com,Web,,,\nNew One,new@example.com,Web,Fresh,1 Elm St,Likes tea\nKept One,kept@example.com,Web,Fresh,2 Elm St,\n',
      {},
      'update',
    )
    assert.match(text, /2 records imported[^]*One was updated/)
    const [kept] = await rows<{ id: string }>(
      sql`select id from customers where tenant_id = ${company.id} and display_name = 'Kept One'`,
    )
    assert.equal((await submit(owner, at('customers', kept!.id, 'edit'), { last_name: 'Forever' })).status, 303)
    const back = await owner.post(`${path}/back`, {})
    assert.equal(back.status, 303)
    const over = await finished(path)
    assert.match(over, /2 records were undone/)
    assert.match(over, /What isn&#39;t undone[^]*changed it since/)
    assert.deepEqual(
      (await customers()).map(({ name }) => name),
      ['Kept Forever', 'Old One'],
    )
    const [{ source } = { source: null }] = await rows<{ source: string | null }>(
      sql`select lead_source as source from customers where tenant_id = ${company.id} and display_name = 'Old One'`,
    )
    assert.equal(source, 'Phone book')
    assert.equal(before.length, 1)
    assert.equal((await owner.post(`${path}/back`, {})).status, 409)
    const links = await rows(sql`select 1 from import_links where tenant_id = ${company.id}`)
    assert.equal(links.length, 2)
  })

  it('goes on where it was stopped, and takes no row twice', async () => {
    await fresh('Fir Floors')
    const { path } = await checked(
      `Name,E-mail\n${Array.from({ length: 40 }, (_, i) => `Person ${i},p${i}@example.com`).join('\n')}\n`,
    )
    const id = path.slice(-36)
    await asOwner(
      service,
      `create function stop_at_30() returns trigger language plpgsql as $$ begin
         if new.number = 30 then raise exception 'the machine stops'; end if; return new; end $$;
       create trigger stop_at_30 before insert on import_rows for each row execute function stop_at_30()`,
    )
    await owner.post(path, { existing: 'skip' })
    assert.match(await finished(path), /Stopped in the middle[^]*Go on/)
    assert.equal((await customers()).length, 28)
    assert.match((await owner.get(path)).text, /Undo import/)
    await asOwner(service, 'drop trigger stop_at_30 on import_rows; drop function stop_at_30()')
    await Promise.all([owner.post(path, { existing: 'skip' }), owner.post(path, { existing: 'skip' })])
    assert.match(await finished(path), /40 records imported/)
    assert.equal((await customers()).length, 40)
    assert.equal(
      (await rows(sql`select 1 from import_rows where tenant_id = ${company.id} and import_id = ${id}`)).length,
      40,
    )
    assert.equal((await owner.post(path, { existing: 'skip' })).status, 409)
  })

  it('gives back rows that are refused with the reason in the words of the file', async () => {
    await fresh('Gum Gutters')
    const { path, text } = await imported(
      'Customer name,Handy,E mails\nAnn Lee,=1+1,ann@example.com\nBob Ray,,nobody\nCal Oak,512 555 0102,cal@example.com\n',
      { column_1: 'mobile_phone' },
    )
    assert.match(text, /One record imported[^]*2 rows were left out/)
    assert.match(text, /Handy: Enter a phone number with its area code\./)
    assert.match(text, /E mails: Enter an email address, such as ana@example\.com\./)
    const rest = await owner.get(`${path}/to-fix.csv`)
    assert.match(rest.text, /Problem,Customer name,Handy,E mails/)
    assert.match(rest.text, /'=1\+1/)
    const back = await upload(rest.text)
    assert.doesNotMatch((await owner.get(back.location!)).text, />Problem</)
  })

  it('refuses what is too much or no table, and answers nobody who may not', async () => {
    await fresh('Hazel Heating')
    for (const [content, reason] of [
      ['Name\n', /has no rows below/],
      [`Name\n${'Ana\n'.repeat(5_001)}`, /more than 5,000 rows/],
      [`Name\n${'x'.repeat(20_001)}`, /more than 20,000 characters/],
      [`${'a,'.repeat(201)}\nAna`, /more than 200 columns/],
      [new Uint8Array([0xff, 0xfe, 0x41, 0x00]), /has no rows/],
      [new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]), /Excel file is damaged/],
      [new Uint8Array([0x4e, 0x00, 0xe9, 0x0a]), /can’t be read as text/],
      ['<html><table><tr><td>Name</td></tr></table>', /This is a web page/],
      ['Name,"Mail\nAna', /can’t be read as CSV/],
    ] as const) {
      const { status, text } = await upload(content)
      assert.equal(status, 422)
      assert.match(text, reason)
    }
    assert.equal((await upload('Name\nAna', { source: 'elsewhere' })).status, 422)
    const { location } = await upload('Name\nAna')
    const [mine, address] = [company, location!]
    const tech = visitor(service)
    await tech.signIn((await mine.hire('tech')).email)
    assert.equal((await tech.get(HERE())).status, 404)
    assert.equal((await tech.get(address)).status, 404)
    await fresh('Ivy Irrigation')
    assert.equal((await owner.get(address)).status, 404)
    assert.equal((await owner.get(address.replace(mine.id, company.id))).status, 404)
    assert.equal((await owner.get(at('settings', 'import', company.id))).status, 404)
    company = mine
  })

  it('takes fifty files a day, and others again afterwards', async () => {
    await fresh('Busy Imports')
    const text = await fixture('plain_customers')
    const filling = sql`insert into imports (tenant_id, id, user_id, source, kind, file_name, digest, content, total)
      select ${company.id}, gen_random_uuid(), ${company.owner.user_id}, 'plain', 'customers', 'theirs.csv', '', '', 1
      from generate_series(1, 50)`
    await rows(filling)
    const refused = await upload(text)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /You imported 50 files within a day\. Try again tomorrow\./)
    await rows(sql`update imports set created_at = created_at - interval '25 hours' where tenant_id = ${company.id}`)
    assert.equal((await upload(text)).status, 303)
  })

  it('is not there for somebody who may not bring records in any more, and nothing is written', async () => {
    await fresh('Juniper Jets')
    const clerk = await company.hire('office')
    owner = visitor(service)
    await owner.signIn(clerk.email)
    const { path } = await checked(
      `Name,E-mail\n${Array.from({ length: 40 }, (_, i) => `Person ${i},p${i}@example.com`).join('\n')}\n`,
    )
    await asOwner(
      service,
      `update members set role = 'tech', ceiling = '{}' where tenant_id = '${company.id}' and user_id = '${clerk.user_id}'`,
    )
    assert.equal((await owner.post(path, { existing: 'skip' })).status, 404)
    assert.equal((await customers()).length, 0)
  })
})
