import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { TEST_DATA_KEY } from '../harness/harness.ts'
import type { SenderInput } from '../harness/books/sender.process.ts'
import { waitForOpenTransactions } from '../harness/processes/workers.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { openBooksScene, type BooksScene } from './scene.ts'

let scene: BooksScene
before(async () => {
  scene = await openBooksScene()
  await scene.connect()
  await scene.setAccounts()
  await scene.start()
})
after(() => scene.stop())

/** When to kill the process: before a database round trip, or before or after a request to the program. */
type Moment = number | { path: RegExp; when: 'before' | 'after' }

/** Runs a sync process and kills it. Returns whether it ended by itself. */
async function runKilled(moment: Moment, now: string): Promise<boolean> {
  const input: SenderInput = {
    login: scene.service.login,
    now,
    env: { ...scene.env, DATA_KEY: TEST_DATA_KEY, BASE_URL: 'http://callout.test' },
    dieAt: typeof moment === 'number' ? moment : null,
  }
  const child = spawn(process.execPath, ['test/harness/books/sender.process.ts', JSON.stringify(input)], {
    cwd: new URL('../..', import.meta.url),
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  if (typeof moment === 'object')
    scene.program.state.around = async ({ method, path }, when) => {
      if (method !== 'POST' || when !== moment.when || !moment.path.test(path)) return
      child.kill('SIGKILL')
      await exited
      if (when === 'before') throw new Error('the request is lost')
    }
  await exited
  scene.program.state.around = undefined
  return child.signalCode === null
}

let rounds = 0

/** Makes an invoice and a payment, and syncs them in a process that is killed, then in this one. */
async function round(moment: Moment): Promise<void> {
  const customer = await scene.office.customer(`Round ${++rounds}`)
  const invoice = await scene.invoice({
    customer_id: customer['id'],
    issue_date: '2026-02-01',
    due_date: '2026-03-01',
    line_items: [{ name: 'Repair', unit_price_cents: 12_345 }],
  })
  await scene.pay(String(invoice['id']), '50.45')
  await scene.run(sql`select ask_chore(${scene.office.id}, 'books')`)
  const survived = await runKilled(moment, scene.nextTurn().toString())
  assert.equal(survived, false, 'the process lives longer than this')
  await waitForOpenTransactions(scene.service.owner)
  await scene.work(2)
  assert.deepEqual(
    (await scene.rows()).filter(({ state }) => state !== 'sent'),
    [],
  )
  assert.deepEqual(scene.program.balances(), await scene.ledger())
  for (const list of Object.values<unknown[]>(scene.program.facts())) assert.equal(new Set(list).size, list.length)
}

describe('a process killed during the accounting sync', () => {
  for (const path of [/customer$/, /invoice$/, /payment$/])
    for (const when of ['before', 'after'] as const)
      it(`${when} ${path.source.slice(0, -1)} creation leaves each record there once`, () => round({ path, when }))

  for (const step of [6, 17]) it(`before database round trip ${step} leaves each record there once`, () => round(step))
})
