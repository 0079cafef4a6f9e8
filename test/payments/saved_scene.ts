import assert from 'node:assert/strict'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { openCheckout } from '../../src/payments/hosted_checkout.ts'
import { openSavedPayments } from '../../src/payments/saved/saved_payments_api.ts'
import { sql, writeTenant, type Sql } from '../../src/platform/db/tenant.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { noticeTask } from '../../src/worker/tasks/notices.ts'
import { paymentMethodTask } from '../../src/worker/tasks/outside/saved_payments.ts'
import { runDue } from '../../src/worker/worker.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { startCheckoutProvider } from '../harness/money/checkout_provider.ts'
import type { FakeIntent, FakeMethod, FakeSetup } from '../harness/money/saved_objects.ts'
import { ACCOUNT } from '../harness/money/payments.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import { captureLines } from '../harness/processes/workers.ts'
import type { Result } from '../harness/harness.ts'
import { SENDERS } from '../sending/scene.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from '../customer_portal/portal_scene.ts'

const ZONE = 'America/New_York'

/** Total of an invoice that the scene makes, in cents. */
export const TOTAL = 39_241

/** Returns a date in the company's time zone, counted from today. */
export const dayFromNow = (days: number): string => Temporal.Now.plainDateISO(ZONE).add({ days }).toString()

export type SavedScene = Awaited<ReturnType<typeof openSavedScene>>

/** Starts the service and a fake provider, with a company that lets customers save cards. */
export async function openSavedScene() {
  const provider = await startCheckoutProvider(WEBHOOK_ENV.PAYMENTS_SECRET_KEY)
  const portal = await openPortalScene({ ...WEBHOOK_ENV, ...SENDERS, PAYMENTS_API_URL: provider.apiUrl })
  return savedSceneAt(portal, provider, ACCOUNT)
}

