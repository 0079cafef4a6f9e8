import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { RETENTION_RULES, UNAFFECTED_TABLES } from '../../src/privacy/erase/retention_rules.ts'
import { findObjection } from '../../src/messaging/outbox/consent.ts'
import { openOffice, pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { ADA, ADAS, BEN, openMarkedCustomers, type MarkedCustomers } from './marked_customers.ts'
import { filesWith, rowsWith, tablesWith, textColumns } from './searching.ts'
import { NUMBER } from './office_scene.ts'

let marked: MarkedCustomers
let { directory, service, scene, ada, ben } = {} as MarkedCustomers
before(async () => {
  marked = await openMarkedCustomers({
    SMS_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    SMS_AUTH_TOKEN: 'token',
    SMS_FROM: '+16175550100',
  })
  ;({ directory, service, scene, ada, ben } = marked)
})
after(() => marked.stop())

const pageOf = (id: string): string => scene.office.at('customers', id, 'data')
const erase = (id: string, name: string, more: Record<string, string> = {}) =>
  submit(scene.office.browser, pageOf(id), { name, ...more }, `${pageOf(id)}/erase`)
const one = async <T>(query: ReturnType<typeof sql>): Promise<T> =>
  (await readTenant(service.database, { tenant: scene.office.id }, (db) => db.all<T>(query)))[0]!

describe('the schema', () => {
  it('has no table and no text column without an erasure rule', async () => {
    const known = new Map<string, Set<string>>()
    const whole = new Set<string>(Object.keys(UNAFFECTED_TABLES))
    for (const holding of RETENTION_RULES) {
      if ('isDeleted' in holding) whole.add(holding.table)
      else {
        const columns = known.get(holding.table) ?? new Set()
        const becomes = holding.replacements({ subject: EMPTY, by: null, tenant: scene.office.id, keepsNames: false })
        for (const column of [...Object.keys(becomes), ...holding.retainedColumns]) columns.add(column)
        known.set(holding.table, columns)
      }
    }
    const forgotten = [...(await textColumns(service.owner))].flatMap(([table, columns]) => {
      if (whole.has(table)) return []
      const seen = known.get(table)
      if (seen === undefined) return [`${table}: say in src/privacy/erase/ what an erasure does with it`]
      return columns.filter((column) => !seen.has(column)).map((column) => `${table}.${column}`)
    })
    assert.deepEqual(forgotten, [])
    const tables = await textColumns(service.owner)
    assert.deepEqual(
      [...whole, ...known.keys()].filter((table) => !tables.has(table)),
      [],
      'a table that is no more',
    )
  })
})

const EMPTY = {
  customer: '',
  name: '',
  customers: [],
  contacts: [],
  locations: [],
  jobs: [],
  series: [],
  quotes: [],
  invoices: [],
  plans: [],
  notes: [],
  messages: [],
  conversations: [],
  correspondents: [],
  links: [],
  addresses: [],
  providerIds: [],
  sent: [],
}

describe('erasing a customer', () => {
  it('shows owners a preview of what is erased and kept, and returns 404 to others', async () => {
    const page = pageTextOf(await scene.office.browser.get(pageOf(ada.id)))
    for (const part of ['Contacts and addresses', 'Messages and their files', "can't be undone", 'Drafts are voided'])
      assert.ok(page.includes(part), part)
    const link = `href="${pageOf(ada.id)}"`
    assert.ok((await scene.office.browser.get(scene.office.at('customers', ada.id))).text.includes(link))
    for (const role of ['office', 'tech'] as const) {
      const { browser } = await scene.office.signInMember(role)
      assert.equal((await browser.get(pageOf(ada.id))).status, 404)
      assert.ok(!(await browser.get(scene.office.at('customers', ada.id))).text.includes(link))
      const sent = await browser.post(`${pageOf(ada.id)}/erase`, { name: ada.name })
      assert.equal(sent.status, 404)
    }
    const other = await openOffice(service, 'North Cleaning')
    assert.equal((await other.browser.get(pageOf(ada.id))).status, 404)
    assert.equal((await other.browser.get(other.at('customers', ada.id, 'data'))).status, 404)
    const foreign = await other.browser.post(other.at('customers', ada.id, 'data', 'erase'), { name: ada.name })
    assert.equal(foreign.status, 404)
    assert.ok((await tablesWith(service.owner, [ADA])).length > 20)
  })

  it('finds customers by any search text without an error', async () => {
    const search = (text: string) =>
      scene.office.browser.get(`${scene.office.at('settings', 'data')}?${new URLSearchParams({ q: text }).toString()}`)
    assert.ok(pageTextOf(await search(`\0${ada.name}`)).includes(ada.name))
    for (const odd of ['\0', '\ud800', '%_\\', 'x'.repeat(4_000)]) assert.equal((await search(odd)).status, 200, odd)
  })

  it('rejects a wrong name and an invalid retention date', async () => {
    for (const [name, more, words] of [
      ['', {}, /Type the full name/],
      ['Somebody else', {}, /Type the full name/],
      [ada.name, { keep_until: '2020-01-01' }, /after today/],
      [ada.name, { keep_until: '2999-01-01' }, /within the next 30 years/],
      [ada.name, { keep_until: 'soon' }, /Enter a date/],
    ] as const) {
      const refused = await erase(ada.id, name, more)
      assert.equal(refused.status, 422, name)
      assert.match(pageTextOf(refused), words)
    }
    assert.ok((await tablesWith(service.owner, [ADA])).length > 20)
  })

  it('returns 409 while a message to the customer is being sent or a file is being imported', async () => {
    const set = (query: ReturnType<typeof sql>) =>
      writeTenant(service.database, { tenant: scene.office.id }, (db) => db.run(query))
    const message = sql`id = (select min(id::text)::uuid from outbox where about_id = ${ada.invoice})`
    const { state } = await one<{ state: string }>(sql`select state from outbox where ${message}`)
    for (const [busy, idle, words] of [
      [
        sql`update outbox set state = 'attempting' where ${message}`,
        sql`update outbox set state = ${state} where ${message}`,
        /A message to this customer is being sent right now\./,
      ],
      [
        sql`update imports set state = 'running', beat_at = moment()`,
        sql`update imports set state = 'done', beat_at = moment() - interval '2 minutes'`,
        /A file of customers is being imported\./,
      ],
    ] as const) {
      assert.ok((await set(busy)) > 0)
      const refused = await erase(ada.id, ada.name)
      assert.equal(refused.status, 409)
      assert.match(pageTextOf(refused), words)
      await set(idle)
    }
    assert.ok((await tablesWith(service.owner, [ADA])).length > 20)
  })

  it("removes every trace from tables and files, and leaves another customer's data unchanged", async () => {
    assert.ok((await filesWith(directory, [ADA])).length > 1)
    const [others, sums] = [await rowsWith(service.owner, [BEN, ...Object.values(ben.ids)]), await totals()]
    const { status, location } = await erase(ada.id, ada.name.toUpperCase())
    assert.deepEqual([status, location], [303, scene.office.at('settings', 'data')])
    assert.deepEqual(await tablesWith(service.owner, [ADA, digits(ADAS), `${digits(ADAS).slice(0, -1)}9`]), [])
    const now = await rowsWith(service.owner, [BEN, ...Object.values(ben.ids)])
    // The import file that both customers were in is deleted with its rows.
    assert.equal(others['imports']!.length, 1)
    for (const [table, rows] of Object.entries(others))
      if (table !== 'imports' && table !== 'import_rows') assert.ok(isDeepStrictEqual(now[table], rows), table)
    await scene.office.browser.get(location!)
    assert.deepEqual(await totals(), sums)
    await scene.work()
    assert.deepEqual(await filesWith(directory, [ADA]), [])
    assert.ok((await filesWith(directory, [BEN])).length > 1)
  })

  it('keeps the numbers, amounts and lines of issued documents, and closes open records', async () => {
    const { call, refusal } = { call: scene.office.call, refusal: scene.office.send }
    assert.match((await refusal('customers_get', { id: ada.id })).text, /^not_found/)
    const invoice = await call('invoices_get', { id: ada.invoice })
    assert.deepEqual(
      [invoice['customer_name'], invoice['total_cents'], invoice['amount_paid_cents'], invoice['line_items'][0].name],
      ['Erased customer', 90_000, 15_000, 'Heater'],
    )
    const draft = await call('invoices_get', { id: ada.draft })
    assert.deepEqual(
      [draft['status'], draft['total_cents'], draft['line_items'][0].name, draft['line_items'][0].description],
      ['void', 12_500, 'Erased', null],
    )
    assert.equal((await call('quotes_get', { id: ada.quote }))['line_items'][0].name, 'Heater')
    const job = await call('jobs_get', { id: ada.job })
    assert.deepEqual([job['status'], job['title'], job['media']], ['cancelled', 'Erased', []])
    assert.equal((await call('plans_get', { id: ada.ids.plans }))['status'], 'cancelled')
    assert.equal((await call('job_series_get', { id: ada.ids.job_series }))['status'], 'ended')
    for (const [entity, id] of Object.entries(ada.ids).filter(([name]) => name !== 'customers'))
      assert.equal((await scene.office.browser.get(scene.office.at(entity, id))).status, 200, entity)
  })

  it('reports the customer as removed in incremental lists and records the erasure in the audit log', async () => {
    const { rows } = await scene.office.call('customers_search', {
      updated_since: '2020-01-01T00:00:00Z',
      include_removed: true,
      limit: 100,
    })
    const mine = rows.find((row: { id: string }) => row.id === ada.id)
    assert.deepEqual(Object.keys(mine), ['id', 'removed', 'updated_at'])
    const entry = await one<{ user_id: string; changed: Record<string, unknown> }>(
      sql`select user_id, changed from audit where tool = 'customers.erase' and record_id = ${ada.id}`,
    )
    assert.equal(entry.user_id, scene.office.owner.user_id)
    assert.deepEqual(entry.changed['quotes'], [3, 0])
  })

  it('keeps the opt-out of an erased phone number as a hash', async () => {
    const number = `+1${digits(ADAS).slice(0, -1)}9`
    await scene.office.customer('Returned', { phone: number })
    const to = { channel: 'sms', to: number, by: null } as const
    const objection = await readTenant(service.database, { tenant: scene.office.id }, (db) => findObjection(db, to))
    assert.match(objection!.message, /asked for no more texts/)
    const kept = await one<{ address: string; reason: string }>(sql`select address, reason from suppressions`)
    assert.match(kept.address, /^sha256:[0-9a-f]{64}$/)
    assert.match(
      pageTextOf(await scene.office.browser.get(scene.office.at('outbox', 'suppressed'))),
      /Erased person They replied STOP/,
    )
  })

  it('is idempotent', async () => {
    const { status } = await erase(ada.id, 'Erased customer')
    assert.equal(status, 303)
    const { count } = await one<{ count: number }>(sql`select count(*)::int as count from erasures`)
    // The customer, and the duplicate that was merged into it.
    assert.equal(count, 2)
  })

  it('returns 409 while a payment event for the customer awaits a decision', async () => {
    const id = ben.id
    await scene.provider.sms('/api/webhooks/sms/inbound-sms', {
      MessageSid: 'SMnow',
      From: '+16175552846',
      To: NUMBER,
      Body: 'x',
    })
    const object = {
      id: 'ch_void',
      object: 'charge',
      amount: 1,
      captured: true,
      currency: 'eur',
      metadata: { invoice_id: ben.invoice },
    }
    await scene.provider.event({
      id: 'evt_waits',
      type: 'charge.succeeded',
      account: 'acct_ours',
      livemode: false,
      data: { object },
    })
    await scene.work()
    const refused = await erase(id, ben.name)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /A payment for one of this customer’s invoices is waiting for a decision/)
  })
})

/** Returns the totals of the company's reports as text. */
async function totals(): Promise<string[]> {
  const year = Temporal.Now.plainDateISO().year
  const range = `from=${year - 1}-01-01&to=${year + 1}-01-01`
  const pages: string[] = []
  for (const step of ['sales', 'received', 'aging']) {
    const { text, status } = await scene.office.browser.get(`${scene.office.at('reports', step)}?${range}`)
    assert.equal(status, 200, step)
    const body = pageTextOf({ text: text.slice(text.indexOf('<main')) })
    pages.push(body.replaceAll(new RegExp(`${ADA} ${ADA}son|Erased customer`, 'gi'), 'NAME'))
  }
  return pages
}

const digits = (phone: string): string => phone.replaceAll(/\D/g, '')
