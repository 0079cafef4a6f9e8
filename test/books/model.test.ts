import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { BooksError } from '../../src/books/books_error.ts'
import { runBooks } from '../../src/books/run_books.ts'
import { sql, type Db } from '../../src/platform/db/tenant.ts'
import { openBooksScene, openXeroScene, type BooksScene, type XeroScene } from './scene.ts'

type Scene = BooksScene | XeroScene

/** Arbitrary step: a change of one of the invoices, or a run of the sync. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('bill' as const), cents: fc.integer({ min: 1, max: 90_000 }), percent: fc.nat(100) }),
  fc.record({
    kind: fc.constantFrom('pay' as const, 'charge' as const, 'refund' as const, 'tip' as const),
    at: fc.nat(),
    part: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record({
    kind: fc.constantFrom('void' as const, 'redraft' as const, 'lose' as const, 'undo' as const),
    at: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('work' as const),
    // Number of the request to lose, and of the transaction around which the process dies.
    request: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
    transaction: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
    when: fc.constantFrom('before' as const, 'after' as const),
    isBusy: fc.boolean(),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Work = Extract<Step, { kind: 'work' }>

let turns = 0

/** Runs the sync with lost requests and a simulated crash. */
async function workBadly(scene: Scene, { request, transaction, when, isBusy }: Work): Promise<void> {
  let [requests, transactions] = [0, 0]
  scene.program.state.around = async (_, at) => {
    if (at === 'before') requests++
    if (requests === request && at === when) throw new Error('lost')
  }
  scene.program.state.instead = () => (isBusy && requests === 3 ? { status: 429, body: {} } : undefined)
  const write = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const dies = ++transactions === transaction
    if (dies && when === 'before') throw new Error('killed')
    const done = await scene.write(work)
    if (dies) throw new Error('killed')
    return done
  }
  const now = Temporal.Now.instant().add({ hours: 10 * ++turns })
  const tenant = { id: scene.office.id, timezone: 'America/New_York', currency: 'USD' }
  await runBooks({ tenant, now, write, conclude: write }, scene.open(), 'http://localhost').catch((error: Error) => {
    if (error.message !== 'killed' && !(error instanceof BooksError)) throw error
  })
  scene.program.state.around = undefined
  scene.program.state.instead = undefined
}

async function change(scene: Scene, invoice: string, one: Exclude<Step, { kind: 'bill' | 'work' }>): Promise<void> {
  const {
    status,
    balance_due_cents: due,
    amount_paid_cents: paid,
  } = await scene.office.call('invoices_get', { id: invoice })
  const [open, received] = [Number(due), Number(paid)]
  const partOf = (cents: number): number => ('part' in one ? Math.ceil((cents * one.part) / 100) : cents)
  const office = scene.office
  if (await waitsForPerson(scene, invoice)) return
  if (one.kind === 'pay' && open > 0 && status !== 'draft') await scene.pay(invoice, (partOf(open) / 100).toFixed(2))
  if (one.kind === 'charge' && open > 0 && status !== 'draft') await scene.charge(invoice, partOf(open))
  if (one.kind === 'refund' && received > 0) await scene.charge(invoice, 0 - partOf(received))
  if (one.kind === 'tip') await scene.tip(invoice, one.at % 2 === 0 ? one.part : 0 - one.part)
  if (one.kind === 'void' && status !== 'void' && received === 0) await office.send('invoices_void', { id: invoice })
  if (one.kind === 'redraft' && received === 0 && (status === 'sent' || status === 'draft'))
    await office.call('invoices_update', { id: invoice, status: status === 'sent' ? 'draft' : 'sent' })
  if (one.kind === 'lose' && open > 0 && status !== 'draft')
    await office.call('invoices_update', { id: invoice, status: 'uncollectible' })
  if (one.kind === 'undo') {
    const [payment] = await scene.all<{ id: string }>(sql`select id from payments p where invoice_id = ${invoice}
      and kind = 'recorded' and not exists (select 1 from payments b where b.takes_back = p.id) limit 1`)
    if (payment !== undefined)
      await office.browser.post(office.at('invoices', invoice, 'payments', payment.id, 'take-back'), {})
  }
}

/** Xero applies a payment to one invoice only. After a refund, the next payment may need two and waits for review. */
const waitsForPerson = async (scene: Scene, invoice: string): Promise<boolean> => {
  const refunds = await scene.all(
    sql`select from payments where invoice_id = ${invoice} and amount_cents < 0 and kind <> 'taken_back'`,
  )
  return 'stores' in scene.program && refunds.length > 0
}

async function play(scene: Scene, steps: readonly Step[]): Promise<void> {
  const invoices: string[] = []
  for (const one of steps) {
    if (one.kind === 'work') await workBadly(scene, one)
    else if (one.kind === 'bill') {
      const made = await scene.invoice({
        issue_date: '2026-02-01',
        due_date: '2026-03-01',
        discount: { type: 'percent', value: one.percent },
        line_items: [{ name: 'Work', unit_price_cents: one.cents }],
      })
      invoices.push(String(made['id']))
    } else if (invoices.length > 0) await change(scene, invoices[one.at % invoices.length]!, one)
  }
}

/** Asserts that no record exists twice in the program. */
function requireOnce(scene: Scene): void {
  for (const list of Object.values<unknown[]>(scene.program.facts()))
    assert.deepEqual(
      list.filter((one, at) => list.indexOf(one) !== at),
      [],
    )
}

for (const [name, open] of [
  ['QuickBooks Online', openBooksScene],
  ['Xero', openXeroScene],
] as const)
  describe(`the accounting sync with ${name}`, () => {
    let scene: Scene
    before(async () => {
      scene = await open()
      await scene.connect()
      await scene.setAccounts()
      await scene.start()
    })
    after(() => scene.stop())

    it('matches the ledger to the cent, without duplicates, despite crashes, lost responses and changes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          await play(scene, [{ kind: 'bill', cents: 10_000, percent: 0 }, ...steps])
          const last = {
            kind: 'work' as const,
            request: null,
            transaction: null,
            when: 'before' as const,
            isBusy: false,
          }
          for (let i = 0; i < 3; i++) await workBadly(scene, last)
          const open = (await scene.rows()).filter(({ state }) => state !== 'sent' && state !== 'cancelled')
          assert.deepEqual(open, [])
          assert.deepEqual(scene.program.balances(), await scene.ledger())
          requireOnce(scene)
        }),
        { numRuns: 12, seed: 20_264 },
      )
    })
  })
