import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findCaller } from '../../../src/identity/credentials/caller.ts'
import { hashOf } from '../../../src/identity/credentials/secret_hash.ts'
import { verifyPassword } from '../../../src/identity/sign_in/passwords/passwords.ts'
import { listMembers } from '../../../src/identity/people/people.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { makeDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { readTenant, sql, type Database } from '../../../src/platform/db/tenant.ts'
import { companyOf } from '../../../src/identity/companies/company.ts'
import { findLogo } from '../../../src/files/logo.ts'
import { callerOf, startTestService, type Result, type TestService } from '../../harness/harness.ts'
import { byText, readerOf, sum, tally, type DemoReader } from './demo_records.ts'

let service: TestService
let demo: Demo
let second: Demo
let records: DemoReader
before(async () => {
  service = await startTestService()
  demo = await makeDemo(service.database, service.config)
  second = await makeDemo(noting(service.database), service.config)
  records = readerOf(service, demo)
})
after(() => service.stop())

/** The `patient` option of each use of the database. */
const waits: (boolean | undefined)[] = []
const noting = (database: Database): Database => ({
  ...database,
  send: (statements, own) => {
    waits.push(own?.patient)
    return database.send(statements, own)
  },
  hold: (use, own) => {
    waits.push(own?.patient)
    return database.hold(use, own)
  },
})

