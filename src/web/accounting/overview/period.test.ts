import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { periodBefore, periodToDate } from './period.ts'
import { quotesChart } from './work_charts.ts'

const day = fc.integer({ min: 0, max: 4_000 }).map((days) => Temporal.PlainDate.from('2020-01-01').add({ days }))
const toDate = (from: string, to: string, today: string) => periodToDate({ from, to }, Temporal.PlainDate.from(today))

describe('a period up to today', () => {
  it('is compared with the same part of the previous period', () => {
    assert.deepEqual(toDate('2026-01-01', '2026-12-31', '2026-11-26'), {
      now: { from: '2026-01-01', to: '2026-11-26' },
      before: { from: '2025-01-01', to: '2025-11-26' },
    })
    assert.deepEqual(toDate('2026-03-01', '2026-03-31', '2026-03-30')?.before, { from: '2026-02-01', to: '2026-02-28' })
    assert.deepEqual(toDate('2026-11-10', '2026-11-29', '2026-11-26')?.before, { from: '2026-10-21', to: '2026-11-06' })
    assert.equal(toDate('2026-01-01', '2026-01-31', '2026-02-01'), undefined)
    assert.equal(toDate('2026-03-01', '2026-03-31', '2026-02-28'), undefined)
  })

  it('compares with days inside the previous period, from its start', () => {
    fc.assert(
      fc.property(day, fc.nat(800), fc.nat(800), (first, length, elapsed) => {
        const range = { from: first.toString(), to: first.add({ days: length }).toString() }
        const today = first.add({ days: Math.min(length, elapsed) })
        const before = periodBefore(range)
        const compared = periodToDate(range, today)
        assert.equal(compared?.now.to, today.toString())
        assert.equal(compared?.before.from, before.from)
        assert.ok(compared.before.to >= before.from && compared.before.to <= before.to)
      }),
    )
  })
})

it('has a chart column for an empty month between two others', () => {
  const row = { won: 1, lost: 0, open: 0, won_cents: 100, lost_cents: 0, open_cents: 0 }
  const chart = quotesChart('USD', [
    { ...row, month: '2025-11' },
    { ...row, month: '2026-02' },
  ]).toString()
  assert.deepEqual(
    [...chart.matchAll(/<th scope="row">(\w+ \d+)/g)].map(([, month]) => month),
    ['November 2025', 'December 2025', 'January 2026', 'February 2026'],
  )
})
