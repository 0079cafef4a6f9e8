import { sql } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import { makeCompany, startTestService, type Result } from '../harness.ts'
import { WEBHOOK_ENV, providerOf } from '../clients/webhook_calls.ts'
import { captureLines } from '../processes/workers.ts'

/** Connected account of the company. */
export const ACCOUNT = 'acct_ours'

export type StoredEvent = { id: string; state: string; reason: string | null; tenant_id: string | null }
export type EventOptions = {
  account?: string | null
  id?: string
  endpoint?: 'connect' | 'platform'
  livemode?: boolean
  created?: unknown
  more?: object
}

export const newProviderId = (kind: string): string => `${kind}_${newId()}`

export const charge = (amount: number, more: object = {}) => ({
  id: newProviderId('ch'),
  object: 'charge',
  amount,
  captured: true,
  ...more,
})

export type PaymentScene = Awaited<ReturnType<typeof openPaymentScene>>

/** Starts the service, a company with a connected account, and the worker that applies payment events. */
export async function openPaymentScene() {
  const service = await startTestService(WEBHOOK_ENV)
  const provider = providerOf(service)
  const company = await makeCompany(service)
  const customer: string = (
    await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      locations: [{ address_line1: '1 Elm' }],
    })
  )['id']
  await connectPaymentAccount(service.database, null, company.tenant, ACCOUNT)
  const { log, lines } = captureLines()
  let now = Temporal.Now.instant()
  const chores = PERIODIC_TASKS.filter(({ name }) => name.startsWith('payment_'))
  const context = { database: service.database, log, clock: () => now, stopping: new AbortController().signal }
  await enrollAll(context, chores)
  const work = (): Promise<unknown> => {
    now = now.add({ seconds: 20 })
    return runDue(context, chores)
  }
  const readEvent = async (id: string): Promise<StoredEvent> =>
    (
      await service.database.send([sql`select id, state, reason, tenant_id from payment_events where event_id = ${id}`])
    )[0]!.rows[0] as StoredEvent
  const read = (id: string): Promise<Result> => company.call('invoices_get', { id })
  /** Sends an event about an object that names the invoice. Runs the worker to apply it. */
  async function send(
    type: string,
    invoice: string | null,
    object: object,
    {
      account = ACCOUNT,
      id = newProviderId('evt'),
      endpoint = 'connect',
      livemode = false,
      created,
      more = {},
    }: EventOptions = {},
  ): Promise<StoredEvent> {
    const named = invoice === null ? {} : { metadata: { invoice_id: invoice } }
    const event = {
      id,
      type,
      account,
      livemode,
      created,
      data: { object: { currency: 'usd', ...named, ...object } },
      ...more,
    }
    const { status } = await provider.event(event, endpoint)
    if (status !== 200) throw new Error(`${type}: HTTP ${status}`)
    await work()
    return readEvent(id)
  }
  return {
    service,
    provider,
    company,
    customer,
    lines,
    work,
    readEvent,
    read,
    send,
    invoiceOf: (cents = 10_000, status = 'sent'): Promise<Result> =>
      company
        .call('invoices_create', { customer_id: customer, line_items: [{ name: 'x', unit_price_cents: cents }] })
        .then((made) => (status === 'draft' ? made : company.call('invoices_update', { id: made['id'], status }))),
    charged: (
      invoice: string | null,
      amount: number,
      more: object = {},
      how: EventOptions = {},
    ): Promise<StoredEvent> => send('charge.succeeded', invoice, charge(amount, more), how),
    money: async (id: string): Promise<unknown[]> => {
      const { status, amount_paid_cents, balance_due_cents } = await read(id)
      return [status, amount_paid_cents, balance_due_cents]
    },
    all: <T>(query: ReturnType<typeof sql>, tenant = company.tenant): Promise<T[]> =>
      readTenant(service.database, { tenant }, (db) => db.all<T>(query)),
  }
}

/** Returns the payment events in an invoice's history, oldest first. */
export const activityOf = (
  { all, company }: PaymentScene,
  invoice: string,
): Promise<
  {
    tool: string
    changed: Record<string, unknown>
    user_id: string | null
    client: string | null
    record_type: string
  }[]
> =>
  all(
    sql`select tool, changed, user_id, client, record_type from audit where tenant_id = ${company.tenant} and record_id = ${invoice} and credential_id is null order by at, id`,
  )
