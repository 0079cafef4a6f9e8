import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import type { TenantRun } from '../../../src/worker/periodic_task.ts'
import { givenBack } from '../../harness/money/paid_there.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { fieldValueOf } from '../portal_scene.ts'
import { openCheckoutScene, type CheckoutScene } from './checkout_scene.ts'

let { portal, provider, pay, sessionsOf, statesOf, update, read, endEnded, payThere, stop } = {} as CheckoutScene
before(
  async () =>
    void ({ portal, provider, pay, sessionsOf, statesOf, update, read, endEnded, payThere, stop } =
      await openCheckoutScene()),
)
after(() => stop())

describe('the checkout sessions of an invoice link', () => {
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
})
