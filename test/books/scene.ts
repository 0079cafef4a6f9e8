import assert from 'node:assert/strict'
import { load } from 'cheerio'
import { openBooks, type Books } from '../../src/books/books.ts'
import { openDataKeys } from '../../src/identity/data_keys.ts'
import { internet } from '../../src/identity/public_request.ts'
import { sql, writeTenant, type Sql } from '../../src/platform/db/tenant.ts'
import { booksTask } from '../../src/worker/tasks/outside/books.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { ACCOUNTS as LEDGER_ACCOUNTS } from '../../src/money/posting.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { entriesDue } from '../../src/records/invoices/index.ts'
import { runDue } from '../../src/worker/worker.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { ACCOUNTS, startQuickbooks } from '../harness/books/quickbooks.ts'
import { startXero, XERO_ACCOUNTS } from '../harness/books/xero.ts'
import type { ProgramName } from '../../src/books/program.ts'
import { openPortalScene } from '../customer_portal/portal_scene.ts'
import { submit } from '../harness/identity/people_pages.ts'

export type BooksScene = Awaited<ReturnType<typeof openBooksScene>>
export type XeroScene = Awaited<ReturnType<typeof openXeroScene>>

/** Start date of the sync in these tests. */
export const FROM = '2026-01-01'

/** Starts a company and a fake QuickBooks Online. */
export const openBooksScene = async () => openSceneOf(await startQuickbooks(), 'quickbooks', ACCOUNTS)

/** Starts a company and a fake Xero. */
export const openXeroScene = async () => openSceneOf(await startXero(), 'xero', XERO_ACCOUNTS)

type Fake = Awaited<ReturnType<typeof startXero>> | Awaited<ReturnType<typeof startQuickbooks>>

async function openSceneOf<Program extends Fake>(
  program: Program,
  name: ProgramName,
  accountIds: Readonly<Record<keyof typeof ACCOUNTS, string>>,
) {
  const prefix = name.toUpperCase()
  const env = {
    [`${prefix}_CLIENT_ID`]: program.app.id,
    [`${prefix}_CLIENT_SECRET`]: program.app.secret,
    [`${prefix}_API_URL`]: program.apiUrl,
  }
  const portal = await openPortalScene(env)
  const { office, service } = portal
  const page = office.at('settings', 'books')
  const write = <T>(work: Parameters<typeof writeTenant<T>>[2]): Promise<T> =>
    writeTenant(service.database, { tenant: office.id }, work)

  const open = (): Books =>
    openBooks({
      database: service.database,
      dataKeys: openDataKeys(service.config.dataKey),
      network: internet,
      baseUrl: service.config.baseUrl,
      config: service.config.books,
    })

  /** Submits the Connect button of a program, grants access there and returns. */
  async function connect(browser = office.browser) {
    const leave = await browser.post(page, { connect: name })
    assert.equal(leave.status, 200, leave.text)
    const url = load(leave.text)('a.button.main').attr('href') ?? ''
    const passed = await browser.get(`/books/callback?${program.agree(url).toString()}`)
    return browser.get(passed.headers.get('location') ?? '')
  }

  const setAccounts = (from_day = FROM) => {
    const { receivable: _, ...accounts } = accountIds
    return submit(office.browser, `${page}?accounts=yes`, { ...accounts, from_day, act: 'accounts' }, page)
  }

  /** Runs the dry run and starts the sync from it. */
  async function start() {
    const tried = await office.browser.post(page, { act: 'preview' })
    assert.equal(tried.status, 200, tried.text)
    const token = load(tried.text)('input[name=tried]').attr('value') ?? ''
    return { tried, started: await office.browser.post(page, { act: 'start', tried: token }) }
  }

  let turns = 0
  const nextTurn = (): Temporal.Instant => Temporal.Now.instant().add({ minutes: 10 * ++turns })

  /** Runs the task a number of times, minutes apart, and returns its log lines. */
  async function work(times = 1, books = open()): Promise<string[]> {
    const { log, lines } = captureLines()
    const tasks = [booksTask(books, service.config.baseUrl)]
    for (let i = 0; i < times; i++) {
      const now = nextTurn()
      await write((db) => db.run(sql`select ask_chore(${office.id}, 'books')`))
      const stopping = new AbortController().signal
      await runDue({ database: service.database, log, clock: () => now, stopping }, [...tasks, enrollmentTask(tasks)])
    }
    return lines.map((line) => JSON.stringify(line))
  }

  return {
    ...portal,
    program,
    env,
    nextTurn,
    page,
    write,
    open,
    connect,
    setAccounts,
    start,
    work,
    run: (query: Sql): Promise<number> => write((db) => db.run(query)),
    /** Books a payment that the payments provider reported. A negative amount is a refund. */
    charge: (invoice: string, amount_cents: number, kind = amount_cents > 0 ? 'charge' : 'refund'): Promise<number> =>
      write((db) =>
        db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents)
          values (${office.id}, ${newId()}, ${invoice}, ${kind}, ${amount_cents})`),
      ),
    /** Books a tip of an online payment. A negative amount is a refund. */
    tip: (invoice: string, amount_cents: number): Promise<number> =>
      write((db) =>
        db.run(sql`insert into tips (tenant_id, id, invoice_id, kind, amount_cents, charge)
          values (${office.id}, ${newId()}, ${invoice}, ${amount_cents > 0 ? 'tip' : 'refund'}, ${amount_cents},
            ${newId()})`),
      ),
    /** Returns the ledger totals by account. Debits are positive. */
    ledger: async (): Promise<Record<keyof typeof ACCOUNTS, number>> => {
      const days = { from: '2000-01-01', to: '2099-12-31' }
      const entries = await write((db) => entriesDue(db, days, '2026-11-26'))
      const sums = { receivable: 0, undeposited: 0, clearing: 0, bad_debts: 0, income: 0, deposits: 0, tips: 0, tax: 0 }
      for (const { postings } of entries) for (const account of LEDGER_ACCOUNTS) sums[account] += postings[account]
      return sums
    },
    /** Records a payment as the office does. An empty amount means the whole balance. */
    pay: (invoice: string, amount_cents: string) =>
      submit(office.browser, office.at('invoices', invoice, 'payment'), { method: 'check', amount_cents }),
    rows: () =>
      portal.all<{ kind: string; record: string; state: string; remote: string | null; reason: string | null }>(
        sql`select kind, record, state, remote, reason from books_records where tenant_id = ${office.id}`,
      ),
    stop: async (): Promise<void> => {
      await service.stop()
      await program.stop()
    },
  }
}
