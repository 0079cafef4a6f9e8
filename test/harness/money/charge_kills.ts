import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { paymentMethodTask } from '../../../src/worker/tasks/outside/saved_payments.ts'
import { WEBHOOK_ENV } from '../clients/webhook_calls.ts'
import { dayFromNow, openSavedScene } from '../../payments/saved_scene.ts'
import { waitForOpenTransactions } from '../processes/workers.ts'
import type { ChargerInput } from './charger.process.ts'

/** When to kill the process: before one of its steps, or before or after the provider handles a request. */
export type KillMoment = number | { path: RegExp; when: 'before' | 'after' }

/** The bank's answer, and whether the provider's events arrive before or after the next process. */
export type KillPlan = { moment: KillMoment; isDeclined: boolean; eventsFirst: boolean }

/** Result of a round. `survived`: the process had fewer steps and ended by itself. */
export type KillRound = KillPlan & {
  survived: boolean
  /** Successful payments and all attempts at the provider. */
  taken: number
  attempts: number
  /** Status and paid amount of the invoice, its charge rows, and its run. */
  status: string
  paid_cents: number
  rows: number
  run: string
  failures: number
}

const TOTAL = 39_241

/** Starts a company and the fake provider. In each round a charging process is killed and another continues. */
export async function startChargeKills() {
  const scene = await openSavedScene()
  const one = await scene.customerWithCard()
  await one.browser.post(`${one.path}/saved`, { act: 'autopay', plan: '' })
  const [agreement] = await scene.all<{ id: string }>(sql`select id from autopay where customer_id = ${one.id}`)
  const access = { key: WEBHOOK_ENV.PAYMENTS_SECRET_KEY, apiUrl: scene.provider.apiUrl }
  const noon = Temporal.PlainDate.from(dayFromNow(0)).toZonedDateTime({
    timeZone: 'America/New_York',
    plainTime: '12:00',
  })
  let rounds = 0

  async function makeDue(day: string): Promise<string> {
    const id = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(0) })
    await scene.run(sql`insert into autopay_runs
        (tenant_id, invoice_id, autopay_id, state, charge_on, told_cents, told_at)
      values (${scene.office.id}, ${id}, ${agreement!.id}, 'waiting', ${day}, ${TOTAL}, moment())`)
    return id
  }

  async function runKilled(moment: KillMoment, now: string): Promise<boolean> {
    const given: ChargerInput = {
      login: scene.service.login,
      now,
      access,
      dieAt: typeof moment === 'number' ? moment : null,
    }
    const child = spawn(process.execPath, ['test/harness/money/charger.process.ts', JSON.stringify(given)], {
      cwd: new URL('../../..', import.meta.url),
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    if (typeof moment === 'object')
      scene.saved.state.around = async (path, when) => {
        if (when !== moment.when || !moment.path.test(path)) return
        child.kill('SIGKILL')
        await exited
        if (when === 'before') throw new Error('the request is lost')
      }
    await exited
    scene.saved.state.around = undefined
    return child.signalCode === null
  }

  /** Charges a due invoice in a process that is killed, then in two that aren't. Sends every event twice. */
  async function round(plan: KillPlan): Promise<KillRound> {
    // Each round is a day later, so that leases of earlier rounds have expired.
    const start = noon.add({ days: ++rounds }).toInstant()
    one.method.result = plan.isDeclined ? { decline_code: 'insufficient_funds' } : 'succeeded'
    const begin = scene.saved.events.length
    const invoice = await makeDue(dayFromNow(rounds))
    await scene.run(sql`select ask_chore(${scene.office.id}, 'saved_payments')`)
    const survived = await runKilled(plan.moment, start.toString())
    await waitForOpenTransactions(scene.service.owner)
    const sendAll = async (): Promise<void> => {
      const events = scene.saved.events.slice(begin)
      await scene.sendEvents([...events.toReversed(), ...events.map((event) => ({ ...event, id: `evt_${newId()}` }))])
    }
    if (plan.eventsFirst) await sendAll()
    const task = [paymentMethodTask(scene.providers)]
    for (const minutes of [4, 12]) await scene.work(task, start.add({ minutes }))
    await sendAll()
    const [row] = await scene.all<Omit<KillRound, keyof KillPlan | 'survived' | 'taken' | 'attempts'>>(sql`
      select i.status, i.amount_paid_cents as paid_cents, r.state as run, r.failures,
        (select count(*)::int from payments p where p.invoice_id = i.id) as rows
      from invoices i join autopay_runs r on r.tenant_id = i.tenant_id and r.invoice_id = i.id where i.id = ${invoice}`)
    if (plan.isDeclined) await scene.run(sql`update autopay_runs set state = 'stopped' where invoice_id = ${invoice}`)
    await scene.run(sql`update invoices set disputed = true where id = ${invoice}`)
    const attempts = scene.intentsOf(invoice).filter(({ charge }) => charge !== null).length
    return { ...plan, survived, taken: scene.taken(invoice).length, attempts, ...row! }
  }

  return { round, stop: scene.stop }
}

/** Returns the fault of a round: money taken twice or not at all, or books that differ from the provider. */
export function faultOf({ isDeclined, taken, attempts, status, paid_cents, rows, run, failures }: KillRound): string {
  const found = [taken, attempts, status, paid_cents, rows, run, failures].join(' ')
  const expected = isDeclined ? `0 1 sent 0 0 waiting 1` : `1 1 paid ${TOTAL} 1 paid 0`
  return found === expected ? '' : `${found}, not ${expected}`
}
