import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { fieldEvent } from '../../harness/messaging/phones.ts'
import { openOptions, outcomesOf, signatureOf, type OptionsScene } from './options_scene.ts'

let { service, office, mia, phoneFor, visitOfNew, setOn, quotesOf, all } = {} as OptionsScene
before(async () => {
  ;({ service, office, mia, phoneFor, visitOfNew, setOn, quotesOf, all } = await openOptions())
})
after(() => service.stop())

describe('the deposit of a quote signed on a phone', () => {
  it("is invoiced and issued once, and can be paid by the signature's id or the invoice", async () => {
    const { customer, job } = await visitOfNew()
    const quote = setOn(job)
    const signed = signatureOf(quote, job, { option: 1 })
    const paid = fieldEvent('payment', job, { invoice_act: signed['id'], amount_cents: 4_000, method: 'check' })
    for (let i = 0; i < 2; i++) assert.deepEqual(await outcomesOf(mia, [quote, signed, paid]), ['done', 'done', 'done'])
    const invoices = await all(sql`select id, status, total_cents, balance_due_cents from invoices
      where tenant_id = ${office.id} and customer_id = ${customer['id']}`)
    const [invoice, ...more] = invoices
    assert.deepEqual(
      [invoice?.['status'], invoice?.['total_cents'], invoice?.['balance_due_cents'], more],
      ['partially_paid', 9_743, 5_743, []],
    )
    const [, better] = await quotesOf(job)
    const { id, act: by, due_cents, receipt_to } = Object(better).deposit_invoice as Result
    assert.deepEqual([id, by, due_cents, receipt_to], [invoice?.['id'], signed['id'], 5_743, null])
    const rest = fieldEvent('payment', job, { invoice_id: id, amount_cents: 5_743, method: 'cash' })
    assert.equal((await mia.do(rest))['outcome'], 'done')
    assert.equal((await quotesOf(job))[1]?.['deposit_invoice'].due_cents, 0)
    const tools = (await office.entries(String(id))).map(({ tool, user_id }) => [tool, user_id])
    assert.deepEqual(
      tools.find(([tool]) => tool === 'invoices.issued_on_site'),
      ['invoices.issued_on_site', mia.user],
    )
    const page = pageTextOf(await office.browser.get(office.at('invoices', String(id))))
    assert.match(page, /had the quote signed, which issued it/)
  })

  it('is absent for a quote without one, and visible only with invoice access', async () => {
    const { customer, job } = await visitOfNew()
    const plain = setOn(job, { options: [] })
    assert.deepEqual(await outcomesOf(mia, [plain, signatureOf(plain, job)]), ['done', 'done'])
    assert.equal((await quotesOf(job))[0]?.['deposit_invoice'], null)
    assert.deepEqual(
      await all(sql`select id from invoices where tenant_id = ${office.id} and customer_id = ${customer['id']}`),
      [],
    )
    const paid = fieldEvent('payment', job, { invoice_act: newId(), amount_cents: 1, method: 'cash' })
    assert.equal((await mia.do(paid))['outcome'], 'refused')
    const asked = setOn(job, { options: [], deposit: { type: 'amount', value: 1_000 } })
    const blind = await phoneFor({ Quotes: 'edit', Invoices: 'none' })
    await office.call('jobs_update', { id: job['id'], assignees: [mia.user, blind.user] })
    assert.deepEqual(await outcomesOf(blind, [asked, signatureOf(asked, job)]), ['done', 'done'])
    assert.equal((await quotesOf(job, blind)).find(({ act }) => act === asked['id'])?.['deposit_invoice'], null)
    const [shown] = await quotesOf(job)
    assert.deepEqual([shown?.['act'], shown?.['deposit_invoice'].total_cents], [asked['id'], 1_000])
  })
})
