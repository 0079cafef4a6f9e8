import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { ACCOUNT } from '../../harness/money/payments.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { fieldValueOf, openPortalScene } from '../portal_scene.ts'
import { WEBHOOK_ENV } from '../../harness/clients/webhook_calls.ts'
import { openCheckoutScene, type CheckoutScene } from './checkout_scene.ts'

let { portal, provider, pay, sessionsOf, statesOf, update, read, endEnded, payThere, stop } = {} as CheckoutScene
before(
  async () =>
    void ({ portal, provider, pay, sessionsOf, statesOf, update, read, endEnded, payThere, stop } =
      await openCheckoutScene()),
)
after(() => stop())

describe('the invoice link', () => {
  it('shows the amount due with a Pay button, and no internal ids', async () => {
    const { path, invoice } = await portal.invoiceLink()
    const page = await portal.browser().get(path)
    assert.equal(page.status, 200)
    assert.match(pageTextOf(page), /Water heater.*\$392\.41.*Pay \$392\.41/)
    assert.doesNotMatch(page.headers.get('content-security-policy')!, /form-action/)
    assert.doesNotMatch(page.text, new RegExp(`${portal.office.id}|${String(invoice['id'])}`))
  })

  it("creates a checkout session for exactly the balance, on the company's account", async () => {
    const { path, invoice } = await portal.invoiceLink()
    const answer = await pay(path)
    const [session] = sessionsOf(invoice['id'])
    assert.deepEqual([answer.status, answer.location], [303, session!.url])
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(session!.account, ACCOUNT)
    const metadata = { invoice_id: invoice['id'], tenant_id: portal.office.id }
    assert.deepEqual(session!.asked['metadata'], metadata)
    assert.deepEqual(session!.asked['payment_intent_data'], {
      description: `Invoice ${invoice['display_number']}`,
      metadata,
      receipt_email: 'maria@example.com',
    })
    assert.equal(session!.asked['customer_email'], 'maria@example.com')
    assert.deepEqual(session!.asked['line_items'], [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: 39_241,
          product_data: { name: `Invoice ${invoice['display_number']}` },
        },
      },
    ])
    assert.equal(provider.requests.at(-1)!.version, '2026-10-28.endive')
    assert.deepEqual(await statesOf(invoice['id']), ['open'])
  })

  it("is paid by the provider's events, not by the return from checkout", async () => {
    const { path, invoice } = await portal.invoiceLink()
    const browser = portal.browser()
    await pay(path, browser)
    const [session] = sessionsOf(invoice['id'])
    const back = new URL(String(session!.asked['success_url']))
    assert.equal((await browser.get(back.pathname)).status, 303)
    const unpaid = await browser.get(path)
    assert.match(pageTextOf(unpaid), /Pay \$392\.41/)
    assert.doesNotMatch(pageTextOf(unpaid), /Thank you/)
    session!.status = 'complete'
    assert.equal((await browser.get(back.pathname)).location, path)
    assert.match(pageTextOf(await browser.get(path)), /Thank you\. Your payment is on its way\./)
    assert.equal((await read(invoice['id']))['status'], 'sent')
    await payThere(session!)
    const { status, amount_paid_cents, balance_due_cents } = await read(invoice['id'])
    assert.deepEqual([status, amount_paid_cents, balance_due_cents], ['paid', 39_241, 0])
    const page = pageTextOf(await browser.get(path))
    assert.match(page, /Paid in full\. Thank you\./)
    assert.doesNotMatch(page, /Pay \$/)
    assert.deepEqual(await statesOf(invoice['id']), ['complete'])
    await endEnded()
    assert.deepEqual(await statesOf(invoice['id']), ['complete'])
  })

  it('hides Pay while a payment is in progress, and refreshes a limited number of times', async () => {
    const { path, invoice } = await portal.invoiceLink()
    const browser = portal.browser()
    await pay(path, browser)
    const [session] = sessionsOf(invoice['id'])
    Object.assign(session!, { status: 'complete', intent: 'processing' })
    assert.match(
      pageTextOf(await browser.get(path)),
      /Pay \$392\.41/,
      'nobody came back yet, so the provider is not asked',
    )
    await browser.get(`${path}/paid`)
    let looks = 0
    for (let at: string | undefined = path; at !== undefined; looks++) {
      const page = await browser.get(at)
      assert.equal(page.status, 200)
      assert.match(pageTextOf(page), /Your payment is on its way\. It will show here .* Check again/)
      assert.doesNotMatch(page.text, /\/pay"|Pay \$/)
      at = /^\d{1,2}; url=(\/c\/[\w-]{22}\?look=\d)$/.exec(page.headers.get('refresh') ?? '')?.[1]
    }
    assert.equal(looks, 9)
    for (const look of ['-1', 'x', '1e9', '0.5', 'Infinity'])
      assert.equal((await browser.get(`${path}?look=${look}`)).status, 200)
    const asked = provider.requests.length
    session!.intent = 'requires_payment_method'
    const again = await browser.get(path)
    assert.match(pageTextOf(again), /Pay \$392\.41/, 'the bank gave up, so it can be paid again')
    assert.equal(again.headers.get('refresh'), null)
    assert.ok(provider.requests.length > asked)
    assert.deepEqual(await statesOf(invoice['id']), ['expired'])
    const quiet = provider.requests.length
    await browser.get(path)
    assert.equal(provider.requests.length, quiet, 'an invoice without a payment under way asks nobody')
  })

  it('explains when the provider rejects the payment or is unavailable', async () => {
    const { path, invoice } = await portal.invoiceLink()
    for (const [status, code, answered, words] of [
      [400, 'amount_too_small', 409, /can’t be paid by card here/],
      [500, 'server', 503, /isn’t available right now. You haven’t been charged/],
    ] as const) {
      provider.state.refusal = { status, code }
      const refused = await pay(path).finally(() => (provider.state.refusal = undefined))
      assert.equal(refused.status, answered)
      assert.match(pageTextOf(refused), words)
    }
    assert.deepEqual(await statesOf(invoice['id']), ['failed', 'failed'])
    assert.equal((await pay(path)).status, 303)
  })

  it('offers no payment for a paid, void or draft invoice, and says why', async () => {
    for (const [status, words] of [
      ['paid', /Paid in full/],
      ['void', /This invoice is void.*You don’t owe anything/],
      ['draft', /is changing this invoice/],
    ] as const) {
      const { path, invoice } = await portal.invoiceLink()
      const browser = portal.browser()
      const press = fieldValueOf((await browser.get(path)).text, 'press')
      await (status === 'void'
        ? portal.office.call('invoices_void', { id: invoice['id'], reason: 'Twice' })
        : update(invoice['id'], { status }))
      const page = await browser.get(path)
      assert.match(pageTextOf(page), words)
      assert.doesNotMatch(pageTextOf(page), /Pay \$/)
      const refused = await browser.post(`${path}/pay`, { press })
      assert.equal(refused.status, 409, status)
      assert.equal(sessionsOf(invoice['id']).length, 0)
    }
  })

  it('does not show a draft invoice, nor its PDF', async () => {
    const { path, invoice } = await portal.invoiceLink()
    await update(invoice['id'], { status: 'draft' })
    assert.doesNotMatch((await portal.browser().get(path)).text, /Water heater/)
    assert.equal((await portal.browser().get(`${path}/pdf`)).status, 404)
  })

  it('accepts no payment without an account, or in ISK', async () => {
    const closed = await openPortalScene({ ...WEBHOOK_ENV, PAYMENTS_API_URL: provider.apiUrl })
    try {
      const { path } = await closed.invoiceLink()
      const browser = closed.browser()
      assert.match(pageTextOf(await browser.get(path)), /To pay, please contact Acme Plumbing/)
      assert.equal((await browser.post(`${path}/pay`, { press: '' })).status, 409)
      await connectPaymentAccount(closed.service.database, null, closed.office.id, ACCOUNT)
      assert.match(pageTextOf(await browser.get(path)), /Pay \$392\.41/)
      await writeTenant(closed.service.database, { tenant: closed.office.id }, (db) =>
        db.run(sql`update invoices set currency = 'ISK' where tenant_id = ${db.tenant}`),
      )
      assert.doesNotMatch(pageTextOf(await browser.get(path)), /Pay ISK/)
    } finally {
      await closed.service.stop()
    }
  })
})
