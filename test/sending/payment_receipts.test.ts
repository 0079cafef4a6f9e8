import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { issueLink } from '../../src/customer_portal/link.ts'
import { readReceiptDocument } from '../../src/pdf/receipt.ts'
import { renderPdf } from '../../src/pdf/pdf.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import { pageTextOf, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

/** Makes an invoice of $2,000 with two payments. */
async function paidTwice(name: string): Promise<{ id: string; payments: string[] }> {
  const { id: customer } = await scene.customer(name)
  const { id } = await scene.invoice(String(customer))
  for (const amount_cents of ['500', '1500'])
    await submit(scene.browser, scene.at('invoices', String(id), 'payment'), { amount_cents, method: 'check' })
  const payments = await readTenant(service.database, { tenant: scene.id }, (db) =>
    db.all<{ id: string }>(
      sql`select id from payments where tenant_id = ${scene.id} and invoice_id = ${String(id)} order by at, id`,
    ),
  )
  return { id: String(id), payments: payments.map((one) => one.id) }
}

const takeBack = (id: string, payment: string) =>
  sendForm(scene.browser, scene.at('invoices', id, 'payments', payment, 'take-back'), [])

const receiptsOf = async (invoice: string) =>
  (await scene.listQueued()).filter(({ cause, about_id }) => cause === 'receipt' && about_id === invoice)

describe('a payment receipt', () => {
  it('shows the previous payments and the remaining balance at that time', async () => {
    const { id, payments } = await paidTwice('Anna')
    const papers = await readTenant(service.database, { tenant: scene.id }, (db) =>
      Promise.all(payments.map((payment) => readReceiptDocument(db, { payment, invoice: id }))),
    )
    assert.deepEqual(
      papers.map(({ number, headline, sums }) => [
        number.slice(-2),
        headline?.amount,
        sums.map(({ amount }) => amount),
      ]),
      [
        ['-1', '$500.00', ['$2,000.00', '-$500.00', '$1,500.00']],
        ['-2', '$1,500.00', ['$2,000.00', '-$500.00', '-$1,500.00', '$0.00']],
      ],
    )
    const { content } = await renderPdf(scene.id, papers[0]!)
    assert.equal(Buffer.from(content.subarray(0, 5)).toString(), '%PDF-')
  })

  it('is linked from the invoice and sent once per address, replacing the automatic receipt', async () => {
    const { id, payments } = await paidTwice('Berta')
    const { text } = await scene.browser.get(scene.at('invoices', id))
    const path = scene.at('invoices', id, 'payments', payments[1]!, 'receipt')
    assert.ok(text.includes(`href="${path}"`))
    const page = await scene.browser.get(path)
    assert.match(pageTextOf(page), /Receipt INV-\d+-2/)
    assert.match(page.text, /value="berta@example\.com"/)
    for (let i = 0; i < 2; i++) await sendForm(scene.browser, path, [['to', 'berta@example.com']])
    const [mail, ...more] = await receiptsOf(id)
    assert.deepEqual([more, mail!.attachments], [[], [{ document: 'receipts', id: payments[1] }]])
    assert.match(mail!.body, /We received \$1,500\.00/)
    await sendForm(scene.browser, path, [['to', '+1 617 555 0142']])
    assert.deepEqual(
      (await receiptsOf(id)).map(({ channel }) => channel),
      ['email', 'sms'],
    )
    const pdf = await scene.browser.get(`${path}.pdf`)
    assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  })

  it("can't be sent without permission, or for a payment that was undone", async () => {
    const { id, payments } = await paidTwice('Cora')
    const path = scene.at('invoices', id, 'payments', payments[0]!, 'receipt')
    const viewer = await scene.signInMember('office', { Invoices: 'view' })
    assert.equal((await viewer.browser.get(path)).status, 200)
    assert.ok(!(await viewer.browser.get(path)).text.includes('Send receipt'))
    assert.equal((await sendForm(viewer.browser, path, [['to', 'cora@example.com']])).status, 404)
    const tech = await scene.signInMember('tech')
    assert.equal((await tech.browser.get(path)).status, 404)
    await takeBack(id, payments[0]!)
    assert.equal((await sendForm(scene.browser, path, [['to', 'cora@example.com']])).status, 409)
    assert.deepEqual(await receiptsOf(id), [])
    assert.match(pageTextOf(await scene.browser.get(path)), /Payment undone/)
    assert.equal((await scene.browser.get(scene.at('invoices', id, 'payments', newId(), 'receipt'))).status, 404)
  })

  it('is available through the customer link of its own invoice only', async () => {
    const [own, other] = [await paidTwice('Dora'), await paidTwice('Edda')]
    const { path } = await writeTenant(service.database, { tenant: scene.id }, (db) =>
      issueLink(db, { kind: 'invoices', id: own.id, by: null }),
    )
    const stranger = newBrowser(service)
    const { text } = await stranger.get(path)
    for (const payment of own.payments) {
      assert.ok(text.includes(`${path}/receipts/${payment}`))
      const pdf = await stranger.get(`${path}/receipts/${payment}`)
      assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
    }
    assert.equal((await stranger.get(`${path}/receipts/${other.payments[0]!}`)).status, 404)
    await takeBack(own.id, own.payments[0]!)
    assert.ok(!(await stranger.get(path)).text.includes(`${path}/receipts/${own.payments[0]!}`))
  })
})
