import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { CADENCES, nextRun, runDate, type Cadence } from './cadence.ts'

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)

describe('billing cadence', () => {
  const examples: [cadence: Cadence, runs: string][] = [
    ['weekly', '2027-12-28 2028-01-04 2028-01-11'],
    ['biweekly', '2027-12-28 2028-01-11 2028-01-25'],
    ['monthly', '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31'],
    ['bimonthly', '2027-12-31 2028-02-29 2028-04-30 2028-06-30 2028-08-31'],
    ['quarterly', '2027-11-30 2028-02-29 2028-05-30 2028-08-30'],
    ['semiannual', '2027-08-31 2028-02-29 2028-08-31'],
    ['annual', '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29'],
  ]
  for (const [cadence, runs] of examples) {
    const [start = '', ...later] = runs.split(' ')
    it(`runs ${cadence} from ${start}`, () => {
      assert.deepEqual(
        [start, ...later].map((_, k) => runDate(day(start), cadence, k).toString()),
        [start, ...later],
      )
    })
    it(`runs ${cadence} from ${start}, with each run after the previous one`, () => {
      assert.equal(nextRun(day(start), cadence, day(start).subtract({ days: 1 })).toString(), start)
      assert.equal(nextRun(day(start), cadence, day('2020-01-01')).toString(), start)
      const found = [start, ...later].slice(0, -1).map((run) => nextRun(day(start), cadence, day(run)).toString())
      assert.deepEqual(found, later)
    })
  }

  it('finds the first run after a day', () => {
    const days = fc.integer({ min: 0, max: 4000 }).map((days) => day('2027-01-01').add({ days }))
    fc.assert(
      fc.property(days, days, fc.constantFrom(...CADENCES), (start, after, cadence) => {
        let k = 0
        while (Temporal.PlainDate.compare(runDate(start, cadence, k), after) <= 0) k += 1
        assert.equal(nextRun(start, cadence, after).toString(), runDate(start, cadence, k).toString())
      }),
      { seed: 20270301 },
    )
  })
})