/** Lets a company's customers save cards and agree to automatic payments. */
export async function savedSceneAt(
  set: PortalScene,
  provider: Awaited<ReturnType<typeof startCheckoutProvider>>,
  account: string,
) {
  const { saved } = provider
  const { office, service } = set
  await connectPaymentAccount(service.database, null, office.id, account)
  const allow = (given: Record<string, string | null> = {}) =>
    submit(office.browser, office.at('settings', 'company'), given, office.at('settings', 'company', 'payments'))
  await allow({ saves_methods: 'yes', offers_autopay: 'yes', max_charge: '500.00' })
  const access = { key: WEBHOOK_ENV.PAYMENTS_SECRET_KEY, apiUrl: provider.apiUrl }
  const providers = { checkout: openCheckout(access), saved: openSavedPayments(access) }
  const write = <T>(work: Parameters<typeof writeTenant<T>>[2]): Promise<T> =>
    writeTenant(service.database, { tenant: office.id }, work)
  const run = (query: Sql): Promise<number> => write((db) => db.run(query))
  let customers = 0

  /** Makes a customer with a link. */
  async function customer() {
    const name = `Ana${++customers}`
    const made = await office.customer(name, {
      contacts: [{ first_name: name, email: `${name.toLowerCase()}@example.com`, is_primary: true }],
    })
    const id = String(made['id'])
    return { id, path: await set.issue({ kind: 'customers', id }), browser: set.browser() }
  }

  /** Submits "Agree and continue" and returns the provider's setup page. */
  async function startSetup({ path, browser }: { path: string; browser: ReturnType<typeof set.browser> }) {
    const page = await browser.get(`${path}/saved`)
    const answer = await browser.post(`${path}/saved`, { act: 'save', press: fieldValueOf(page.text, 'press') })
    assert.equal(answer.status, 303, answer.text)
    const setup = [...saved.setups.values()].find(({ url }) => url === answer.headers.get('location'))
    assert.ok(setup)
    return setup
  }

  /** Makes a customer with a card on file. */
  async function customerWithCard(card: Partial<FakeMethod> = {}) {
    const one = await customer()
    const setup: FakeSetup = await startSetup(one)
    const method = saved.completeSetup(setup, card)
    assert.equal((await one.browser.get(`${one.path}/saved/done`)).status, 303)
    return { ...one, method }
  }

  const invoiceOf = async (customer_id: string, given: object = {}): Promise<string> =>
    String((await set.invoice({ customer_id, ...given }))['id'])

  /** Makes a customer with a card on file and an unpaid invoice. */
  async function owing(card: Partial<FakeMethod> = {}, given: object = {}) {
    const one = await customerWithCard(card)
    return { ...one, invoice: await invoiceOf(one.id, given) }
  }

  /** Sends the provider's events and applies them. */
  async function sendEvents(events: readonly object[]): Promise<void> {
    for (const event of events) assert.equal((await providerOf(service).event(event)).status, 200)
    await work(PERIODIC_TASKS.filter(({ name }) => name.startsWith('payment_')))
  }

  let turns = 0
  async function work(tasks: typeof PERIODIC_TASKS, now?: Temporal.Instant): Promise<string[]> {
    const { log, lines } = captureLines()
    const at = now ?? Temporal.Now.instant().add({ seconds: 20 * ++turns })
    const stopping = new AbortController().signal
    for (const { name } of tasks) await run(sql`select ask_chore(${office.id}, ${name})`)
    await runDue({ database: service.database, log, clock: () => at, stopping }, [...tasks, enrollmentTask(tasks)])
    return lines.map(String)
  }

  const tasks = [paymentMethodTask(providers), noticeTask(createSenders(service.config))]

  /** Runs due tasks days from now, at noon by default, never in the past: notices, then charges. */
  async function workOn(days: number, time = '12:00'): Promise<void> {
    const then = Temporal.PlainDate.from(dayFromNow(days))
      .toZonedDateTime({ timeZone: ZONE, plainTime: time })
      .toInstant()
    const present = Temporal.Now.instant().add({ seconds: 20 * turns })
    const now = Temporal.Instant.compare(then, present) < 0 ? present : then
    for (let i = 0; i < 2; i++) await work(tasks, now.add({ seconds: ++turns }))
  }

  return {
    ...set,
    provider,
    saved,
    providers,
    write,
    run,
    allow,
    customer,
    startSetup,
    customerWithCard,
    invoiceOf,
    owing,
    sendEvents,
    work,
    workOn,
    charge: (invoice: string, amount_cents: string, browser = office.browser) =>
      submit(browser, office.at('invoices', invoice, 'charge'), { amount_cents }),
    read: (id: string): Promise<Result> => office.call('invoices_get', { id }),
    money: async (id: string): Promise<[unknown, unknown]> => {
      const { status, amount_paid_cents } = await office.call('invoices_get', { id })
      return [status, amount_paid_cents]
    },
    /** Returns the text of an invoice's page. */
    sheetOf: async (id: string): Promise<string> => pageTextOf(await office.browser.get(office.at('invoices', id))),
    /** Returns the charges of an invoice, oldest first. */
    chargesOf: (invoice: string) =>
      set.all<{ state: string; code: string | null }>(
        sql`select state, code from saved_charges where invoice_id = ${invoice} order by created_at`,
      ),
    /** Returns the provider's ledger entries of an invoice. */
    taken: (invoice: string) => saved.ledger.filter(({ metadata }) => metadata['invoice_id'] === invoice),
    intentsOf: (invoice: string): FakeIntent[] =>
      [...saved.intents.values()].filter(
        ({ asked }) => (asked['metadata'] as object & { invoice_id: string }).invoice_id === invoice,
      ),
    letters: (about: string): Promise<{ cause: string; subject: string; body: string }[]> =>
      set.all(sql`select o.cause, m.subject, m.body from outbox o
        join communications m on m.tenant_id = o.tenant_id and m.id = o.id
        where o.tenant_id = ${office.id} and o.about_id = ${about} and o.cause in ('autopay', 'receipt') order by o.id`),
    stop: async (): Promise<void> => {
      await service.stop()
      await provider.stop()
    },
  }
}
