import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSenders } from '../../../src/messaging/outbox/senders/senders.ts'
import { findStaleReason } from '../../../src/messaging/outbox/stale.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { enrollmentTask } from '../../../src/worker/tasks/enrollment.ts'
import { reminderTask } from '../../../src/worker/tasks/reminders.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { providerOf } from '../../harness/clients/webhook_calls.ts'
import type { Result } from '../../harness/harness.ts'
import { followRedirects, pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import type { FakeSession } from '../../harness/money/checkout_provider.ts'
import { runChores } from '../../harness/money/paid_there.ts'
import { ACCOUNT, newProviderId } from '../../harness/money/payments.ts'
import { captureLines } from '../../harness/processes/workers.ts'
import { SENDERS } from '../../sending/scene.ts'
import { fieldValueOf } from '../portal_scene.ts'
import { openCheckoutScene, type CheckoutScene } from './checkout_scene.ts'

let { provider, portal, stop } = {} as CheckoutScene
before(async () => void ({ provider, portal, stop } = await openCheckoutScene(SENDERS)))
after(() => stop())

type Debit = { path: string; id: string; session: FakeSession; intent: string }

/** Presses "Pay" on a new invoice and pays by bank on the provider's page. */
async function payByBank(given: object = {}): Promise<Debit> {
  const { path, invoice } = await portal.invoiceLink(given)
  const browser = portal.browser()
  await browser.post(`${path}/pay`, { press: fieldValueOf((await browser.get(path)).text, 'press') })
  const id = String(invoice['id'])
  const session = provider.started().find(({ asked }) => asked['client_reference_id'] === id)!
  Object.assign(session, { status: 'complete', intent: 'processing' })
  return { path, id, session, intent: `pi_${session.id}` }
}

const amount = 39_241
let created = 1_800_000_000

/** Sends a signed event, later than the previous one unless a time is given, and applies it. */
async function tell(
  type: string,
  { id, session, intent }: Debit,
  more: object = {},
  at = (created += 60),
): Promise<void> {
  const metadata = { invoice_id: id, tenant_id: portal.office.id }
  const object = type.startsWith('checkout.')
    ? {
        id: session.id,
        object: 'checkout.session',
        payment_status: 'unpaid',
        payment_intent: intent,
        amount_total: amount,
      }
    : { id: intent, object: 'payment_intent', amount }
  const event = {
    id: newProviderId('evt'),
    type,
    account: ACCOUNT,
    livemode: false,
    created: at,
    data: { object: { currency: 'usd', metadata, ...object, ...more } },
  }
  assert.equal((await providerOf(portal.service).event(event)).status, 200)
  await runChores(
    portal.service,
    PERIODIC_TASKS.filter(({ name }) => name.startsWith('payment_')),
  )
}

const pageOf = async (path: string): Promise<string> => pageTextOf(await portal.browser().get(path))
const sheetOf = async (id: string): Promise<string> =>
  pageTextOf(await portal.office.browser.get(portal.office.at('invoices', id)))
const press = (path: string) => portal.browser().post(`${path}/pay`, { press: newId() })
const read = (id: string): Promise<Result> => portal.office.call('invoices_get', { id })

const PROCESSING = /Your bank payment of \$392\.41 is being processed Your bank can take several business days\./
const FAILED = /Your bank payment of \$392\.41 didn’t go through Nothing was charged\. Please pay again\./

const remindPage = async (id: string): Promise<string> =>
  pageTextOf(await portal.office.browser.get(`${portal.office.at('invoices', 'remind')}?ids=${id}`))

/** Asserts that the customer and the office see a pending payment and that nobody can pay twice. */
async function requirePending({ path, id }: Debit): Promise<void> {
  const page = await portal.browser().get(path)
  assert.match(pageTextOf(page), PROCESSING)
  assert.doesNotMatch(page.text, /\/pay"|Pay \$/)
  assert.equal(page.headers.get('refresh'), null)
  const started = provider.started().length
  const again = await press(path)
  assert.equal(again.status, 409)
  assert.match(pageTextOf(again), /A payment is on its way\. You don’t need to pay again\./)
  assert.equal(provider.started().length, started)
  assert.match(await sheetOf(id), /A bank payment of \$392\.41 is being processed/)
  assert.match(await remindPage(id), /A bank payment is being processed\./)
  const { status, amount_paid_cents } = await read(id)
  assert.deepEqual([status, amount_paid_cents], ['sent', 0])
}

/** Asserts that the customer and the office see the failure and that the customer can pay again. */
async function requireFailed({ path, id }: Debit): Promise<void> {
  assert.match(await pageOf(path), FAILED)
  assert.match(await sheetOf(id), /A bank payment of \$392\.41 didn’t go through/)
  assert.doesNotMatch(await remindPage(id), /A bank payment is being processed\./)
  assert.equal((await press(path)).status, 303)
}

describe('a bank payment', () => {
  for (const type of ['checkout.session.completed', 'payment_intent.processing'])
    it(`is pending after ${type}: shown, not payable twice, no reminders`, async () => {
      const debit = await payByBank()
      await tell(type, debit)
      await requirePending(debit)
    })

  for (const type of [
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'checkout.session.async_payment_failed',
  ])
    it(`fails after ${type}, and the invoice can be paid again`, async () => {
      const debit = await payByBank()
      await tell('checkout.session.completed', debit)
      debit.session.intent = 'requires_payment_method'
      await tell(type, debit)
      await requireFailed(debit)
    })

  it('shows its failure until a later payment; a payment from before it keeps the failure visible', async () => {
    const debit = await payByBank()
    const record = async (cents: string): Promise<void> => {
      const form = portal.office.at('invoices', debit.id, 'payment')
      assert.equal((await submit(portal.office.browser, form, { amount_cents: cents, method: 'cash' })).status, 303)
    }
    const now = Math.floor(Date.now() / 1_000)
    await tell('checkout.session.completed', debit, {}, now - 7_200)
    await record('10')
    await portal.all(sql`update payments set at = now() - interval '1 hour' where invoice_id = ${debit.id}`)
    debit.session.intent = 'requires_payment_method'
    await tell('payment_intent.payment_failed', debit, {}, now - 60)
    assert.match(await sheetOf(debit.id), /A bank payment of \$392\.41 didn’t go through/)
    assert.match(await pageOf(debit.path), FAILED)
    await record('20')
    assert.doesNotMatch(await sheetOf(debit.id), /bank payment of/)
    assert.doesNotMatch(await pageOf(debit.path), /bank payment/)
  })

  it('fails once the provider reports it on a status check, without an event', async () => {
    const debit = await payByBank()
    await tell('checkout.session.completed', debit)
    await portal.browser().get(`${debit.path}/paid`)
    debit.session.intent = 'requires_payment_method'
    await requireFailed(debit)
  })

  it('is recorded as paid once, whichever of the two success events comes first', async () => {
    for (const order of [0, 1]) {
      const debit = await payByBank()
      await tell('checkout.session.completed', debit)
      debit.session.intent = 'succeeded'
      const ends = [
        () => tell('checkout.session.async_payment_succeeded', debit, { payment_status: 'paid' }),
        () => tell('payment_intent.succeeded', debit, { amount_received: amount }),
      ]
      await ends[order]!()
      await ends[1 - order]!()
      const { status, amount_paid_cents } = await read(debit.id)
      assert.deepEqual([status, amount_paid_cents], ['paid', amount])
      assert.match(await pageOf(debit.path), /Paid in full\. Thank you\./)
      assert.doesNotMatch(await sheetOf(debit.id), /bank payment of/)
    }
  })

  it('is described in Spanish to a customer whose browser is in Spanish', async () => {
    const debit = await payByBank()
    await tell('payment_intent.processing', debit)
    const page = await portal.browser().send(debit.path, { headers: { 'accept-language': 'es' } })
    assert.match(pageTextOf(page), /Su pago bancario de .*392\.41.* se está procesando/)
  })
})

describe('an expired checkout session', () => {
  const statesOf = async (id: string): Promise<string[]> =>
    (await portal.all<{ state: string }>(sql`select state from checkout_sessions where invoice_id = ${id}`)).map(
      ({ state }) => state,
    )

  it('is marked expired by its event, and shows no bank payment', async () => {
    const debit = await payByBank()
    debit.session.status = 'expired'
    await tell('checkout.session.expired', debit, { payment_intent: null })
    assert.deepEqual(await statesOf(debit.id), ['expired'])
    const page = await pageOf(debit.path)
    assert.match(page, /Pay \$392\.41/)
    assert.doesNotMatch(page, /bank payment/)
  })

  it('leaves no payment pending, whichever order the completed and expired events arrive in', async () => {
    for (const types of [
      ['checkout.session.completed', 'checkout.session.expired'],
      ['checkout.session.expired', 'checkout.session.completed'],
    ]) {
      const debit = await payByBank()
      debit.session.status = 'expired'
      for (const type of types) await tell(type, debit, type.endsWith('expired') ? { payment_intent: null } : {})
      await requireFailed(debit)
    }
  })

  it('does not change a session of another invoice', async () => {
    const [one, other] = [await payByBank(), await payByBank()]
    await tell('checkout.session.expired', { ...one, id: other.id })
    assert.deepEqual([await statesOf(one.id), await statesOf(other.id)], [['open'], ['open']])
  })
})

describe('invoice reminders and bank payments', () => {
  const remindersOf = async (id: string): Promise<{ id: string }[]> =>
    portal.all<{ id: string }>(sql`select id from outbox where about_id = ${id} and cause = 'reminder'`)
  const ZONE = 'America/New_York'
  const days = (count: number): string => Temporal.Now.plainDateISO(ZONE).add({ days: count }).toString()

  /** Runs the due tasks at a local time in eight days. */
  async function workAt(time: string): Promise<void> {
    const { log, lines } = captureLines()
    const now = Temporal.PlainDate.from(days(8)).toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant()
    const tasks = [reminderTask(createSenders(portal.service.config))]
    const stopping = new AbortController().signal
    await runDue({ database: portal.service.database, log, clock: () => now, stopping }, [
      ...tasks,
      enrollmentTask(tasks),
    ])
    assert.deepEqual(lines, [])
  }

  it('are paused while a bank payment is pending and resume after it fails', async () => {
    const wanted = { invoice_on_off: 'yes', invoice_hour: '10', invoice_after: ['7'] }
    assert.equal((await submit(portal.office.browser, portal.office.at('settings', 'reminders'), wanted)).status, 303)
    const due = { issue_date: days(0), due_date: days(1) }
    const [held, free] = [await payByBank(due), await payByBank(due)]
    await tell('checkout.session.completed', held)
    await workAt('10:00')
    assert.deepEqual([(await remindersOf(held.id)).length, (await remindersOf(free.id)).length], [0, 1])
    await tell('payment_intent.payment_failed', held)
    await workAt('12:00')
    assert.deepEqual([(await remindersOf(held.id)).length, (await remindersOf(free.id)).length], [1, 1])
  })

  it('marks a queued reminder as stale while a bank payment is pending', async () => {
    const debit = await payByBank({ issue_date: days(-30), due_date: days(-8) })
    const sent = await submit(
      portal.office.browser,
      `${portal.office.at('invoices', 'remind')}?ids=${debit.id}`,
      {},
      portal.office.at('invoices', 'remind'),
    )
    await followRedirects(portal.office.browser, sent)
    const [message] = await remindersOf(debit.id)
    const stale = () =>
      readTenant(portal.service.database, { tenant: portal.office.id }, (db) =>
        findStaleReason(db, { id: message!.id, cause: 'reminder', about_kind: 'invoices' }),
      )
    assert.equal(await stale(), undefined)
    await tell('checkout.session.completed', debit)
    assert.equal(await stale(), 'overtaken')
  })
})
