import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { openBooksScene, type BooksScene } from './scene.ts'

let scene: BooksScene
before(async () => {
  scene = await openBooksScene()
  await scene.connect()
  await scene.setAccounts()
  await scene.start()
})
after(() => scene.stop())

const issued = { issue_date: '2026-02-01', due_date: '2026-03-01' }
const bill = async (unit_price_cents = 10_000, more: object = {}): Promise<string> =>
  String((await scene.invoice({ ...issued, line_items: [{ name: 'Repair', unit_price_cents }], ...more }))['id'])

/** Asserts that the program's account balances match the ledger, and that nothing is waiting. */
async function requireEqual(): Promise<void> {
  await scene.work()
  assert.deepEqual(
    await scene.rows().then((rows) => rows.filter(({ state }) => !['sent', 'cancelled'].includes(state))),
    [],
  )
  assert.deepEqual(scene.program.balances(), await scene.ledger())
}

const findInvoices = (number: unknown) => scene.program.all('Invoice').filter(({ DocNumber }) => DocNumber === number)
const numberOf = async (id: string): Promise<unknown> =>
  (await scene.office.call('invoices_get', { id }))['display_number']

describe('a record changed after its sync to QuickBooks', () => {
  it('is updated when an invoice line changes', async () => {
    const id = await bill()
    await requireEqual()
    const before = scene.program.all('Invoice').length
    await scene.office.call('invoices_update', { id, status: 'draft' })
    await scene.office.call('invoices_update', { id, line_items: [{ name: 'Repair', unit_price_cents: 12_345 }] })
    await scene.office.call('invoices_update', { id, status: 'sent' })
    await requireEqual()
    assert.equal(scene.program.all('Invoice').length, before)
    assert.equal(findInvoices(await numberOf(id))[0]?.['TotalAmt'], 123.45)
  })

  it('is voided when an unpaid invoice goes back to draft, and recreated when it is sent again', async () => {
    const id = await bill(20_000)
    await requireEqual()
    await scene.office.call('invoices_update', { id, status: 'draft' })
    await requireEqual()
    assert.equal(findInvoices(await numberOf(id))[0]?.['TotalAmt'], 0)
    await scene.office.call('invoices_update', { id, status: 'sent' })
    await requireEqual()
    assert.deepEqual(
      findInvoices(await numberOf(id)).map(({ TotalAmt }) => TotalAmt),
      [0, 200],
    )
    await scene.office.call('invoices_void', { id, reason: 'Double' })
    await requireEqual()
    assert.deepEqual(
      findInvoices(await numberOf(id)).map(({ TotalAmt }) => TotalAmt),
      [0, 0],
    )
  })

  it('is voided when the office undoes a payment', async () => {
    const id = await bill(30_000)
    await scene.pay(id, '120.50')
    await requireEqual()
    const [payment] = await scene.all<{ id: string }>(sql`select id from payments where invoice_id = ${id}`)
    await scene.office.browser.post(scene.office.at('invoices', id, 'payments', payment!.id, 'take-back'), {})
    await requireEqual()
    assert.equal(findInvoices(await numberOf(id))[0] && scene.program.all('Payment').at(-1)?.['TotalAmt'], 0)
  })

  it('gets journal entries when a payment is refunded in parts and in full', async () => {
    const id = await bill(40_000)
    await scene.charge(id, 40_000)
    await requireEqual()
    await scene.charge(id, -15_000)
    await requireEqual()
    await scene.charge(id, -25_000, 'dispute')
    await requireEqual()
    assert.equal(scene.program.all('JournalEntry').length, 2)
  })

  it('gets a credit memo when an invoice is voided after payment and refund', async () => {
    const id = await bill(50_000)
    await scene.charge(id, 50_000)
    await requireEqual()
    await scene.charge(id, -50_000)
    await scene.run(sql`update invoices set status = 'void', voided_at = moment(), updated_at = later_than(updated_at)
      where tenant_id = ${scene.office.id} and id = ${id}`)
    await requireEqual()
    assert.equal(scene.program.all('CreditMemo').length, 1)
  })

  it('is written off as bad debt, and reversed when the customer pays after all', async () => {
    const id = await bill(60_000)
    await scene.pay(id, '100')
    await scene.office.call('invoices_update', { id, status: 'uncollectible' })
    await requireEqual()
    assert.equal(scene.program.balances().bad_debts, 50_000)
    assert.equal(
      scene.program.all('Payment').filter(({ TotalAmt, Line }) => TotalAmt === 0 && (Line as unknown[]).length === 2)
        .length,
      1,
    )
    await scene.pay(id, '500')
    await requireEqual()
    assert.equal(scene.program.balances().bad_debts, 0)
  })
})

describe('the sync to QuickBooks', () => {
  it('skips drafts and invoices from before the start date', async () => {
    const before = scene.program.requests.length
    await scene.invoice({ ...issued, line_items: [{ name: 'Draft', unit_price_cents: 1 }] }, 'draft')
    const early = await scene.invoice({ issue_date: '2025-12-31', due_date: '2026-01-31' })
    await scene.pay(String(early['id']), '10')
    await scene.work(2)
    assert.equal(scene.program.requests.length, before)
  })
})
