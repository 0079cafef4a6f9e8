import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { previewBooks } from '../../src/books/preview.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { ACCOUNTS } from '../harness/books/quickbooks.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { FROM, openBooksScene, type BooksScene } from './scene.ts'

let scene: BooksScene
before(async () => void (scene = await openBooksScene()))
after(() => scene.stop())

describe('a connection to QuickBooks Online', () => {
  it('is made by an owner and shows the company and its accounts', async () => {
    const back = await scene.connect()
    assert.equal(back.status, 303, back.text)
    assert.match(pageTextOf(await scene.office.browser.get(scene.page)), /Acme at Intuit.*Online payments/)
    const saved = await scene.setAccounts()
    assert.equal(saved.status, 303, saved.text)
    assert.match(pageTextOf(await scene.office.browser.get(scene.page)), /Not started.*Start dry run/)
  })
})

describe('the sync to QuickBooks Online', () => {
  it('starts after a dry run and sends invoices and payments with matching balances', async () => {
    const rate = await scene.office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25 })
    const item = await scene.office.call('catalog_items_create', {
      kind: 'product',
      name: 'Water heater: 40 gal',
      unit_price_cents: 55_055,
    })
    const invoice = await scene.invoice({
      issue_date: '2026-02-03',
      due_date: '2026-03-03',
      tax_rate_id: rate['id'],
      discount: { type: 'percent', value: 10 },
      line_items: [
        { catalog_item_id: item['id'], quantity: 2 },
        { name: 'Labor', quantity: 1.333, unit_price_cents: 9_501 },
      ],
    })
    await scene.pay(String(invoice['id']), '100')
    const { tried, started } = await scene.start()
    assert.match(pageTextOf(tried), /Nothing was sent/)
    assert.equal(scene.program.all('Invoice').length, 0)
    assert.equal(started.status, 303, started.text)
    await scene.work()
    const [sent] = scene.program.all('Invoice')
    assert.equal(sent?.['TotalAmt'], Number(invoice['total_cents']) / 100, JSON.stringify(await scene.rows()))
    assert.deepEqual(
      (await scene.rows()).filter(({ state }) => state !== 'sent'),
      [],
    )
    const balances = scene.program.balances()
    assert.equal(balances.undeposited, 10_000)
    assert.equal(balances.receivable, Number(invoice['total_cents']) - 10_000)
    assert.equal(balances.tax, 0 - Number(invoice['tax_cents']))
  })
})

describe('a deposit in QuickBooks Online', () => {
  it('is a liability until an invoice deducts it, in the dry run as in the ledger', async () => {
    const { office } = scene
    const line = { name: 'Boiler', unit_price_cents: 100_000 }
    const quote = await office.call('quotes_create', {
      customer_id: scene.customer['id'],
      title: 'Boiler',
      line_items: [line],
    })
    const ask = office.at('quotes', String(quote['id']), 'do', 'quotes_ask_deposit')
    assert.equal((await submit(office.browser, ask, { 'deposit.value': '30', 'deposit.type': 'percent' })).status, 303)
    await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
    const [deposit] = await scene.all<{ id: string }>(sql`select id from invoices where deposit_of = ${quote['id']}`)
    await office.call('invoices_update', { id: deposit!.id, status: 'sent' })
    await scene.work()
    assert.equal(scene.program.balances().deposits, -30_000)
    const last = await office.call('invoices_create', { customer_id: scene.customer['id'], from_quote_id: quote['id'] })
    await office.call('invoices_update', { id: last['id'], status: 'sent' })
    await scene.work()
    assert.equal(scene.program.balances().deposits, 0)
    assert.deepEqual(scene.program.balances(), await scene.ledger())
    const preview = await previewBooks(scene.service.database, office.id, { from: FROM, maxNumber: 21, hasTips: true })
    assert.deepEqual(preview.documents, await scene.ledger())
    assert.deepEqual(preview.ledger, preview.documents)
    assert.deepEqual(preview.problems, [])
  })
})

describe('tips in QuickBooks Online', () => {
  it('are journal entries to a separate account, with no effect on invoice or tax', async () => {
    const { tax } = scene.program.balances()
    const invoice = await scene.invoice({ issue_date: '2026-02-03', due_date: '2026-03-03' })
    await scene.tip(String(invoice['id']), 1_250)
    await scene.tip(String(invoice['id']), -250)
    await scene.work()
    assert.equal(scene.program.all('JournalEntry').length, 2)
    assert.deepEqual(scene.program.balances(), await scene.ledger())
    assert.equal(scene.program.balances().tips, -1_000)
    assert.equal(scene.program.balances().tax, tax - Number(invoice['tax_cents']))
    assert.match(pageTextOf(await scene.office.browser.get(scene.page)), /Tip INV-\S+ .*Sent/)
    const preview = await previewBooks(scene.service.database, scene.office.id, {
      from: FROM,
      maxNumber: 21,
      hasTips: true,
    })
    assert.deepEqual([preview.counts.tip, preview.documents], [2, await scene.ledger()])
  })

  it('are skipped without a tips account, and sent after one is chosen', async () => {
    const { office, page } = scene
    const { receivable: _, ...chosen } = ACCOUNTS
    const choose = (tips: string) =>
      submit(office.browser, `${page}?accounts=yes`, { ...chosen, tips, act: 'accounts' }, page)
    assert.equal((await choose('')).status, 303)
    const invoice = await scene.invoice({ issue_date: '2026-02-04', due_date: '2026-03-04' })
    await scene.tip(String(invoice['id']), 700)
    await scene.work()
    assert.equal(scene.program.balances().tips, -1_000)
    const preview = await previewBooks(scene.service.database, office.id, { from: FROM, maxNumber: 21, hasTips: false })
    assert.deepEqual([preview.counts.tip, preview.ledger.tips], [0, 0])
    assert.equal((await choose('7')).status, 303)
    await scene.work()
    assert.equal(scene.program.balances().tips, -1_700)
    // Settings saved before tips were supported have no account for them.
    await scene.run(sql`update books_connections set accounts = accounts - 'tips' where tenant_id = ${office.id}`)
    await scene.tip(String(invoice['id']), 300)
    await scene.work()
    assert.equal(scene.program.balances().tips, -1_700)
    assert.equal((await choose('7')).status, 303)
  })
})

describe('the dry run', () => {
  it('reports document numbers that are too long for the program', async () => {
    const preview = await previewBooks(scene.service.database, scene.office.id, {
      from: FROM,
      maxNumber: 3,
      hasTips: true,
    })
    assert.ok(preview.problems.length > 0 && preview.problems.every(({ reason }) => reason === 'number_long'))
  })
})
