import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { rateDecimal, rateFor, ratePercentage } from './rates.ts'

describe('which rate applies', () => {
  const none = undefined
  it('uses the rate of the line first', () => assert.equal(rateFor('line', 'document', 'location', 'tenant'), 'line'))
  it('uses no rate for an untaxed line', () => assert.equal(rateFor(null, 'document', 'location', 'tenant'), null))
  it('uses the rate of the document when the line has none', () =>
    assert.equal(rateFor(none, 'document', 'location', 'tenant'), 'document'))
  it('uses no rate for an untaxed document', () => assert.equal(rateFor(none, null, 'location', 'tenant'), null))
  it('uses the rate of the location when line and document have none', () =>
    assert.equal(rateFor(none, none, 'location', 'tenant'), 'location'))
  it('uses the rate of the tenant when the location is missing or has none', () => {
    assert.equal(rateFor(none, none, none, 'tenant'), 'tenant')
    assert.equal(rateFor(none, none, null, 'tenant'), 'tenant')
  })
  it('uses no rate when nothing has one', () => {
    assert.equal(rateFor(none, none, none, none), null)
    assert.equal(rateFor(none, none, null, null), null)
  })
})

describe('tax rate conversion', () => {
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
    it(`converts ${percentage}% to ${decimal}`, () => {
      assert.equal(rateDecimal(percentage), decimal)
      assert.equal(ratePercentage(decimal), String(Number(percentage)))
    })
  }

  it('converts a percentage to a decimal and back without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (units) => {
        const percentage = units / 10_000
        assert.equal(Number(ratePercentage(Number(rateDecimal(percentage)))), percentage)
      }),
    )
  })

  it('reads the text of a NUMERIC(9,6) column', () => assert.equal(ratePercentage('0.082500'), '8.25'))
})

describe('tax rate conversion: invalid_input', () => {
  const says = (message: string) => ({ code: 'invalid_input', message })
  it('is thrown for more than 4 decimals', () => {
    assert.throws(() => rateDecimal(8.12345), says('rate_percentage must have at most 4 decimals (got 8.12345)'))
  })
  it('is thrown below 0 and above 100', () => {
    assert.throws(() => rateDecimal('-1'), says('rate_percentage must be at least 0 (got "-1")'))
    assert.throws(() => rateDecimal(101), says('rate_percentage must be at most 100 (got 101)'))
  })
  it('is thrown for a rate above 1 or with more than 6 decimals', () => {
    assert.throws(() => ratePercentage(8.25), says('rate_decimal must be at most 1 (got 8.25)'))
    assert.throws(
      () => ratePercentage('0.0000001'),
      says('rate_decimal must have at most 6 decimals (got "0.0000001")'),
    )
  })
})