describe('a new demo company', () => {
  it('is made with patient database calls only', () => {
    assert.ok(waits.length > 300 && waits.every((waits) => waits === true))
  })

  it('has an owner who can sign in, an office member and four technicians', async () => {
    assert.deepEqual(
      [demo.tenant.timezone, demo.tenant.currency, demo.tenant.country],
      ['America/Chicago', 'USD', 'US'],
    )
    const [stored] = await service.database.send([
      sql`select password_hash from users where id = ${demo.owner.id} and email = ${demo.owner.email}`,
    ])
    assert.equal(await verifyPassword(demo.owner.password, String(stored!.rows[0]!['password_hash'])), true)
    const members = await listMembers(service.database, { tenant: demo.tenant.id })
    assert.deepEqual(
      members.map(({ role }) => role),
      ['owner', 'office', 'tech', 'tech', 'tech', 'tech'],
    )
  })

  it("has an owner's API key with all scopes", async () => {
    const caller = await findCaller(service.database, hashOf(demo.key))
    assert.ok(typeof caller === 'object')
    assert.deepEqual([caller.user, caller.role, caller.scopes.size], [demo.owner.id, 'owner', SCOPES.length])
  })

  it('has about thirty customers of every kind with fictional phone numbers and an address', async () => {
    const rows = await records.listAll('customers_search')
    assert.ok(rows.length >= 28 && rows.length <= 36, `${rows.length} customers`)
    assert.deepEqual([...new Set(rows.map(({ customer_type }) => customer_type))].sort(byText), [
      'company',
      'individual',
    ])
    assert.deepEqual([...new Set(rows.map(({ status }) => status))].sort(byText), ['active', 'inactive', 'lead'])
    for (const { display_name, primary_phone, primary_address } of rows) {
      assert.match(primary_phone, /^\+151255501\d\d$/, display_name)
      assert.match(primary_address, /, TX 78\d{3}, US$/, display_name)
    }
    assert.equal(new Set(rows.map(({ primary_phone }) => primary_phone)).size, rows.length)
    const { tags } = await records.call('customers_get', {
      id: rows.find(({ display_name }) => display_name === 'Ngozi Okafor')!.id,
    })
    assert.deepEqual(
      tags.map(({ name }: Result) => name),
      ['Maintenance plan', 'VIP'],
    )
  })

  it('has notes by office and technicians', async () => {
    const rows = await records.listAll('notes_list')
    assert.ok(rows.length >= 20 && rows.length <= 30, `${rows.length} notes`)
    assert.equal(new Set(rows.map(({ author_name }) => author_name)).size, 6)
    assert.ok(rows.every(({ excerpt }) => !/undefined|\$\{/.test(excerpt)))
  })

  it('has two tax rates, one of them the default', async () => {
    assert.deepEqual(
      (await records.list('tax_rates_list')).map(({ name, rate_percentage, is_default }) => [
        name,
        rate_percentage,
        is_default,
      ]),
      [
        ['Sales tax', 8.25, true],
        ['State tax only', 6.25, false],
      ],
    )
  })

  it('has catalog items of every kind with costs, and a bundle cheaper than its parts', async () => {
    const items = await records.list('catalog_items_list')
    assert.ok(items.length >= 22 && items.length <= 28, `${items.length} items`)
    assert.deepEqual(Object.keys(tally(items, 'kind')).sort(byText), [
      'bundle',
      'discount',
      'fee',
      'labor',
      'product',
      'service',
    ])
    assert.ok(items.every(({ category_id }) => category_id !== undefined))
    assert.ok(
      items
        .filter(({ kind }) => kind === 'product' || kind === 'service')
        .every(({ cost_cents, unit_price_cents }) => cost_cents > 0 && cost_cents < unit_price_cents),
    )
    const categories = await records.list('catalog_categories_list')
    assert.deepEqual(tally(categories, 'depth'), { 1: 4, 2: 4 })
    const [bundle] = await records.read(
      'catalog_items_get',
      items.filter(({ kind }) => kind === 'bundle'),
    )
    const apart = sum(
      bundle!['components'].map(({ quantity, unit_price_cents }: Result) => quantity * unit_price_cents),
    )
    assert.ok(
      bundle!['cost_cents'] < bundle!['unit_price_cents'] && bundle!['unit_price_cents'] < apart,
      `${apart} apart`,
    )
  })

  it('has a letterhead, a logo and the demo flag', async () => {
    const [company, logo, marked] = await readTenant(service.database, { tenant: demo.tenant.id }, (db) =>
      Promise.all([
        companyOf(db),
        findLogo(db),
        db.one<{ is_demo: boolean }>(sql`select is_demo from tenants where id = ${demo.tenant.id}`),
      ]),
    )
    assert.deepEqual([company.license_number, company.website], ['M-41207', 'bartonridge.example'])
    assert.deepEqual([logo?.content_type, logo?.width, logo?.height], ['image/png', 620, 190])
    assert.equal(marked.is_demo, true)
  })

  it('has the same records each time, with different emails', async () => {
    // Sorted, because records of the same millisecond have no fixed order.
    const textLinesOf = (rows: Result[]) =>
      rows
        .map(({ display_name, excerpt, primary_phone, author_name }) =>
          [display_name, excerpt, primary_phone, author_name].join(),
        )
        .sort(byText)
    for (const tool of ['customers_search', 'notes_list'])
      assert.deepEqual(
        textLinesOf(await readerOf(service, second).listAll(tool)),
        textLinesOf(await records.listAll(tool)),
      )
    for (const tool of ['jobs_list', 'quotes_list', 'invoices_list', 'catalog_items_list']) {
      const [mine, other] = await Promise.all(
        [demo, second].map(async ({ key }) => (await callerOf(service.url, key).call(tool, { limit: 100 }))['rows']),
      )
      const recordLinesOf = (rows: Result[]) =>
        rows.map((row) =>
          [
            row['display_number'],
            row['title'],
            row['name'],
            row['customer_name'],
            row['status'],
            row['total_cents'],
            row['unit_price_cents'],
          ].join(),
        )
      assert.deepEqual(recordLinesOf(other).sort(byText), recordLinesOf(mine).sort(byText))
    }
    assert.deepEqual([demo.owner.email, second.owner.email], ['dana@bartonridge.example', 'dana+2@bartonridge.example'])
    assert.notEqual(second.owner.id, demo.owner.id)
  })
})
