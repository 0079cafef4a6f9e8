import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql, writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { todayIn } from '../../src/platform/validation/formats/instants.ts'
import { agingOf, bookReceipt, statementOf, type Receipt, type Statement } from '../../src/records/invoices/index.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', 'America/Chicago')
})
after(() => service.stop())

const TIMEZONE = 'America/Chicago'
const today = todayIn(TIMEZONE)
const SPAN = 220
const dayAt = (offset: number): string => today.subtract({ days: SPAN - offset }).toString()
const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => readTenant(service.database, { tenant: office.id }, work)
const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  writeTenant(service.database, { tenant: office.id }, work)

const offset = fc.integer({ min: 0, max: SPAN })
const history = fc.record({
  issue: offset,
  total: fc.integer({ min: 1, max: 900 }),
  // More than the total leaves a credit.
  charges: fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 2 }),
  refunds: fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 2 }),
  // Dates of the payments, in any order.
  days: fc.array(offset, { minLength: 4, maxLength: 4 }),
  end: fc.constantFrom('open', 'open', 'open', 'paid', 'void', 'uncollectible', 'draft', 'void_draft'),
  endDay: offset,
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Invoice history with its payments by day, as the model's input. */
type Made = { history: History; paid: { offset: number; cents: number }[] }

const receipt = (invoice: string, charge: string) => ({
  invoice,
  isAssigned: false,
  currency: 'USD',
  names: [charge] as [string],
  source: newId(),
})
const bookInTransaction = (given: Receipt): Promise<unknown> => write((db) => bookReceipt(db, given))

async function make(customer: string, one: History): Promise<Made> {
  const { id } = await office.call('invoices_create', {
    customer_id: customer,
    issue_date: dayAt(one.issue),
    line_items: [{ name: 'x', unit_price_cents: one.total }],
  })
  const isDraft = one.end === 'draft' || one.end === 'void_draft'
  if (!isDraft) {
    await office.call('invoices_update', { id, status: 'sent' })
    let left = 0
    const charge = `ch_${newId()}`
    for (const [i, amount_cents] of one.charges.entries()) {
      await bookInTransaction({ ...receipt(id, i === 0 ? charge : `ch_${newId()}`), kind: 'charge', amount_cents })
      if (i === 0) left = amount_cents
    }
    for (const cents of one.refunds) {
      const amount_cents = Math.min(cents, left)
      if (amount_cents === 0) continue
      left -= amount_cents
      const refund = { refund: `re_${newId()}`, failed: false, at: null, made_at: null, amount_cents }
      await bookInTransaction({ ...receipt(id, charge), kind: 'refund', ...refund })
    }
  }
  if (one.end === 'paid' || one.end === 'uncollectible') await office.call('invoices_update', { id, status: one.end })
  if (one.end === 'void' || one.end === 'void_draft') await office.call('invoices_void', { id })
  return { history: one, paid: await spread(id, one) }
}

/** Backdates the payments and the void date, and returns the payments. */
const spread = (id: string, { days, endDay }: History): Promise<Made['paid']> =>
  write(async (db) => {
    const rows = await db.all<{ id: string; amount_cents: number }>(
      sql`select id, amount_cents from payments where tenant_id = ${db.tenant} and invoice_id = ${id} order by at, id`,
    )
    for (const [i, row] of rows.entries())
      await db.run(sql`update payments set paid_on = ${dayAt(days[i % days.length] ?? 0)}
        where tenant_id = ${db.tenant} and id = ${row.id}`)
    const noon = `${dayAt(endDay)}T18:00:00Z`
    await db.run(sql`update invoices set voided_at = ${noon}
      where tenant_id = ${db.tenant} and id = ${id} and status = 'void'`)
    return rows.map(({ amount_cents }, i) => ({ offset: days[i % days.length] ?? 0, cents: amount_cents }))
  })

