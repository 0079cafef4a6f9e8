import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { formIn, importingInto, type Importing } from '../../harness/files/imports.ts'
import { asOwner } from '../../harness/messaging/inbound.ts'
import { startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let one: Importing

before(async () => {
  service = await startSite()
})
after(() => service.stop())

const fresh = async (name: string): Promise<void> => void (one = await importingInto(service, name))

async function signIn(email: string): Promise<Browser> {
  const browser = newBrowser(service)
  await browser.signIn(email)
  return browser
}

const names = async (): Promise<string[]> =>
  (
    await one.rows<{ name: string }>(
      sql`select display_name as name from customers where tenant_id = ${one.company.id} order by display_name`,
    )
  ).map(({ name }) => name)

describe('the customer import', () => {
  it('opens from the customer list with customers preselected, and the old URLs redirect to it', async () => {
    await fresh('Aspen Air')
    const list = await one.owner.get(one.at('customers'))
    assert.ok(list.text.includes(`href="${one.here}?kind=customers"`))
    const chosen = await one.owner.get(`${one.here}?kind=customers`)
    assert.match(chosen.text, /<option value="customers" selected>/)
    assert.doesNotMatch((await one.owner.get(`${one.here}?kind=members`)).text, /<option[^>]* selected/)
    const id = one.company.id
    for (const [former, now] of [
      [one.at('customers', 'import'), `${one.here}?kind=customers`],
      [one.at('customers', 'import', id), `${one.here}/${id}`],
      [one.at('customers', 'import', id, 'to-fix.csv'), `${one.here}/${id}/to-fix.csv`],
    ] as const) {
      const { status, location } = await one.owner.get(former)
      assert.deepEqual([status, location], [303, now])
    }
    const posted = await one.owner.post(one.at('customers', 'import'), {})
    assert.deepEqual([posted.status, posted.location], [303, `${one.here}?kind=customers`])
    assert.equal((await one.owner.post(one.at('customers', 'import', id), { existing: 'skip' })).status, 303)
    const stranger = await signIn((await importingInto(service, 'Other Air')).company.owner.email)
    assert.equal((await stranger.get(one.at('customers', 'import'))).status, 404)
    assert.equal((await newBrowser(service).get(one.at('customers', 'import'))).location?.startsWith('/sign-in'), true)
  })

  it('shows a preview, imports once and audits each customer', async () => {
    await fresh('Alder Plumbing')
    const rows = Array.from(
      { length: 120 },
      (_, i) => `Person${String(i).padStart(3, '0')},Import,p${i}@example.com,1 Main St`,
    )
    const { path, text } = await one.uploadAndConfirm(`First name,Last name,Email,Address,Shoe\n${rows.join('\n')}`)
    assert.ok(text.includes('Import 120 records') && text.includes('Person019') && !text.includes('Person020'))
    assert.deepEqual(await names(), [])
    await Promise.all([one.owner.post(path, {}), one.owner.post(path, {})])
    assert.match(await one.waitForEnd(path), /120 records imported/)
    assert.equal((await names()).length, 120)
    const audit = await one.rows(
      sql`select 1 from audit where tenant_id = ${one.company.id} and tool = 'customers.create' and record_type = 'customer'`,
    )
    assert.equal(audit.length, 120)
    assert.equal((await one.owner.post(path, {})).status, 409)
    assert.equal((await names()).length, 120)
  })

  it('writes no customers, contacts or audit entries during the check', async () => {
    await fresh('Beech Builders')
    const counts = () =>
      one.rows(sql`select (select count(*) from customers where tenant_id = ${one.company.id})::int as customers,
        (select count(*) from contacts where tenant_id = ${one.company.id})::int as contacts,
        (select count(*) from audit where tenant_id = ${one.company.id})::int as audit`)
    const before = await counts()
    await one.uploadAndConfirm(
      'Name,Email,Address,Tags\nOnly Looked,only@example.com,1 Main St,Later\nAnd Another,and@example.com,2 Main St,',
    )
    assert.deepEqual(await counts(), before)
  })

  it("imports valid rows, and returns the others with reasons that use the file's column names", async () => {
    await fresh('Birch Boilers')
    const file =
      'Customer,Mail,Shoe,Email,Mobile\nAna Right,x,7,ana@example.com,\nBo Wrong,x,8,nobody,\nCy Called,,,,12\n"Di, the ""B""",,=1+1,,(512) 555-0147'
    const { path, text } = await one.uploadAndConfirm(file)
    assert.match(text, /2 rows need fixing/)
    assert.match(text, /Email: Enter an email address, such as ana@example\.com\./)
    assert.match(text, /Mobile: Enter a phone number with its area code\./)
    assert.match(text, /Import 2 records/)
    const rest = await one.owner.get(`${path}/to-fix.csv`)
    assert.match(rest.headers.get('content-disposition') ?? '', /filename="theirs to fix\.csv"/)
    const rows = parse(rest.text, { columns: true, bom: true }) as Record<string, string>[]
    assert.deepEqual(
      rows.map(({ Customer, Shoe }) => [Customer, Shoe]),
      [
        ['Bo Wrong', '8'],
        ['Cy Called', ''],
      ],
    )
    assert.match(rows[0]!['Problem']!, /^Email: /)
    await one.owner.post(path, { existing: 'skip' })
    assert.match(await one.waitForEnd(path), /2 records imported[^]*2 rows were left out/)
    assert.equal((await names()).length, 2)
    const fixed = await one.importFile(rest.text.replaceAll('nobody', 'bo@example.com').replace(',12', ',512 555 0148'))
    assert.match(fixed.text, /2 records imported/)
    assert.doesNotMatch(fixed.text, /left out/)
  })

  it('detects duplicates in the file, and updates a customer with the same external ID', async () => {
    await fresh('Cedar Chimneys')
    const file =
      'Name,Email,External id,Terms\nTwin One,twin@example.com,T-1,\nTwin Two,,T-2,\nTwin Again,TWIN@example.com,,\nTwin Two,,,\nOther,,T-2,'
    const first = await one.uploadAndConfirm(file)
    assert.match(first.text, /Same as row 2[^]*Same as row 3/)
    await one.owner.post(first.path, { existing: 'skip' })
    assert.match(await one.waitForEnd(first.path), /2 records imported[^]*2 were here already/)
    const again = await one.importFile('Name,External id,Terms\nTwin Renamed,T-2,45\n', {}, 'update')
    assert.match(again.text, /0 records imported[^]*One was updated/)
    const twins = await one.rows(
      sql`select display_name, payment_terms_days from customers where tenant_id = ${one.company.id} order by display_name`,
    )
    assert.deepEqual(twins, [
      { display_name: 'Twin One', payment_terms_days: null },
      { display_name: 'Twin Renamed', payment_terms_days: 45 },
    ])
    const audit = await one.rows(sql`select 1 from audit
      where tenant_id = ${one.company.id} and tool = 'customers.update' and changed ? 'payment_terms_days'`)
    assert.equal(audit.length, 1)
  })

  it('keeps the IDs of a generic table, matches customers by them, and reports two names with one ID', async () => {
    await fresh('Dogwood Doors')
    const { path, text } = await one.uploadAndConfirm('Name,Customer id\nOne Two,A-1\nThree Four,A-2\nFive Six,A-1')
    assert.match(text, /“Five Six” becomes One Two/)
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /2 records imported/)
    const ids = () =>
      one.rows(
        sql`select display_name as name, external_id as id from customers where tenant_id = ${one.company.id} order by 1`,
      )
    assert.deepEqual(await ids(), [
      { name: 'One Two', id: 'A-1' },
      { name: 'Three Four', id: 'A-2' },
    ])
    await one.rows(sql`delete from import_links where tenant_id = ${one.company.id}`)
    assert.match((await one.uploadAndConfirm('Name,Customer id\nOther Name,A-2')).text, /Already here[^]*Three Four/)
  })

  it('creates new tags once, limits their number, and skips a row with an invalid tag', async () => {
    await fresh('Elm Electric')
    const { path, text } = await one.uploadAndConfirm('Name,Tags\nTag One,Brand New; VIP import\nTag Two,brand new')
    assert.match(text, /New tags[^]*VIP import/)
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /2 records imported/)
    const tagged = await one.rows<{ count: number }>(
      sql`select t.name, count(*)::int as count from tags t join customer_tags c on c.tenant_id = t.tenant_id and c.tag_id = t.id
        where t.tenant_id = ${one.company.id} and lower(t.name) in ('brand new', 'vip import') group by 1 order by 1`,
    )
    assert.deepEqual(
      tagged.map(({ count }) => count),
      [2, 1],
    )
    const long = await one.uploadAndConfirm(`Name,Tags\nTag Three,${'x'.repeat(60)}\nTag Four,Fine`)
    assert.match(long.text, /One row needs fixing[^]*Import one record[^]*Tags: Enter at most 50 characters\./)
    await one.owner.post(long.path, {})
    assert.match(await one.waitForEnd(long.path), /One record imported[^]*One row was left out/)
    assert.deepEqual(await names(), ['Tag Four', 'Tag One', 'Tag Two'])
    const many = await one.uploadAndConfirm(
      `Name,Tags\nTag Five,${Array.from({ length: 50 }, (_, i) => `t${i}`).join(';')}\nTag Six,t50`,
    )
    assert.match(many.text, /an import adds up to 50/)
  })

  it("skips an item whose category can't be created", async () => {
    await fresh('Fir Furnaces')
    const { text } = await one.importFile(`Item,Price,Category\nDrain,10.00,${'x'.repeat(300)}\nSink,20.00,Kitchen`)
    assert.match(text, /One record imported[^]*Category: Enter at most \d+ characters\./)
  })

  it('skips a row that is refused only during the import', async () => {
    await fresh('Ginkgo Glass')
    const { path } = await one.uploadAndConfirm('Name,External id\nThree Four,A-2\nFive Six,A-3')
    await one.importFile('Name,External id\nSeven Eight,A-2')
    await one.owner.post(path, { existing: 'create' })
    assert.match(await one.waitForEnd(path), /One record imported[^]*One row was left out[^]*External id: /)
  })

  it('checks the file once when the columns are confirmed, not on every view', async () => {
    await fresh('Hazel Heating')
    const { path } = await one.uploadAndConfirm('Name,Shoe size\nKept Reading,7')
    const id = path.slice(-36)
    await asOwner(service, `update imports set content = 'Name,Shoe size\nAnother,8' where id = '${id}'`)
    assert.match((await one.owner.get(path)).text, /Kept Reading/)
    await asOwner(service, `update imports set findings = null, state = 'checking', beat_at = null where id = '${id}'`)
    assert.match((await one.owner.get(path)).text, /Check the file/)
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /Another/)
  })

  it('refuses an empty file, a file without names and an oversized file', async () => {
    await fresh('Ivy Irrigation')
    const empty = await one.upload('')
    assert.equal(empty.status, 422)
    assert.match(empty.text, /Choose a file first/)
    const { location } = await one.upload('Phone\n1', { kind: 'customers' })
    const refused = await one.owner.post(location!, formIn((await one.owner.get(location!)).text))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Choose which column has the name\./)
    assert.equal((await one.upload(`Name\n${'A'.repeat(6 * 1024 * 1024)}`)).status, 413)
  })

  it('requires edit access to customers, and gives a technician access to customer imports only', async () => {
    await fresh('Juniper Jets')
    const { path } = await one.uploadAndConfirm('Name\nAna Own')
    const items = await one.uploadAndConfirm('Item,Price\nDrain,10.00')
    const hired = await one.company.hire('tech')
    const tech = await signIn(hired.email)
    for (const address of [one.here, path]) assert.equal((await tech.get(address)).status, 404)
    assert.equal((await one.upload('Name\nAna', {}, tech)).status, 404)
    assert.equal((await tech.post(path, { existing: 'skip' })).status, 404)
    await asOwner(
      service,
      `update members set ceiling = ceiling || '{"Customers & contacts": "edit", "Catalog & pricing": "edit", "Jobs": "edit"}'
        where tenant_id = '${one.company.id}' and user_id = '${hired.user_id}'`,
    )
    const page = (await tech.get(one.here)).text
    assert.ok(page.includes(path) && !page.includes(items.path))
    assert.match(page, /<option value="customers"/)
    assert.doesNotMatch(page, /<option value="(?:catalog_items|jobs|quotes|invoices)"/)
    for (const address of [items.path, `${items.path}/columns`, `${items.path}/to-fix.csv`])
      assert.equal((await tech.get(address)).status, 404)
    assert.equal((await tech.post(`${path}/back`, {})).status, 404)
    const foreign = await one.upload('Item,Price\nDrain,10.00', { kind: 'catalog_items' }, tech)
    assert.equal(foreign.status, 422)
    assert.equal((await one.upload('Name\nBo Own', { kind: 'customers' }, tech)).status, 303)
  })

  it('saves a row and its report in one transaction, so that a retry imports no row twice', async () => {
    await fresh('Kiri Kitchens')
    const { path } = await one.uploadAndConfirm('Name\nAda Undone')
    await asOwner(service, `alter table import_rows add constraint not_done check (number < 0) not valid`)
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /Stopped in the middle/)
    await asOwner(service, 'alter table import_rows drop constraint not_done')
    assert.deepEqual(await names(), [])
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /One record imported/)
    assert.deepEqual(await names(), ['Ada Undone'])
  })

  it('discards the rest of a run that another run has replaced', async () => {
    await fresh('Larch Lighting')
    const { path } = await one.uploadAndConfirm('Name\nBea Lost\nCy Lost')
    const id = path.slice(-36)
    await asOwner(
      service,
      `create function start_again() returns trigger language plpgsql as $$ begin
         update imports set run = run + 1, beat_at = moment() where tenant_id = new.tenant_id and id = '${id}'; return new; end $$;
       create trigger start_again after insert on customers for each row execute function start_again()`,
    )
    await one.owner.post(path, {})
    await asOwner(service, 'drop trigger start_again on customers; drop function start_again')
    assert.deepEqual(await names(), ['Bea Lost'])
    assert.equal((await one.rows(sql`select 1 from import_rows where tenant_id = ${one.company.id}`)).length, 1)
    assert.match((await one.owner.get(path)).text, /<progress/)
    await asOwner(service, `update imports set beat_at = moment() - interval '2 minutes' where id = '${id}'`)
    assert.match((await one.owner.get(path)).text, /No row is imported twice/)
    await one.owner.post(path, {})
    assert.match(await one.waitForEnd(path), /2 records imported/)
    assert.deepEqual(await names(), ['Bea Lost', 'Cy Lost'])
  })

  it("keeps the service running when it can't even record its failure", async () => {
    await fresh('Maple Motors')
    const { path } = await one.uploadAndConfirm('Name\nCal One')
    await asOwner(
      service,
      `alter table imports add constraint not_failed check (state not in ('done', 'failed')) not valid;
       alter table import_rows add constraint not_done check (number < 0) not valid`,
    )
    await one.owner.post(path, {})
    for (let i = 0; i < 5; i++) assert.equal((await one.owner.get(one.at('customers'))).status, 200)
    await asOwner(
      service,
      'alter table imports drop constraint not_failed; alter table import_rows drop constraint not_done',
    )
    assert.deepEqual(await names(), [])
  })

  it('shows the report and rows to fix of an import by an earlier version, without undo', async () => {
    await fresh('Nutmeg Nails')
    const { path } = await one.uploadAndConfirm('Name,Email\nAna Ruiz,ana@example.com\nBo Wrong,nobody')
    const id = path.slice(-36)
    const outcome = { made: 1, updated: 2, skipped: 0, known: 0, left: [{ number: 3, reason: 'Email: must be one' }] }
    await asOwner(
      service,
      `update imports set state = 'done', mapping = null, findings = null, outcome = '${JSON.stringify(outcome)}' where id = '${id}'`,
    )
    const { text } = await one.owner.get(path)
    assert.match(text, /One record imported[^]*2 were updated[^]*One row was left out[^]*Email: must be one/)
    assert.doesNotMatch(text, /Undo import/)
    assert.match((await one.owner.get(`${path}/to-fix.csv`)).text, /Problem,Name,Email\r?\nEmail: must be one,Bo Wrong/)
    await asOwner(service, `update imports set state = 'mapping', outcome = null where id = '${id}'`)
    assert.match((await one.owner.get(one.here)).text, new RegExp(`${id}[^]*Columns to review`))
    assert.equal((await one.owner.get(path)).location, `${path}/columns`)
  })

  it('escapes HTML from the file', async () => {
    await fresh('Oak Ovens')
    const { location } = await one.upload(
      'Name,"<script>alert(1)</script>",Tags\n<img src=x onerror=alert(1)>,x,<b>t</b>',
    )
    const columns = await one.owner.get(location!)
    await one.owner.post(location!, formIn(columns.text))
    const checked = await one.owner.get(location!.replace(/\/columns$/, ''))
    for (const { text } of [columns, checked])
      assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x') && !text.includes('<b>t'))
    assert.match(checked.text, /&lt;img src=x/)
  })
})
