import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { rateDecimal, rateFor, ratePercentage } from './rates.ts'

describe('which rate applies', () => {
  const none = undefined
  it('the line first', () => assert.equal(rateFor('line', 'document', 'location', 'tenant'), 'line'))
  it('an untaxed line beats every rate', () => assert.equal(rateFor(null, 'document', 'location', 'tenant'), null))
  it('then the document', () => assert.equal(rateFor(none, 'document', 'location', 'tenant'), 'document'))
  it('an untaxed document beats location and tenant', () =>
    assert.equal(rateFor(none, null, 'location', 'tenant'), null))
  it('then the location', () => assert.equal(rateFor(none, none, 'location', 'tenant'), 'location'))
  it('then the tenant, when there is no location or it has no rate', () => {
    assert.equal(rateFor(none, none, none, 'tenant'), 'tenant')
    assert.equal(rateFor(none, none, null, 'tenant'), 'tenant')
  })
  it('else none', () => {
    assert.equal(rateFor(none, none, none, none), null)
    assert.equal(rateFor(none, none, null, null), null)
  })
})

describe('ok', () => {
  const pairs: [number | string, string][] = [
    [8.25, '0.0825'],
    ['8.875', '0.08875'],
    [0, '0'],
    [100, '1'],
    [0.0001, '0.000001'],
    ['7.2500', '0.0725'],
    [50, '0.5'],
  ]
  for (const [percentage, decimal] of pairs) {
    it(`${percentage}% is ${decimal}`, () => {
      assert.equal(rateDecimal(percentage), decimal)
      assert.equal(ratePercentage(decimal), String(Number(percentage)))
    })
  }

  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (units) => {
        const percentage = units / 10_000
        assert.equal(Number(ratePercentage(Number(rateDecimal(percentage)))), percentage)
      }),
    )
  })

  it('reads what a NUMERIC(9,6) column holds', () => assert.equal(ratePercentage('0.082500'), '8.25'))
})

describe('invalid_input', () => {
  const says = (message: string) => ({ code: 'invalid_input', message })
  it('more than 4 decimals', () => {
    assert.throws(() => rateDecimal(8.12345), says('rate_percentage must have at most 4 decimals (got 8.12345)'))
  })
  it('below 0 or above 100', () => {
    assert.throws(() => rateDecimal('-1'), says('rate_percentage must be at least 0 (got "-1")'))
    assert.throws(() => rateDecimal(101), says('rate_percentage must be at most 100 (got 101)'))
  })
  it('a rate that is not a fraction of one', () => {
    assert.throws(() => ratePercentage(8.25), says('rate_decimal must be at most 1 (got 8.25)'))
    assert.throws(
      () => ratePercentage('0.0000001'),
      says('rate_decimal must have at most 6 decimals (got "0.0000001")'),
    )
  })
})
