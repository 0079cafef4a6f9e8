import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import {
  PROFIT_DIMENSIONS,
  addShares,
  splitProfit,
  sumsOf,
  type JobProfit,
  type ProfitShare,
} from '../../../src/mobile/profit/job_profit.ts'

const cents = fc.integer({ min: 0, max: 5_000_000 })
const unknown = (value: fc.Arbitrary<number>) => fc.option(value)
const id = (letter: string) => fc.nat(4).map((n) => `${letter}${n}`)

const job: fc.Arbitrary<JobProfit> = fc.record({
  id: id('job'),
  display_number: fc.constant('J-1'),
  title: fc.constant('Repair'),
  customer_id: id('customer'),
  customer_name: fc.constant('Ann'),
  day: fc.constantFrom('2026-01-31', '2026-02-01', '2026-02-28'),
  sales_cents: fc.integer({ min: -100_000, max: 9_000_000 }),
  is_billed: fc.boolean(),
  lines: fc.array(
    fc.record({
      item_id: fc.option(id('item')),
      item_name: fc.constant('Valve'),
      total_cents: fc.oneof(fc.constant(0), cents),
      cost_cents: unknown(cents),
    }),
    { maxLength: 8 },
  ),
  labor: fc.uniqueArray(
    fc.record({
      user_id: id('user'),
      name: fc.constant('Luis'),
      seconds: fc.oneof(fc.constant(0), fc.nat(90_000)),
      cost_cents: unknown(cents),
    }),
    { maxLength: 4, selector: ({ user_id }) => user_id },
  ),
  crew: fc.uniqueArray(fc.record({ user_id: id('user'), name: fc.constant('Luis') }), {
    maxLength: 4,
    selector: ({ user_id }) => user_id,
  }),
})

const AMOUNTS = ['sales_cents', 'parts_cents', 'labor_cents'] as const

it('profit shares add up to the total to the cent for every grouping', () => {
  fc.assert(
    fc.property(fc.array(job, { maxLength: 12 }), (jobs) => {
      for (const by of PROFIT_DIMENSIONS) {
        const totals = new Map<string | null, ProfitShare>()
        for (const one of jobs) addShares(totals, splitProfit(one, by))
        for (const amount of AMOUNTS) {
          const split = [...totals.values()].reduce((sum, row) => sum + row[amount], 0)
          const whole = jobs.reduce((sum, one) => sum + sumsOf(one)[amount], 0)
          assert.equal(split, whole, `${by} ${amount}`)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})

it("labor cost goes to the technician who worked, and parts cost to the line's item", () => {
  fc.assert(
    fc.property(job, (one) => {
      const sumOf = (shares: ProfitShare[], key: string, amount: (typeof AMOUNTS)[number]): number =>
        shares.filter((share) => share.key === key).reduce((sum, share) => sum + share[amount], 0)
      const people = splitProfit(one, 'technician')
      for (const { user_id, cost_cents } of one.labor)
        assert.equal(sumOf(people, user_id, 'labor_cents'), cost_cents ?? 0)
      const services = splitProfit(one, 'service')
      for (const item of new Set(one.lines.flatMap(({ item_id }) => item_id ?? [])))
        assert.equal(
          sumOf(services, item, 'parts_cents'),
          one.lines.reduce((sum, line) => sum + (line.item_id === item ? (line.cost_cents ?? 0) : 0), 0),
        )
    }),
  )
})
