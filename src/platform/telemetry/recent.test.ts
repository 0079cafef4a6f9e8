import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openRecentCounter } from './recent.ts'

it('recent events are counted by name for 15 minutes', () => {
  let now = Date.parse('2026-11-26T00:00:30Z')
  const recent = openRecentCounter(() => now)
  recent.record('sms')
  recent.record('sms')
  now += 5 * 60_000
  recent.record('email')
  assert.deepEqual(recent.read(), { sms: 2, email: 1 })
  now += 10 * 60_000
  assert.deepEqual(recent.read(), { email: 1 })
  now += 60 * 60_000
  assert.deepEqual(recent.read(), {})
})
