import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { WEBHOOK_ENV } from '../../harness/clients/webhook_calls.ts'
import type { Result } from '../../harness/harness.ts'
import { fieldEvent, phoneOf, today } from '../../harness/messaging/phones.ts'
import { startCheckoutProvider, type CheckoutProvider } from '../../harness/money/checkout_provider.ts'
import { paidThere } from '../../harness/money/paid_there.ts'
import { ACCOUNT } from '../../harness/money/payments.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from '../../customer_portal/portal_scene.ts'

let provider: CheckoutProvider
let portal: PortalScene
before(async () => {
  provider = await startCheckoutProvider(WEBHOOK_ENV.PAYMENTS_SECRET_KEY)
  portal = await openPortalScene({ ...WEBHOOK_ENV, PAYMENTS_API_URL: provider.apiUrl })
  await connectPaymentAccount(portal.service.database, null, portal.office.id, ACCOUNT)
})
after(async () => {
  await portal.service.stop()
  await provider.stop()
})

it('a customer pays by card with the QR code on a phone, and the phone shows the payment', async () => {
  const { user_id, browser } = await portal.office.signInMember('tech', { Invoices: 'edit' })
  const phone = phoneOf(portal.service, portal.office, user_id, browser)
  const ann = await portal.office.customer('Ann')
  const job = await portal.office.call('jobs_create', {
    customer_id: ann['id'],
    title: 'Leak',
    scheduled_start: `${today()}T09:00`,
    assignees: [user_id],
    line_items: [{ name: 'Repair', unit_price_cents: 12_000 }],
  })
  const invoiceOn = async (): Promise<Result> =>
    ((await phone.day())['visits'] as Result[]).find(({ id }) => id === job['id'])!['invoices'][0]
  await phone.do(fieldEvent('invoice', job))
  const { id, total_cents } = await invoiceOn()
  const { body } = await phone.ask(`pay-codes/${String(id)}`, { method: 'POST' })
  assert.deepEqual([body['online'], body['due_cents']], [true, total_cents])
  const path = new URL(body['url']).pathname
  const customer = portal.browser()
  const { text } = await customer.get(path)
  await customer.post(`${path}/pay`, { press: fieldValueOf(text, 'press') })
  const [session] = provider.started().filter(({ asked }) => asked['client_reference_id'] === id)
  await paidThere(portal.service, session!)
  const after = await invoiceOn()
  assert.deepEqual([after['status'], after['due_cents']], ['paid', 0])
  const again = await phone.ask(`pay-codes/${String(id)}`, { method: 'POST' })
  assert.equal(again.status, 409)
})
