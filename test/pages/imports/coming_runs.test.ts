import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { readImportSample, formIn, importingInto, savedCustomers } from '../../harness/files/imports.ts'
import { submit } from '../../harness/identity/people_pages.ts'
import { asOwner } from '../../harness/messaging/inbound.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

describe('an import', () => {
  it('remembers the column mapping, and reports that a repeated file changes nothing', async () => {
    const { upload, waitForEnd, uploadAndConfirm, importFile, rows, owner, company } = await importingInto(
      service,
      'Cedar Cleaning',
    )
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
    assert.match((await importFile(content, change)).text, /One record imported/)
    const again = await upload(content)
    const page = await owner.get(again.location!)
    assert.match(page.text, /The columns are set the way you chose them last time/)
    assert.deepEqual(formIn(page.text), { fixed_lead_source: '', fixed_status: '', ...change })
    const { path, text } = await uploadAndConfirm(content)
    assert.match(text, /One came with an earlier file/)
    await owner.post(path, { existing: 'skip' })
    assert.match(await waitForEnd(path), /0 records imported[^]*One was here already/)
    const [{ fields, tags } = { fields: null, tags: null }] = await rows(sql`
      select c.fields, (select array_agg(t.name)
        from customer_tags k join tags t on t.tenant_id = k.tenant_id and t.id = k.tag_id
        where k.tenant_id = c.tenant_id and k.customer_id = c.id) as tags
      from customers c where c.tenant_id = ${company.id}`)
    assert.deepEqual([fields, tags], [{ Extra: 'Blue' }, ['Moved']])
  })

  it('matches existing customers by email, phone or name, and skips, updates or creates them as chosen', async () => {
    const { waitForEnd, uploadAndConfirm, importFile, rows, owner, company } = await importingInto(
      service,
      'Dogwood Drains',
    )
    await importFile('Name,Email,Phone\nAnn Lee,ann@example.com,\nBob Ray,,512 555 0101\nCal Oak,,\n')
    const theirs =
      'Id,Name,Email,Phone,Source\n1,Ann M. Lee,ANN@example.com,,Web\n2,Robert Ray,,(512) 555-0101,Web\n3,cal  oak,,,Web\n4,Dan Elm,,,Web\n'
    const { path, text } = await uploadAndConfirm(theirs)
    assert.match(text, /Already here[^]*Ann Lee[^]*Bob Ray[^]*Cal Oak/)
    assert.match(text, /Import 4 records/)
    await owner.post(path, { existing: 'update' })
    assert.match(await waitForEnd(path), /One record imported[^]*3 were updated/)
    assert.deepEqual(
      (
        await rows(
          sql`select display_name as name, lead_source as source from customers where tenant_id = ${company.id} order by display_name`,
        )
      ).map(({ name, source }) => `${String(name)} ${String(source)}`),
      ['Ann M. Lee Web', 'Dan Elm Web', 'Robert Ray Web', 'cal oak Web'],
    )
    const made = await importFile('Name,Email\nAnn Other,ann@example.com\n', {}, 'create')
    assert.match(made.text, /One record imported/)
    assert.equal((await owner.post(path, { existing: 'delete' })).status, 422)
  })

  it('is undone as a whole, except for records changed since, which are listed', async () => {
    const importing = await importingInto(service, 'Elm Electric')
    const { at, waitForEnd, importFile, rows, owner, company } = importing
    await importFile('Name,Email,Source\nOld One,old@example.com,Phone book\n')
    const before = await savedCustomers(importing)
    const { path, text } = await importFile(
      'Name,Email,Source,Tags,Address,Notes\nOld One,old@example.com,Web,,,\nNew One,new@example.com,Web,Fresh,1 Elm St,Likes tea\nKept One,kept@example.com,Web,Fresh,2 Elm St,\n',
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
    const over = await waitForEnd(path)
    assert.match(over, /2 records were undone/)
    assert.match(over, /What isn&#39;t undone[^]*changed it since/)
    assert.deepEqual(
      (await savedCustomers(importing)).map(({ name }) => name),
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

  it('resumes where it stopped, and imports no row twice', async () => {
    const importing = await importingInto(service, 'Fir Floors')
    const { waitForEnd, uploadAndConfirm, rows, owner, company } = importing
    const { path } = await uploadAndConfirm(
      `Name,Email\n${Array.from({ length: 40 }, (_, i) => `Person ${i},p${i}@example.com`).join('\n')}\n`,
    )
    const id = path.slice(-36)
    await asOwner(
      service,
      `create function stop_at_30() returns trigger language plpgsql as $$ begin
         if new.number = 30 then raise exception 'the machine stops'; end if; return new; end $$;
       create trigger stop_at_30 before insert on import_rows for each row execute function stop_at_30()`,
    )
    await owner.post(path, { existing: 'skip' })
    assert.match(await waitForEnd(path), /Stopped in the middle[^]*Continue import/)
    assert.equal((await savedCustomers(importing)).length, 28)
    assert.match((await owner.get(path)).text, /Undo import/)
    await asOwner(service, 'drop trigger stop_at_30 on import_rows; drop function stop_at_30()')
    await Promise.all([owner.post(path, { existing: 'skip' }), owner.post(path, { existing: 'skip' })])
    assert.match(await waitForEnd(path), /40 records imported/)
    assert.equal((await savedCustomers(importing)).length, 40)
    assert.equal(
      (await rows(sql`select 1 from import_rows where tenant_id = ${company.id} and import_id = ${id}`)).length,
      40,
    )
    assert.equal((await owner.post(path, { existing: 'skip' })).status, 409)
  })

  it("returns refused rows with reasons that use the file's column names", async () => {
    const { upload, importFile, owner } = await importingInto(service, 'Gum Gutters')
    const { path, text } = await importFile(
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

  it('refuses oversized or unreadable files with a reason, and returns 404 without access', async () => {
    const { here, upload, company } = await importingInto(service, 'Hazel Heating')
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
    const address = (await upload('Name\nAna')).location!
    const tech = newBrowser(service)
    await tech.signIn((await company.hire('tech')).email)
    assert.equal((await tech.get(here)).status, 404)
    assert.equal((await tech.get(address)).status, 404)
    const other = await importingInto(service, 'Ivy Irrigation')
    assert.equal((await other.owner.get(address)).status, 404)
    assert.equal((await other.owner.get(address.replace(company.id, other.company.id))).status, 404)
    assert.equal((await other.owner.get(other.at('settings', 'import', other.company.id))).status, 404)
  })

  it('is limited to 50 files per company in a day', async () => {
    const { upload, rows, company } = await importingInto(service, 'Busy Imports')
    const text = await readImportSample('plain_customers')
    const fill = sql`insert into imports (tenant_id, id, user_id, source, kind, file_name, digest, content, total)
      select ${company.id}, gen_random_uuid(), ${company.owner.user_id}, 'plain', 'customers', 'theirs.csv', '', '', 1
      from generate_series(1, 50)`
    await rows(fill)
    const refused = await upload(text)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /You imported 50 files within a day\. Try again tomorrow\./)
    await rows(sql`update imports set created_at = created_at - interval '25 hours' where tenant_id = ${company.id}`)
    assert.equal((await upload(text)).status, 303)
  })

  it('returns 404 and writes nothing once the user loses the right to import', async () => {
    const importing = await importingInto(service, 'Juniper Jets')
    const { upload, waitForEnd, company } = importing
    const clerk = await company.hire('office')
    const browser = newBrowser(service)
    await browser.signIn(clerk.email)
    const people = Array.from({ length: 40 }, (_, i) => `Person ${i},p${i}@example.com`)
    const columns = (await upload(`Name,Email\n${people.join('\n')}\n`, {}, browser)).location!
    const path = (await browser.post(columns, formIn((await browser.get(columns)).text))).location!
    assert.match(await waitForEnd(path), /Import 40 records/)
    await asOwner(
      service,
      `update members set role = 'tech', ceiling = '{}'
       where tenant_id = '${company.id}' and user_id = '${clerk.user_id}'`,
    )
    assert.equal((await browser.post(path, { existing: 'skip' })).status, 404)
    assert.equal((await savedCustomers(importing)).length, 0)
  })
})
