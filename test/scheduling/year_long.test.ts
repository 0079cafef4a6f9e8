import assert from 'node:assert/strict'
import { it } from 'node:test'
import { playDays } from './simulated_days.ts'

it('a simulated year with cancellations, delays and sickness misses no window unreported', (t) => {
  const tally = playDays(1, 365)
  t.diagnostic(JSON.stringify(tally))
  for (const count of Object.values(tally)) assert.ok(count > 100, JSON.stringify(tally))
})
