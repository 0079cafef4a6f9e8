import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { canonicalJson } from '../../../src/platform/validation/canonical.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { sha256 } from '../../customer_portal/portal_scene.ts'
import { ZONE, fieldEvent, phoneOf, today, type Phone } from '../../harness/messaging/phones.ts'
import { startSite } from '../../harness/web_client.ts'

const { priceBill } = (await import(new URL('../../../public/mobile/work/field_price.js', import.meta.url).href)) as {
  priceBill(bill: object): { total_cents: number }
}

const DRAWING = 'M10 20L30 40L50 20'

let service: TestService
let office: Office
/** Phones of a technician who may quote and of one with default permissions. */
let mia: Phone
let luis: Phone
let ann: Result
let valve: Result
let labor: Result
let county: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  mia = await phoneFor({ Quotes: 'edit' })
  luis = await phoneFor()
  ann = await office.customer('Ann')
  await office.call('tax_rates_create', { name: 'State', rate_percentage: 8.25, is_default: true })
  county = await office.call('tax_rates_create', { name: 'County', rate_percentage: 1.375 })
  valve = await office.call('catalog_items_create', { name: 'Valve', kind: 'product', unit_price_cents: 4_250 })
  labor = await office.call('catalog_items_create', {
    name: 'Labor',
    kind: 'labor',
    unit_price_cents: 9_999,
    taxable: false,
  })
})
after(() => service.stop())

async function phoneFor(areas?: Parameters<Office['signInMember']>[1]): Promise<Phone> {
  const { user_id, browser } = await office.signInMember('tech', areas)
  return phoneOf(service, office, user_id, browser)
}

const book = (customer = ann): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: customer['id'],
    title: 'Leak',
    scheduled_start: `${today()}T09:00`,
    assignees: [mia.user, luis.user],
  })
/** Returns the event of a quote of two valves and 1.5 hours of labor: 85.00, 149.99 and 7.01 tax. */
const quoteOn = (job: Result, fields: object = {}): Result =>
  fieldEvent('quote', job, {
    line_items: [
      { catalog_item_id: valve['id'], quantity: 2 },
      { catalog_item_id: labor['id'], quantity: '1.5' },
    ],
    total_cents: 24_200,
    ...fields,
  })
const signatureOf = (quote: Result, job: Result, fields: object = {}): Result =>
  fieldEvent('quote_signature', job, { quote_act: quote['id'], name: 'Ann Lee', drawing: DRAWING, ...fields })
const outcomesOf = async (phone: Phone, acts: object[]): Promise<string[]> =>
  ((await phone.send(acts)).body['acts'] as Result[]).map(({ outcome }) => String(outcome))
const visitOn = async (phone: Phone, { id }: Result): Promise<Result> =>
  ((await phone.day())['visits'] as Result[]).find((visit) => visit['id'] === id) ?? {}
const quotesOf = async (job: Result, phone = mia): Promise<Result[]> => (await visitOn(phone, job))['quotes']
const rowsOf = (customer: Result): Promise<Result[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Result>(sql`select id, status, total_cents from quotes
      where tenant_id = ${office.id} and customer_id = ${customer['id']} order by number`),
  )
const acceptances = (quote: unknown): Promise<Result[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Result>(sql`select name, signature, link_id, address, taken_by, signed_at, encode(hash, 'hex') as hash, content
      from acceptances where tenant_id = ${office.id} and quote_id = ${String(quote)}`),
  )
/** Creates a new customer with a visit. */
async function visitOfNew(): Promise<{ customer: Result; job: Result }> {
  const customer = await office.customer('Bo')
  return { customer, job: await book(customer) }
}

