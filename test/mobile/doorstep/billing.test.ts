import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { ZONE, fieldEvent, phoneOf, today, type Phone } from '../../harness/messaging/phones.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'
import { SENDERS } from '../../sending/scene.ts'
import { undoFrom, linkIn } from '../../undo/undo_pages.ts'

let service: TestService
let office: Office
/** Phones of a technician who may invoice and of one with default permissions. */
let mia: Phone
let luis: Phone
let ann: Result
let item: Result
before(async () => {
  service = await startSite(SENDERS)
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  mia = await phoneFor({ Invoices: 'edit' })
  luis = await phoneFor()
  ann = await office.customer('Ann', { contacts: [{ first_name: 'Ann', email: 'ann@example.com', is_primary: true }] })
  await office.call('tax_rates_create', { name: 'State', rate_percentage: 8.25, is_default: true })
  item = await office.call('catalog_items_create', { name: 'Valve', kind: 'product', unit_price_cents: 4_250 })
})
after(() => service.stop())

async function phoneFor(areas?: Parameters<Office['signInMember']>[1]): Promise<Phone> {
  const { user_id, browser } = await office.signInMember('tech', areas)
  return phoneOf(service, office, user_id, browser)
}

const book = (more: object = {}): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: ann['id'],
    title: 'Leak',
    scheduled_start: `${today()}T09:00`,
    assignees: [mia.user, luis.user],
    line_items: [
      { name: 'Repair', kind: 'labor', quantity: '1.5', unit_price_cents: 9_500, taxable: false },
      { catalog_item_id: item['id'], quantity: 3 },
      { kind: 'discount', name: 'Regular', discount_type: 'percent', discount_value: 10 },
    ],
    ...more,
  })
const visitOn = async (phone: Phone, { id }: Result): Promise<Result> =>
  ((await phone.day())['visits'] as Result[]).find((visit) => visit['id'] === id)!
const invoicesOf = async ({ id }: Result): Promise<Result[]> => {
  const { invoice_ids } = await office.call('jobs_get', { id })
  return Promise.all((invoice_ids as string[]).map((invoice) => office.call('invoices_get', { id: invoice })))
}
const outcomesOf = async (phone: Phone, acts: object[]): Promise<string[]> =>
  ((await phone.send(acts)).body['acts'] as Result[]).map(({ outcome }) => String(outcome))
const receipts = (invoice: unknown): Promise<Result[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Result>(sql`select o.channel, o.recipient, m.body from outbox o
      join communications m on m.tenant_id = o.tenant_id and m.id = o.id
      where o.tenant_id = ${office.id} and o.about_id = ${String(invoice)} and o.cause = 'receipt' order by o.id`),
  )
const payCode = (phone: Phone, invoice: unknown) => phone.ask(`pay-codes/${String(invoice)}`, { method: 'POST' })

describe('visit prices on a phone', () => {
  it('are shown with catalog access, and the invoice total with invoice permission', async () => {
    const job = await book()
    const [his, hers] = [await visitOn(luis, job), await visitOn(mia, job)]
    assert.deepEqual(
      his['parts'].map(({ price_cents, total_cents }: Result) => [price_cents, total_cents]),
      [
        [9_500, 14_250],
        [4_250, 12_750],
      ],
    )
    assert.deepEqual([his['bill'], his['invoices']], [null, []])
    assert.equal(hers['bill'].lines.length, 3)
    assert.deepEqual([hers['bill'].lines[0].rate, hers['bill'].lines[1].rate[1]], [null, 82_500])
    assert.equal(hers['bill'].rate[1], 82_500)
  })

  it('are hidden without catalog access', async () => {
    const job = await book()
    const blind = await phoneFor({ 'Catalog & pricing': 'none' })
    const visit = await visitOn(blind, job)
    assert.ok(visit['parts'].every((part: Result) => part['price_cents'] === null && part['total_cents'] === null))
    assert.ok(!JSON.stringify(await blind.day()).includes('4250'))
  })
})

