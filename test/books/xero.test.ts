import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { openXeroScene, type XeroScene } from './scene.ts'

let scene: XeroScene
before(async () => void (scene = await openXeroScene()))
after(() => scene.stop())

const bill = async (unit_price_cents: number, more: object = {}): Promise<string> => {
  const days = { issue_date: '2026-02-01', due_date: '2026-03-01' }
  const made = await scene.invoice({ ...days, line_items: [{ name: 'Repair', unit_price_cents }], ...more })
  return String(made['id'])
}

async function requireEqual(): Promise<void> {
  await scene.work()
  const open = (await scene.rows()).filter(({ state }) => state !== 'sent' && state !== 'cancelled')
  assert.deepEqual(open, [])
  assert.deepEqual(scene.program.balances(), await scene.ledger())
}

describe('a connection to Xero', () => {
  it('uses PKCE, selects the only organization and syncs after a dry run', async () => {
    assert.equal((await scene.connect()).status, 303)
    const page = pageTextOf(await scene.office.browser.get(scene.page))
    assert.match(page, /Acme at Xero.*611 Online payments/)
    // Xero manages receivables itself, and bank accounts can't take entries.
    assert.doesNotMatch(page, /610 Accounts Receivable|090 Bank/)
    assert.equal((await scene.setAccounts()).status, 303)
    const rate = await scene.office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25 })
    const item = await scene.office.call('catalog_items_create', {
      kind: 'product',
      name: 'Filter',
      sku: 'F-1',
      unit_price_cents: 1_999,
    })
    const lines = [
      { catalog_item_id: item['id'], quantity: 1.333 },
      { name: 'Labor', unit_price_cents: 9_500 },
    ]
    await bill(0, { tax_rate_id: rate['id'], line_items: lines })
    assert.match(pageTextOf((await scene.start()).tried), /Nothing was sent\. This is what Xero would get/)
    await requireEqual()
    assert.deepEqual(
      scene.program.stores['Items']?.map(({ Code }) => Code),
      ['F-1'],
    )
  })
})

describe('a record changed after its sync to Xero', () => {
  it('is updated, voided or deleted to match', async () => {
    const id = await bill(20_000)
    await requireEqual()
    await scene.office.call('invoices_update', { id, status: 'draft' })
    await requireEqual()
    await scene.office.call('invoices_update', { id, line_items: [{ name: 'Repair', unit_price_cents: 21_000 }] })
    await scene.office.call('invoices_update', { id, status: 'sent' })
    await scene.pay(id, '10')
    await requireEqual()
    const [payment] = await scene.all<{ id: string }>(sql`select id from payments where invoice_id = ${id}`)
    await scene.office.browser.post(scene.office.at('invoices', id, 'payments', payment!.id, 'take-back'), {})
    await scene.office.call('invoices_void', { id })
    await requireEqual()
  })

  it('follows refunds and new payments, and gets a credit note when voided', async () => {
    const id = await bill(30_000)
    await scene.charge(id, 30_000)
    await requireEqual()
    await scene.charge(id, -30_000)
    await requireEqual()
    await scene.charge(id, 12_000)
    await requireEqual()
    await scene.charge(id, -12_000)
    await scene.run(sql`update invoices set status = 'void', voided_at = moment(), updated_at = later_than(updated_at)
      where tenant_id = ${scene.office.id} and id = ${id}`)
    await requireEqual()
    assert.equal(scene.program.stores['CreditNotes']?.length, 1)
  })

  it('is written off as bad debt, and reversed when the customer pays after all', async () => {
    const id = await bill(40_000)
    await scene.office.call('invoices_update', { id, status: 'uncollectible' })
    await requireEqual()
    assert.equal(scene.program.balances().bad_debts, 40_000)
    await scene.pay(id, '400')
    await requireEqual()
  })

  it('gets tips as journal entries with no effect on invoice or tax', async () => {
    const id = await bill(5_000)
    await scene.tip(id, 900)
    await requireEqual()
    await scene.tip(id, -400)
    await requireEqual()
    assert.equal(scene.program.balances().tips, -500)
    assert.deepEqual(
      scene.program.stores['ManualJournals']?.map(({ JournalLines }) => JournalLines),
      [
        [
          { AccountCode: '611', LineAmount: 9 },
          { AccountCode: '840', LineAmount: -9 },
        ],
        [
          { AccountCode: '840', LineAmount: 4 },
          { AccountCode: '611', LineAmount: -4 },
        ],
      ],
    )
  })

  it('is held for review if a payment exceeds what the invoice owes there', async () => {
    const id = await bill(5_000)
    await scene.charge(id, 9_000)
    await scene.work()
    const held = (await scene.rows()).filter(({ state }) => state === 'held')
    assert.deepEqual(
      held.map(({ kind, reason }) => [kind, reason]),
      [['payment', 'paid_elsewhere']],
    )
    assert.match(pageTextOf(await scene.office.browser.get(scene.page)), /owes less in Xero than this payment/)
  })
})
