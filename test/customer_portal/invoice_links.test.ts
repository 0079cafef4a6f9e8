import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { endStalePages } from '../../src/payments/checkout_pages.ts'
import { openCheckout } from '../../src/payments/hosted_checkout.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import type { TenantRun } from '../../src/worker/periodic_task.ts'
import { startCheckoutProvider, type CheckoutProvider, type FakeSession } from '../harness/money/checkout_provider.ts'
import { givenBack, paidThere } from '../harness/money/paid_there.ts'
import { ACCOUNT } from '../harness/money/payments.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { WEBHOOK_ENV } from '../harness/clients/webhook_calls.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from './portal_scene.ts'

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

/** Opens an invoice in a new browser and presses "Pay", on an earlier page if the current one has no such button. */
async function pay(path: string, browser = portal.browser()) {
  const { text } = await browser.get(path)
  return browser.post(`${path}/pay`, { press: text.includes('name="press"') ? fieldValueOf(text, 'press') : newId() })
}

const sessionsOf = (invoice: unknown): FakeSession[] =>
  provider.started().filter(({ asked }) => asked['client_reference_id'] === invoice)
const statesOf = async (invoice: unknown): Promise<string[]> =>
  (
    await portal.all<{ state: string }>(
      sql`select state from checkout_sessions where invoice_id = ${invoice} order by created_at`,
    )
  ).map(({ state }) => state)
const update = (id: unknown, patch: object) => portal.office.call('invoices_update', { id, ...patch })
const read = (id: unknown) => portal.office.call('invoices_get', { id })

/** Expires checkout sessions with an outdated amount, as the worker does. */
const endEnded = () =>
  endStalePages(
    (work) => writeTenant(portal.service.database, { tenant: portal.office.id }, work),
    openCheckout({ key: WEBHOOK_ENV.PAYMENTS_SECRET_KEY, apiUrl: provider.apiUrl }),
  )