describe('billing a visit on site', () => {
  it('creates invoice, payment and receipt in one request, once even if sent twice', async () => {
    const job = await book()
    const done = fieldEvent('status', job, { to: 'done' })
    const seen = { seen: { status: 'done', scheduled_start: job['scheduled_start'] } }
    const bill = fieldEvent('invoice', job, seen)
    const pay = fieldEvent('payment', job, { ...seen, invoice_act: bill['id'], amount_cents: 25_247, method: 'cash' })
    const receipt = fieldEvent('receipt', job, {
      ...seen,
      invoice_act: bill['id'],
      channel: 'email',
      to: 'ann@example.com',
    })
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await outcomesOf(mia, [done, bill, pay, receipt]), ['done', 'done', 'done', 'done'])
    const [invoice, another] = await invoicesOf(job)
    assert.deepEqual(
      [another, invoice!['status'], invoice!['total_cents'], invoice!['balance_due_cents']],
      [undefined, 'paid', 25_247, 0],
    )
    const sent = await receipts(invoice!['id'])
    assert.deepEqual(
      sent.map(({ channel, recipient }) => [channel, recipient]),
      [['email', 'ann@example.com']],
    )
    assert.match(String(sent[0]!['body']), /\$252\.47/)
    const [{ receipt_to, due_cents }] = (await visitOn(mia, job))['invoices']
    assert.deepEqual([receipt_to, due_cents], ['ann@example.com', 0])
  })

  it('refuses a receipt to an address with invalid characters, and still processes later events', async () => {
    const [job, other] = [await book(), await book()]
    const bill = fieldEvent('invoice', job)
    const pay = fieldEvent('payment', job, { invoice_act: bill['id'], amount_cents: 100, method: 'cash' })
    const receipts = ['ann\0@example.com', '\ud800\0'].map((to) =>
      fieldEvent('receipt', job, { invoice_act: bill['id'], channel: 'email', to }),
    )
    const later = fieldEvent('note', other, { body: 'Gate 12' })
    assert.deepEqual(await outcomesOf(mia, [bill, pay, receipts[0]!, later]), ['done', 'done', 'refused', 'done'])
    assert.deepEqual(await outcomesOf(mia, [receipts[1]!]), ['refused'])
  })

  it('keeps the invoice that the office created meanwhile', async () => {
    const job = await book()
    const made = await office.call('invoices_create', { customer_id: ann['id'], from_job_id: job['id'] })
    const bill = fieldEvent('invoice', job)
    const pay = fieldEvent('payment', job, {
      invoice_act: bill['id'],
      amount_cents: 100,
      method: 'check',
      reference: '7',
    })
    assert.deepEqual(await outcomesOf(mia, [bill, pay]), ['done', 'done'])
    const invoices = await invoicesOf(job)
    assert.deepEqual(
      invoices.map(({ id, amount_paid_cents }) => [id, amount_paid_cents]),
      [[made['id'], 100]],
    )
  })

  it('creates a draft that can be undone like one from the office', async () => {
    const job = await book()
    assert.deepEqual(await outcomesOf(mia, [fieldEvent('invoice', job)]), ['done'])
    const [invoice] = await invoicesOf(job)
    assert.equal(invoice!['status'], 'draft')
    const entries = await office.entries(String(invoice!['id']))
    assert.deepEqual(
      entries.map(({ tool, user_id }) => [tool, user_id]),
      [['invoices.create', mia.user]],
    )
    const page = await office.browser.get(office.at('invoices', String(invoice!['id'])))
    await undoFrom(office.browser, office, linkIn(page, /^Undo/))
    assert.equal((await office.call('invoices_get', { id: invoice!['id'] }))['status'], 'void')
  })

  it('holds back a payment whose invoice was refused, and refuses an empty invoice', async () => {
    const job = await book({ line_items: [] })
    const bill = fieldEvent('invoice', job)
    const pay = fieldEvent('payment', job, { invoice_act: bill['id'], amount_cents: 100, method: 'cash' })
    assert.deepEqual(await outcomesOf(mia, [bill, pay]), ['refused', 'waits'])
    assert.match((await mia.do(bill))['description'], /^There is nothing to bill yet\. Add a part or service first\.$/)
    assert.match((await mia.do(pay))['description'], /^Create the invoice first\.$/)
    const neither = fieldEvent('payment', job, { amount_cents: 100, method: 'cash' })
    assert.match((await mia.do(neither))['description'], /^Create the invoice first\.$/)
  })

  it('is refused without permission, and for an invoice of another visit', async () => {
    const job = await book()
    const bill = fieldEvent('invoice', job)
    for (const one of [bill, fieldEvent('payment', job, { invoice_id: newId(), amount_cents: 1, method: 'cash' })])
      assert.equal((await luis.do(one))['outcome'], 'refused')
    assert.deepEqual(await invoicesOf(job), [])
    const own = fieldEvent('invoice', job)
    await mia.do(own)
    const [invoice] = await invoicesOf(job)
    const receipt = { invoice_id: invoice!['id'], channel: 'email', to: 'ann@example.com' }
    assert.equal((await luis.do(fieldEvent('receipt', job, receipt)))['code'], 'insufficient_scope')
    assert.match((await mia.do(fieldEvent('receipt', job, receipt)))['description'], /has no payment yet/)
    assert.equal((await payCode(luis, invoice!['id'])).status, 403)
    const bob = await office.customer('Bob')
    const other = await office.call('jobs_create', { customer_id: bob['id'], title: 'Drain', assignees: [mia.user] })
    for (const named of [{ invoice_act: own['id'] }, { invoice_id: invoice!['id'] }])
      assert.equal(
        (await mia.do(fieldEvent('payment', other, { ...named, amount_cents: 1, method: 'cash' })))['code'],
        'invalid_input',
      )
  })
})

describe('a QR code for payment', () => {
  it('issues the draft and leads the customer to the invoice', async () => {
    const job = await book()
    await mia.do(fieldEvent('invoice', job))
    const [invoice] = await invoicesOf(job)
    const { status, body } = await payCode(mia, invoice!['id'])
    assert.deepEqual([status, body['due_cents'], body['online']], [200, 25_247, false])
    assert.ok(body['code'].size > 20 && body['code'].path.startsWith('M'))
    const page = await newBrowser(service).get(new URL(body['url']).pathname)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes('$252.47'))
    assert.equal((await office.call('invoices_get', { id: invoice!['id'] }))['status'], 'sent')
  })

  it('returns 409 for a void invoice and 404 for an unknown one', async () => {
    const job = await book()
    await mia.do(fieldEvent('invoice', job))
    const [invoice] = await invoicesOf(job)
    await office.call('invoices_void', { id: invoice!['id'] })
    assert.equal((await payCode(mia, invoice!['id'])).status, 409)
    assert.equal((await payCode(mia, newId())).status, 404)
  })
})
