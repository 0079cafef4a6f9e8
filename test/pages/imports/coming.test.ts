import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { readImportSample, importingInto, savedCustomers } from '../../harness/files/imports.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

describe('importing from another product', () => {
  it('imports customers with contacts and locations from each product, and detects the product', async () => {
    const importing = await importingInto(service, 'Alder Plumbing')
    const { upload, importFile, rows, owner, company } = importing
    for (const [file, label] of [
      ['jobber', 'Jobber'],
      ['housecall_pro', 'Housecall Pro'],
      ['servicetitan', 'ServiceTitan'],
      ['quickbooks', 'QuickBooks'],
      ['plain', 'Another table'],
    ]) {
      const content = await readImportSample(`${file}_customers`)
      const { location } = await upload(content)
      assert.match(
        (await owner.get(location!)).text,
        new RegExp(`Customers, with their people and addresses · ${label}`),
      )
      const { text } = await importFile(content, file === 'plain' ? { column_1: 'company_name' } : {})
      assert.match(text, /2 records imported/, text)
      assert.doesNotMatch(text, /left out/)
    }
    assert.deepEqual(await savedCustomers(importing), [
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

  it("imports each product's catalog with exact prices and categories, and reports what it can't import", async () => {
    const { importFile, rows, company } = await importingInto(service, 'Birch Heating')
    for (const [file, made] of [
      ['jobber', 2],
      ['housecall_pro', 2],
      ['servicetitan', 2],
      ['plain', 2],
    ]) {
      const { text } = await importFile(await readImportSample(`${file}_catalog`))
      assert.match(text, new RegExp(`${made} records imported`), text)
    }
    const { text } = await importFile(await readImportSample('quickbooks_catalog'))
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