const payThere = (session: FakeSession, more: object = {}) => paidThere(portal.service, session, more)

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

  it('deletes a checkout session 30 days after it was created, whatever its state', async () => {
    const chore = PERIODIC_TASKS.find(({ name }) => name === 'checkout_sweep')!
    assert.equal(chore.of, 'tenant')
    const { path, invoice } = await portal.invoiceLink()
    await pay(path)
    const sweep = (days: number): Promise<unknown> =>
      chore.run({
        now: Temporal.Now.instant().add({ hours: 24 * days }),
        tenant: { id: portal.office.id } as TenantRun['tenant'],
        write: (work) => writeTenant(portal.service.database, { tenant: portal.office.id }, work),
        conclude: () => assert.fail(),
        each: () => Promise.resolve(),
      })
    await sweep(29)
    assert.deepEqual(await statesOf(invoice['id']), ['open'])
    await sweep(31)
    assert.deepEqual(await statesOf(invoice['id']), [])
    await pay(path)
    assert.deepEqual(await statesOf(invoice['id']), ['open'])
  })

  it('creates one checkout session per press, even if submitted twice', async () => {
    const { path, invoice } = await portal.invoiceLink()
    const browser = portal.browser()
    const press = fieldValueOf((await browser.get(path)).text, 'press')
    const first = await browser.post(`${path}/pay`, { press })
    const again = await browser.post(`${path}/pay`, { press })
    assert.equal(again.location, first.location)
    assert.equal(sessionsOf(invoice['id']).length, 1)
  })

  it('expires the previous checkout session when another is created', async () => {
    const { path, invoice } = await portal.invoiceLink()
    await pay(path)
    await pay(path)
    assert.deepEqual(
      sessionsOf(invoice['id']).map(({ status }) => status),
      ['expired', 'open'],
    )
    assert.deepEqual(await statesOf(invoice['id']), ['expired', 'open'])
  })

  it('creates no second session once the first is complete', async () => {
    const { path, invoice } = await portal.invoiceLink()
    await pay(path)
    sessionsOf(invoice['id'])[0]!.status = 'complete'
    const refused = await pay(path)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /A payment is on its way/)
    assert.equal(sessionsOf(invoice['id']).length, 1)
  })

  it('creates no session while the first payment is processing, however often Pay is pressed', async () => {
    const { path, invoice } = await portal.invoiceLink()
    const browser = portal.browser()
    const press = fieldValueOf((await browser.get(path)).text, 'press')
    await browser.post(`${path}/pay`, { press })
    Object.assign(sessionsOf(invoice['id'])[0]!, { status: 'complete', intent: 'processing' })
    for (const again of [() => pay(path), () => pay(path), () => browser.post(`${path}/pay`, { press })])
      assert.match(pageTextOf(await again()), /A payment is on its way/)
    assert.equal(sessionsOf(invoice['id']).length, 1)
    sessionsOf(invoice['id'])[0]!.intent = 'hidden'
    assert.match(pageTextOf(await pay(path)), /A payment is on its way/)
    sessionsOf(invoice['id'])[0]!.intent = 'requires_payment_method'
    assert.equal((await pay(path)).status, 303)
    assert.deepEqual((await statesOf(invoice['id'])).toSorted(), [
      'expired',
      ...Array.from({ length: 4 }, () => 'failed'),
      'open',
    ])
  })

  it('creates another session when the first payment was recorded and refunded', async () => {
    const { path, invoice } = await portal.invoiceLink()
    await pay(path)
    const [first] = sessionsOf(invoice['id'])
    first!.status = 'complete'
    await pay(path)
    assert.deepEqual(await statesOf(invoice['id']), ['complete', 'failed'])
    const paid = await payThere(first!)
    assert.equal((await read(invoice['id'])).status, 'paid')
    await givenBack(portal.service, paid)
    assert.equal((await pay(path)).status, 303)
    assert.deepEqual(await statesOf(invoice['id']), ['complete', 'failed', 'open'])
  })

  it('replaces the session of the same press when it has too little time left', async () => {
    const { path, invoice } = await portal.invoiceLink()
    const browser = portal.browser()
    const press = fieldValueOf((await browser.get(path)).text, 'press')
    const first = await browser.post(`${path}/pay`, { press })
    await writeTenant(portal.service.database, { tenant: portal.office.id }, (db) =>
      db.run(sql`update checkout_sessions set created_at = created_at - make_interval(mins => 26)
        where tenant_id = ${db.tenant} and invoice_id = ${String(invoice['id'])}`),
    )
    const later = await browser.post(`${path}/pay`, { press })
    assert.equal(later.status, 303)
    assert.notEqual(later.location, first.location)
    assert.deepEqual(
      sessionsOf(invoice['id']).map(({ status }) => status),
      ['expired', 'open'],
    )
    const last = await browser.post(`${path}/pay`, { press })
    assert.equal(last.status, 303)
    assert.deepEqual(await statesOf(invoice['id']), ['expired', 'expired', 'open'])
  })

  it('expires a session whose amount is no longer due', async () => {
    const { path, invoice } = await portal.invoiceLink()
    await pay(path)
    await update(invoice['id'], { status: 'paid' })
    assert.deepEqual(await statesOf(invoice['id']), ['stale'])
    await endEnded()
    assert.deepEqual(
      sessionsOf(invoice['id']).map(({ status }) => status),
      ['expired'],
    )
    assert.deepEqual(await statesOf(invoice['id']), ['expired'])
  })

  it('returns 409 when the amount changes while the session is being created', async () => {
    const { path, invoice } = await portal.invoiceLink()
    provider.state.duringStart = () => update(invoice['id'], { status: 'paid' })
    const refused = await pay(path).finally(() => (provider.state.duringStart = undefined))
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /The amount has changed/)
    assert.deepEqual(
      sessionsOf(invoice['id']).map(({ status }) => status),
      ['expired'],
    )
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
