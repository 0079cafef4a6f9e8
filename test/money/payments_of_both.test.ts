import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { bookReceipt, type Receipt } from '../../src/records/invoices/index.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, sendForm, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora')
})
after(() => service.stop())

const TOTAL = 1_000

const cents = fc.integer({ min: 1, max: 700 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), cents }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take_back' as const), which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('charge' as const), cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat(3), cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), which: fc.nat(3), cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('void' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Expected values, computed independently. */
class Ledger {
  rows: number[] = []
  status = 'sent'
  recorded: { cents: number; isBack: boolean; id: string }[] = []
  charges: { name: string; left: number }[] = []

  get paid(): number {
    return this.rows.reduce((sum, one) => sum + one, 0)
  }
  get standing(): unknown[] {
    return [this.status, this.paid, this.status === 'paid' || this.status === 'void' ? 0 : TOTAL - this.paid]
  }
  enter(cents: number): void {
    const isMoved = cents > 0 || this.status === 'paid' || this.status === 'partially_paid'
    this.rows.push(cents)
    if (isMoved) this.status = this.paid >= TOTAL ? 'paid' : this.paid > 0 ? 'partially_paid' : 'sent'
  }
}

const receipt = (invoice: string, charge: string) => ({
  invoice,
  isAssigned: false,
  currency: 'USD',
  names: [charge] as [string],
  source: newId(),
})

const bookInTransaction = (given: Receipt): Promise<unknown> =>
  writeTenant(service.database, { tenant: office.id }, (db) => bookReceipt(db, given))

type Row = { id: string; kind: string; amount_cents: number; takes_back: string | null }
const rowsOf = (invoice: string): Promise<Row[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Row>(sql`select id, kind, amount_cents, takes_back from payments
      where tenant_id = ${office.id} and invoice_id = ${invoice} order by at, id`),
  )

async function run(invoice: string, ledger: Ledger, step: Step): Promise<void> {
  const isVoid = ledger.status === 'void'
  const charge = 'which' in step ? ledger.charges[step.which % (ledger.charges.length || 1)] : undefined
  switch (step.do) {
    case 'record': {
      const isRight = !isVoid && ledger.status !== 'paid' && step.cents <= TOTAL - ledger.paid
      const fields: [string, string][] = [
        ['amount_cents', (step.cents / 100).toFixed(2)],
        ['method', 'cash'],
      ]
      const { status } = await sendForm(office.browser, office.at('invoices', invoice, 'payment'), fields)
      assert.equal(status === 303, isRight)
      if (!isRight) return
      ledger.enter(step.cents)
      const known = new Set(ledger.recorded.map(({ id }) => id))
      const { id } = (await rowsOf(invoice)).find((row) => row.kind === 'recorded' && !known.has(row.id))!
      return void ledger.recorded.push({ cents: step.cents, isBack: false, id })
    }
    case 'take_back': {
      const one = ledger.recorded[step.which % (ledger.recorded.length || 1)]
      if (one === undefined) return
      const path = office.at('invoices', invoice, 'payments', one.id, 'take-back')
      const { status } = await sendForm(office.browser, path, [])
      assert.equal(status, isVoid || one.isBack ? 409 : 303)
      if (status !== 303) return
      one.isBack = true
      return ledger.enter(-one.cents)
    }
    case 'charge': {
      const name = `ch_${newId()}`
      await bookInTransaction({ ...receipt(invoice, name), kind: 'charge', amount_cents: step.cents })
      if (isVoid) return
      ledger.charges.push({ name, left: step.cents })
      return ledger.enter(step.cents)
    }
    case 'refund': {
      const amount_cents = Math.min(step.cents, charge?.left ?? 0)
      if (charge === undefined || amount_cents === 0) return
      const refund = { refund: `re_${newId()}`, failed: false, at: null, made_at: null, amount_cents }
      await bookInTransaction({ ...receipt(invoice, charge.name), kind: 'refund', ...refund })
      if (isVoid) return
      charge.left -= amount_cents
      return ledger.enter(-amount_cents)
    }
    case 'lose': {
      const amount_cents = Math.min(step.cents, charge?.left ?? 0)
      if (charge === undefined || amount_cents === 0) return
      const lost = { dispute: `dp_${newId()}`, amount_cents, outcome: 'lost' }
      await bookInTransaction({ ...receipt(invoice, charge.name), kind: 'dispute_closed', ...lost })
      if (isVoid) return
      charge.left -= amount_cents
      return ledger.enter(-amount_cents)
    }
    case 'void':
      await office.call('invoices_void', { id: invoice })
      ledger.status = 'void'
  }
}

describe('payments recorded by members and by the provider', () => {
  it('match the model for any order of payments, undos, charges, refunds and lost disputes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
        const { id } = await office.call('invoices_create', {
          customer_id: customer['id'],
          line_items: [{ name: 'x', unit_price_cents: TOTAL }],
        })
        await office.call('invoices_update', { id, status: 'sent' })
        const ledger = new Ledger()
        for (const step of steps) {
          await run(id, ledger, step)
          const { status, amount_paid_cents, balance_due_cents } = await office.call('invoices_get', { id })
          assert.deepEqual([status, amount_paid_cents, balance_due_cents], ledger.standing)
        }
        const rows = await rowsOf(id)
        assert.deepEqual(
          rows.map(({ amount_cents }) => amount_cents).sort((a, b) => a - b),
          ledger.rows.sort((a, b) => a - b),
        )
        for (const { id, amount_cents } of rows) {
          const backs = rows.filter(({ takes_back }) => takes_back === id)
          assert.ok(backs.length <= 1 && backs.every((back) => back.amount_cents === -amount_cents))
        }
      }),
      { numRuns: 40, seed: 20_262 },
    )
  })
})