describe('a quote written on a phone', () => {
  it('is created and signed once even if sent twice, with its content, signer and time', async () => {
    const { customer, job } = await visitOfNew()
    const quote = quoteOn(job)
    const signed = signatureOf(quote, job, { at: Temporal.Now.instant().subtract({ hours: 2 }).toString() })
    for (let i = 0; i < 2; i++) assert.deepEqual(await outcomesOf(mia, [quote, signed]), ['done', 'done'])
    const [made, ...more] = await rowsOf(customer)
    assert.deepEqual([made?.['status'], made?.['total_cents'], more], ['accepted', 24_200, []])
    const [kept, ...others] = await acceptances(made?.['id'])
    assert.deepEqual(others, [])
    assert.deepEqual(
      [kept?.['name'], kept?.['signature'], kept?.['link_id'], kept?.['address'], kept?.['taken_by']],
      ['Ann Lee', DRAWING, null, null, mia.user],
    )
    assert.equal(Math.abs(Date.parse(kept?.['signed_at']) - Date.parse(signed['at'])) < 60_000, true)
    assert.equal(kept?.['hash'], sha256(canonicalJson(kept?.['content'])))
    assert.deepEqual([kept?.['content'].total_cents, kept?.['content'].line_items.length], [24_200, 2])
    const [shown] = await quotesOf(job)
    assert.deepEqual([shown?.['act'], shown?.['id'], shown?.['status']], [quote['id'], made?.['id'], 'accepted'])
    const entries = await office.entries(String(made?.['id']))
    assert.deepEqual(
      entries.map(({ tool, user_id }) => [tool, user_id]),
      [
        ['quotes.create', mia.user],
        ['quotes.update', mia.user],
      ],
    )
    const page = pageTextOf(await office.browser.get(office.at('quotes', String(made?.['id']))))
    assert.match(page, /Accepted by the customer .*Ann Lee.*Taken by/)
  })

  it('is created once by concurrent requests', async () => {
    const { customer, job } = await visitOfNew()
    const quote = quoteOn(job)
    const answers = await Promise.all([mia, mia, mia].map((phone) => outcomesOf(phone, [quote])))
    assert.deepEqual(answers, [['done'], ['done'], ['done']])
    assert.equal((await rowsOf(customer)).length, 1)
  })

  it('can be signed later as the day shows it, but not after the office changed it', async () => {
    const { customer, job } = await visitOfNew()
    const quote = quoteOn(job)
    assert.deepEqual(await outcomesOf(mia, [quote]), ['done'])
    const [{ updated_at, lines, tax_cents, subtotal_cents }] = (await quotesOf(job)) as [Result]
    assert.deepEqual([lines.length, subtotal_cents, tax_cents], [2, 23_499, 701])
    assert.deepEqual(lines[1], { name: 'Labor', quantity: 1.5, unit: 'hour', price_cents: 9_999, total_cents: 14_999 })
    const [row] = (await rowsOf(customer)) as [Result]
    // Changed as its owner's page would change it.
    const changed = await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update quotes set updated_at = later_than(updated_at), total_cents = total_cents + 100
        where tenant_id = ${office.id} and id = ${row['id']}`),
    )
    assert.equal(changed, 1)
    for (const seen of [{}, { updated_at }]) {
      const answer = await mia.do(signatureOf(quote, job, seen))
      assert.deepEqual([answer['outcome'], answer['code']], ['refused', 'conflict'])
      assert.match(answer['description'], /^The office changed Q-\d+ since the customer saw it\. Ask the customer/)
    }
    assert.deepEqual([(await rowsOf(customer))[0]?.['status'], await acceptances(row['id'])], ['draft', []])
    const again = signatureOf(quote, job, { updated_at: (await quotesOf(job))[0]?.['updated_at'] })
    assert.equal((await mia.do(again))['outcome'], 'done')
    assert.equal((await acceptances(row['id'])).length, 1)
    const twice = await mia.do({ ...again, id: newId() })
    assert.match(twice['description'], /^Q-\d+ is already accepted\.$/)
    assert.equal((await acceptances(row['id'])).length, 1)
  })

  it('is refused with its signature when a price changed or an item is archived', async () => {
    const { customer, job } = await visitOfNew()
    const item = await office.call('catalog_items_create', { name: 'Tap', kind: 'product', unit_price_cents: 10_000 })
    const line_items = [{ catalog_item_id: item['id'], quantity: 1 }]
    const quote = quoteOn(job, { line_items, total_cents: 10_825 })
    const signed = signatureOf(quote, job)
    await office.call('catalog_items_update', { id: item['id'], unit_price_cents: 12_000 })
    assert.deepEqual(await outcomesOf(mia, [quote, signed]), ['refused', 'waits'])
    assert.equal(
      (await mia.do(quote))['description'],
      'Prices changed: this quote comes to $129.90 now, not $108.25. Correct it, and tell the customer.',
    )
    assert.match((await mia.do(signed))['description'], /^The quote that was signed wasn’t saved\. Ask the customer/)
    await office.call('catalog_items_archive', { id: item['id'] })
    const gone = await mia.do(quote)
    assert.deepEqual([gone['outcome'], gone['code']], ['refused', 'invalid_input'])
    assert.deepEqual([await rowsOf(customer), await quotesOf(job)], [[], []])
    const corrected = quoteOn(job)
    assert.deepEqual(await outcomesOf(mia, [corrected, signatureOf(corrected, job)]), ['done', 'done'])
    assert.equal((await rowsOf(customer)).length, 1)
  })

  it('is refused when its signature arrives first, and accepted in the right order', async () => {
    const { customer, job } = await visitOfNew()
    const quote = quoteOn(job)
    const signed = signatureOf(quote, job)
    assert.deepEqual(await outcomesOf(mia, [signed, quote]), ['refused', 'waits'])
    assert.deepEqual(await rowsOf(customer), [])
    assert.deepEqual(await outcomesOf(mia, [quote, signed]), ['done', 'done'])
    assert.equal((await rowsOf(customer))[0]?.['status'], 'accepted')
  })

  it('is refused for invalid input, on another visit and without permission', async () => {
    const { customer, job } = await visitOfNew()
    const other = await book()
    const line = { catalog_item_id: valve['id'], quantity: 1 }
    const refused: [Result, string][] = [
      [quoteOn(job, { line_items: [] }), 'invalid_input'],
      [quoteOn(job, { line_items: Array.from({ length: 41 }, () => line) }), 'invalid_input'],
      [quoteOn(job, { line_items: [{ ...line, quantity: 0 }] }), 'invalid_input'],
      [quoteOn(job, { line_items: [{ ...line, unit_price_cents: 1 }], total_cents: 1 }), 'invalid_input'],
      [quoteOn(job, { line_items: [{ ...line, catalog_item_id: newId() }] }), 'invalid_input'],
      [quoteOn(job, { total_cents: -1 }), 'invalid_input'],
      [quoteOn(job, { total_cents: null }), 'invalid_input'],
      [quoteOn(job, { total_cents: 24_201 }), 'conflict'],
      [signatureOf({ id: newId() }, job), 'invalid_input'],
    ]
    for (const [one, code] of refused) {
      const answer = await mia.do(one)
      assert.deepEqual([answer['outcome'], answer['code']], ['refused', code], JSON.stringify(one).slice(0, 200))
    }
    assert.deepEqual(await rowsOf(customer), [])
    const quote = quoteOn(job)
    assert.deepEqual(await outcomesOf(mia, [quote]), ['done'])
    const [row] = (await rowsOf(customer)) as [Result]
    for (const unsigned of [
      signatureOf(quote, other),
      signatureOf(quote, job, { name: ' ' }),
      signatureOf(quote, job, { name: 'x'.repeat(101) }),
      signatureOf(quote, job, { drawing: 'M0 0<script>' }),
      signatureOf(quote, job, { updated_at: '2026-02-30T00:00:00Z' }),
    ])
      assert.equal((await mia.do(unsigned))['outcome'], 'refused', JSON.stringify(unsigned))
    const colleague = await phoneFor({ Quotes: 'edit' })
    const theirs = await colleague.do(signatureOf(quote, job))
    assert.deepEqual([theirs['outcome'], theirs['code']], ['refused', 'invalid_input'])
    const viewer = await phoneFor({ Quotes: 'view' })
    for (const one of [quoteOn(job), signatureOf(quote, job)]) {
      const answer = await viewer.do(one)
      assert.deepEqual([answer['outcome'], answer['code']], ['refused', 'insufficient_scope'])
    }
    assert.deepEqual([(await rowsOf(customer)).length, await acceptances(row['id'])], [1, []])
  })

  it('is taxed only on the phone of a user who may quote and see prices', async () => {
    const job = await book()
    assert.deepEqual((await visitOn(mia, job))['quote_tax'].rate[1], 82_500)
    const areas = [{ Quotes: 'view' }, { Quotes: 'edit', 'Catalog & pricing': 'none' }, { Quotes: 'none' }] as const
    await outcomesOf(mia, [quoteOn(job)])
    for (const area of areas) {
      const { quote_tax, quotes } = await visitOn(await phoneFor(area), job)
      assert.deepEqual([quote_tax, quotes], [null, []])
    }
  })

  it("matches the service's totals for any lines and customer", async () => {
    const items = await Promise.all(
      [
        { kind: 'product', unit_price_cents: 333, tax_rate_id: county['id'] },
        { kind: 'service', unit_price_cents: 14_995 },
        { kind: 'fee', unit_price_cents: 0, taxable: false },
        { kind: 'labor', unit_price_cents: 7_777, tax_rate_id: county['id'] },
      ].map((item, at) => office.call('catalog_items_create', { name: `Part ${at}`, ...item })),
    )
    const exempt = await office.customer('Town', { tax_exempt: true })
    const jobs = await Promise.all([book(), book(exempt)])
    const day = await mia.day()
    const ids = [...items, valve, labor].map(({ id }) => id)
    const catalog = (day['catalog'] as Result[]).filter(({ id }) => ids.includes(id))
    assert.equal(catalog.length, 6)
    const line = fc.record({ item: fc.constantFrom(...catalog), quantity: fc.integer({ min: 1, max: 9_999 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom(...jobs), async (lines, job) => {
        const { quote_tax } = (day['visits'] as Result[]).find(({ id }) => id === job['id']) ?? {}
        const { total_cents } = priceBill({
          ...quote_tax,
          deposit_cents: 0,
          lines: lines.map(({ item, quantity }) => ({
            quantity: quantity / 1_000,
            unit_price_cents: item['price_cents'],
            rate: item['rate'] === undefined ? quote_tax.rate : item['rate'],
          })),
        })
        const line_items = lines.map(({ item, quantity }) => ({
          catalog_item_id: item['id'],
          quantity: quantity / 1_000,
        }))
        const answer = await mia.do(quoteOn(job, { line_items, total_cents }))
        assert.equal(answer['outcome'], 'done', answer['description'])
      }),
      { numRuns: 25 },
    )
  })
})
