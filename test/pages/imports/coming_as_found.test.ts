import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { formIn, importingInto, withTwoCustomers } from '../../harness/files/imports.ts'
import { submit } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService

before(async () => {
  service = await startSite()
})
after(() => service.stop())

describe('imported files', () => {
  it('are read as Latin-1, UTF-8 or UTF-16, and the rows to fix are returned in UTF-8', async () => {
    const { upload, owner, waitForEnd, rows, company } = await importingInto(service, 'Alder Plumbing')
    const texts = ['José;a@x.com', 'Zoë;b@x.com', 'Łucja;c@x.com\nNuño;nobody'].map((row) => `Name;Email\n${row}\n`)
    for (const content of [
      new Uint8Array(Buffer.from(texts[0]!, 'latin1')),
      new Uint8Array(Buffer.from(texts[1]!)),
      new Uint8Array(Buffer.from(`\ufeff${texts[2]!.replaceAll(';', '\t')}`, 'utf16le')),
    ]) {
      const { location } = await upload(content)
      const saved = await owner.post(location!, formIn((await owner.get(location!)).text))
      await waitForEnd(saved.location!)
      await owner.post(saved.location!, { existing: 'skip' })
      await waitForEnd(saved.location!)
      if (content[0] === 0xff) assert.match((await owner.get(`${saved.location!}/to-fix.csv`)).text, /Nuño,nobody/)
    }
    const names = await rows<{ name: string }>(
      sql`select display_name as name from customers where tenant_id = ${company.id} order by created_at`,
    )
    assert.deepEqual(
      names.map(({ name }) => name),
      ['José', 'Zoë', 'Łucja'],
    )
  })

  it('are refused in another currency, and a payment beyond the total is reported', async () => {
    const importing = await importingInto(service, 'Birch Boilers')
    await withTwoCustomers(importing)
    const { text } = await importing.importFile(
      `Invoice number,Customer name,Invoice date,Status,Currency,Total,Balance
1,Ana Ruiz,3/1/2026,Sent,CAD,100.00,100.00
2,Ana Ruiz,3/1/2026,Sent,USD,€100.00,100.00
3,Ana Ruiz,3/1/2026,Sent,US Dollar,US$100.00,USD 100.00
`,
    )
    assert.match(text, /One record imported[^]*2 rows were left out/)
    assert.match(text, /Currency: “CAD” isn’t your company’s currency, which is USD\./)
    assert.match(text, /Total: “€100\.00” isn’t an amount in USD\. Write it like 1,189\.00\./)
    const over = await importing.uploadAndConfirm(
      'Invoice number,Customer name,Invoice date,Status,Total,Balance\n4,Ana Ruiz,3/1/2026,Paid,100.00,-20.00\n',
    )
    assert.match(over.text, /Paid “\$20\.00” is left out/)
  })

  it("report problems and replaced values in the user's language", async () => {
    const one = await importingInto(service, 'Cedro Calefacción')
    await withTwoCustomers(one)
    await submit(one.owner, one.at('settings'), { language: 'es' }, one.at('settings', 'you'))
    const { path, text } = await one.uploadAndConfirm(
      `Invoice number,Customer name,Invoice date,Status,Total,Balance
1,Nobody Known,3/1/2026,Sent,100.00,100.00
2,Ana Ruiz,3/1/2026,Sent,€100.00,100.00
3,Ana Ruiz,3/1/2026,Paid,100.00,100.00
`,
    )
    const faults = [
      /Customer name: «Nobody Known» no está entre sus clientes\. Importe primero a sus clientes\./,
      /Total: «€100\.00» no es un importe en USD\. Escríbalo así: 1,189\.00\./,
    ]
    for (const one of [...faults, /«Paid» pasa a ser Enviada/]) assert.match(text, one)
    await one.owner.post(path, { existing: 'skip' })
    const done = await one.waitForEnd(path)
    const file = (await one.owner.get(`${path}/to-fix.csv`)).text
    for (const one of faults) for (const where of [done, file]) assert.match(where, one)
  })

  it('from Jobber become one customer with all locations, even if each location has its own ID', async () => {
    const { importFile, rows, company } = await importingInto(service, 'Cedar Cooling')
    const { text } =
      await importFile(`J-ID,Display Name,First Name,Last Name,Main Phone #s,Emails,Service Street 1,Service City,Archived
871_11,Ana Ruiz,Ana,Ruiz,"(512) 555-0101, (512) 555-0102",ana@x.com,1 Elm St,Austin,false
871_12,Ana Ruiz,Ana,Ruiz,"(512) 555-0101, (512) 555-0102",ana@x.com,2 Oak Ave,Austin,false
872_13,Cy Park,Cy,Park,,,3 Fir Ct,Austin,true
`)
    assert.match(text, /2 records imported/)
    assert.deepEqual(
      await rows(sql`select c.display_name as name, c.status,
          (select count(*)::int from locations l where l.tenant_id = c.tenant_id and l.customer_id = c.id) as places,
          (select count(*)::int from contacts k where k.tenant_id = c.tenant_id and k.customer_id = c.id) as people
        from customers c where c.tenant_id = ${company.id} order by 1`),
      [
        { name: 'Ana Ruiz', status: 'active', places: 2, people: 2 },
        { name: 'Cy Park', status: 'inactive', places: 1, people: 0 },
      ],
    )
  })

  it('from the QuickBooks contact list include contacts and addresses, without total and footer lines', async () => {
    const { importFile, rows, company } = await importingInto(service, 'Dogwood Drains')
    const { text } = await importFile(`"Example Co, LLC",,,,,
Customer Contact List,,,,,

Customer full name,Phone numbers,Email,Full name,Bill address,Ship address
Hill Dental Inc.,Phone:(512) 555-0110  Mobile:(512) 555-0111,bo@x.com,Bo Hill,"3 Oak Ave
Austin TX 78704",
Ana Ruiz,,ana@x.com,Ana Ruiz,,
TOTAL,,,,,

" Thursday, March 05, 2026 01:46 PM GMT-05:00",,,,,
`)
    assert.match(text, /2 records imported/)
    assert.deepEqual(
      await rows(sql`select c.display_name as name, c.customer_type as type,
          array(select concat_ws('|', k.first_name, k.last_name, k.role_label, k.email, k.phone) from contacts k
            where k.tenant_id = c.tenant_id and k.customer_id = c.id order by k.created_at, k.id) as people,
          array(select concat_ws('|', l.address_line1, l.city, l.region, l.postal_code) from locations l
            where l.tenant_id = c.tenant_id and l.customer_id = c.id) as places
        from customers c where c.tenant_id = ${company.id} order by 1`),
      [
        { name: 'Ana Ruiz', type: 'individual', people: ['Ana|Ruiz|ana@x.com'], places: [] },
        {
          name: 'Hill Dental Inc.',
          type: 'company',
          people: ['Bo|Hill|bo@x.com|+15125550110', 'Bo|Hill|Mobile|+15125550111'],
          places: ['3 Oak Ave|Austin|TX|78704'],
        },
      ],
    )
  })
})
