import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from './config.ts'

describe('retention settings', () => {
  it('default to 400 and 90 days; 0 keeps the records forever', () => {
    assert.deepEqual(readConfig({}).retention, { paymentEventDays: 400, quarantineDays: 90 })
    assert.deepEqual(readConfig({ PAYMENT_EVENT_DAYS: '30', QUARANTINE_DAYS: '0' }).retention, {
      paymentEventDays: 30,
      quarantineDays: 0,
    })
  })

  it('reject any other number', () => {
    for (const odd of ['-1', '1.5', 'x', '36501']) {
      assert.throws(() => readConfig({ PAYMENT_EVENT_DAYS: odd }), /PAYMENT_EVENT_DAYS must be a whole number/)
      assert.throws(() => readConfig({ QUARANTINE_DAYS: odd }), /QUARANTINE_DAYS must be a whole number/)
    }
  })
})
