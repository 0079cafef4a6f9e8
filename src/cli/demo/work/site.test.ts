import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workday } from './site.ts'

describe('workday', () => {
  it('counts working days forward and backward across weekends', () => {
    const from = (day: string, days: number): string => workday(Temporal.PlainDate.from(day), days).toString()
    assert.equal(from('2026-11-20', 1), '2026-11-23')
    assert.equal(from('2026-11-20', 6), '2026-11-30')
    assert.equal(from('2026-11-23', -1), '2026-11-20')
    assert.equal(from('2026-11-22', 1), '2026-11-23')
    assert.equal(from('2026-11-21', -1), '2026-11-20')
    assert.equal(from('2026-11-21', 0), '2026-11-21')
  })
})
