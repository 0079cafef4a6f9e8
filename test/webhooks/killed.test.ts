import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import { captureLines } from '../harness/processes/workers.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  company = await makeCompany(service)
  await connectPaymentAccount(service.database, null, company.tenant, 'acct_1')
})
after(() => service.stop())

async function start(part: 'service' | 'worker'): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(
    process.execPath,
    [
      new URL('../harness/processes/webhooks.process.ts', import.meta.url).pathname,
      JSON.stringify({ login: service.login, part }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Runs tasks like another process's worker, with the clock set ahead by `later`. */
async function work(names: string[], later: Temporal.DurationLike): Promise<void> {
  const chores = PERIODIC_TASKS.filter(({ name }) => names.includes(name))
  const { log, lines } = captureLines()
  const shop = {
    database: service.database,
    log,
    clock: () => Temporal.Now.instant().add(later),
    stopping: new AbortController().signal,
  }
  await enrollAll(shop, chores)
  await runDue(shop, chores)
  assert.deepEqual(lines, [])
}

describe('a process killed with SIGKILL', () => {
  it('after the webhook response and during the effect still books the payment once', async () => {
    const { id: customer_id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
    })
    const { id } = await company.call('invoices_create', {
      customer_id,
      line_items: [{ name: 'x', unit_price_cents: 10_000 }],
    })
    const receiving = await start('service')
    const at = providerOf({ config: service.config, origin: `http://127.0.0.1:${receiving.said}` })
    const event = {
      id: `evt_${newId()}`,
      type: 'charge.succeeded',
      account: 'acct_1',
      data: { object: { id: 'ch_1', amount: 4_000, currency: 'usd', metadata: { invoice_id: id } } },
    }
    assert.equal((await at.event(event)).text, '{"received":true,"ingested":1}')
    await kill(receiving.child)
    assert.equal((await providerOf(service).event(event)).text, '{"received":true,"deduped":true}')

    await work(['payment_routing'], { seconds: 1 })
    const applying = await start('worker')
    assert.equal(applying.said, 'inside')
    await kill(applying.child)
    assert.equal((await company.call('invoices_get', { id }))['amount_paid_cents'], 0)

    for (let i = 0; i < 2; i++) await work(['payment_routing', 'payment_effects'], { minutes: 3 + i })
    const { status, amount_paid_cents } = await company.call('invoices_get', { id })
    assert.deepEqual([status, amount_paid_cents], ['partially_paid', 4_000])
  })
})