/** Returns an invoice's balance at the end of a day. A write-off is dated today. */
function balanceAt({ history: { issue, total, end, endDay }, paid }: Made, at: number): number {
  const received = paid.reduce((sum, one) => sum + (one.offset <= at ? one.cents : 0), 0)
  if (end === 'uncollectible' && at >= SPAN) return 0
  const isVoid = end === 'void' && at >= endDay
  const isBilled = end !== 'draft' && end !== 'void_draft' && issue <= at && !isVoid
  return (isBilled ? total : 0) - received
}

const statement = (customer: string, from: number, to: number): Promise<Statement> =>
  read((db) =>
    statementOf(db, {
      customer,
      range: { from: dayAt(from), to: dayAt(to) },
      today: today.toString(),
      timezone: TIMEZONE,
    }),
  )

/** Asserts that every total and line of a statement matches the model. */
function requireAgrees({ sums, entries, open, skipped }: Statement, made: readonly Made[], from: number, to: number) {
  const at = (day: number): number[] => made.map((one) => balanceAt(one, day))
  const add = (cents: readonly number[]): number => cents.reduce((sum, one) => sum + one, 0)
  const owed = at(to).filter((cents) => cents > 0)
  assert.equal(sums.before_cents, add(at(from - 1)))
  assert.equal(sums.end_cents, add(at(to)))
  assert.equal(sums.balance_cents, add(owed))
  assert.equal(sums.end_cents, sums.balance_cents - sums.credit_cents)
  assert.deepEqual(
    open.map(({ cents }) => cents).sort((a, b) => a - b),
    owed.sort((a, b) => a - b),
  )
  const { balance_cents, current_cents, to_30_cents, to_60_cents, to_90_cents, over_90_cents } = sums
  assert.equal(balance_cents, current_cents + to_30_cents + to_60_cents + to_90_cents + over_90_cents)
  assert.equal(skipped.count, 0)
  let running = sums.before_cents
  for (const entry of entries) assert.equal(entry.balance_cents, (running += entry.cents))
  assert.equal(running, sums.end_cents)
  const days = entries.map(({ day }) => day)
  assert.deepEqual(days, days.toSorted())
}

describe('a statement of a random history', () => {
  it('ends with the open invoices minus credits, and starts with the previous closing balance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(history, { minLength: 1, maxLength: 5 }),
        fc.uniqueArray(fc.integer({ min: 0, max: SPAN - 1 }), { minLength: 2, maxLength: 3 }),
        async (histories, cuts) => {
          const { id } = await office.customer(`Dora ${newId()}`)
          const made: Made[] = []
          for (const one of histories) made.push(await make(id, one))
          const ends = [...cuts.sort((a, b) => a - b), SPAN]
          let from = 0
          let before = 0
          for (const to of ends) {
            const one = await statement(id, from, to)
            requireAgrees(one, made, from, to)
            assert.equal(one.sums.before_cents, before)
            before = one.sums.end_cents
            from = to + 1
          }
          await requireAgesAsReport(id)
        },
      ),
      { numRuns: 25, seed: 20_263 },
    )
  })
})

it('a statement runs as one query, so its totals and lists are consistent', async () => {
  const { id } = await office.customer('Eli')
  const queries = await read(async (db) => {
    let count = 0
    const counted: Db = { ...db, all: (query) => (count++, db.all(query)), one: (query) => (count++, db.one(query)) }
    const range = { from: dayAt(0), to: dayAt(SPAN) }
    await statementOf(counted, { customer: String(id), range, today: today.toString(), timezone: TIMEZONE })
    return count
  })
  assert.equal(queries, 1)
})

/** Asserts that today's open invoices by age match the unpaid invoices report. */
async function requireAgesAsReport(customer: string): Promise<void> {
  const { rows } = await read((db) => agingOf(db, today.toString(), 100_000))
  const row = rows.find(({ customer_id }) => customer_id === customer)
  const { sums, open } = await statement(customer, 0, SPAN)
  const ages = ['balance_cents', 'current_cents', 'to_30_cents', 'to_60_cents', 'to_90_cents', 'over_90_cents'] as const
  for (const age of ages) assert.equal(sums[age], row?.[age] ?? 0, age)
  assert.equal(open.length, row?.invoices ?? 0)
}
