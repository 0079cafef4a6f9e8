import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Bounds, type Decimal, brokenRule, decimalNumber, decimalText, parseDecimal } from './decimal.ts'
import { percent, quantity, unitPrice } from './bounds.ts'

const wide: Bounds = { scale: 3, min: -(10n ** 30n), max: 10n ** 30n, below: 'must be larger' }

describe('parseDecimal', () => {
  const read: [Decimal, Bounds, bigint][] = [
    [2.5, quantity, 2500n],
    ['2.5', quantity, 2500n],
    [' 2.500000 ', quantity, 2500n],
    ['.5', quantity, 500n],
    ['0007', quantity, 7000n],
    [0.001, quantity, 1n],
    [999_999.999, quantity, 999_999_999n],
    ['1e3', quantity, 1_000_000n],
    ['1.5E+2', quantity, 150_000n],
    ['2500e-3', quantity, 2500n],
    [1e-4, percent, 1n],
    [100, percent, 1_000_000n],
    [0, percent, 0n],
    [-0, percent, 0n],
    ['-0.0', percent, 0n],
    ['0e-999', percent, 0n],
    [1e21, wide, 10n ** 24n],
    ['-1.005', wide, -1005n],
    ['9999999999', unitPrice, 9_999_999_999n],
  ]
  for (const [given, bounds, units] of read) {
    it(`reads ${JSON.stringify(given)} at scale ${bounds.scale} as ${units}`, () => {
      assert.equal(parseDecimal(given, bounds, 'x'), units)
      assert.equal(brokenRule(given, bounds), null)
    })
  }

  it('writes the shortest text', () => {
    const written = [
      [2500n, 3],
      [2000n, 3],
      [1n, 6],
      [-5n, 1],
      [-1200n, 2],
      [0n, 4],
      [120n, 0],
    ] as const
    assert.deepEqual(
      written.map(([units, scale]) => decimalText(units, scale)),
      ['2.5', '2', '0.000001', '-0.5', '-12', '0', '120'],
    )
  })

  it('reads back what decimalText and decimalNumber wrote', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 14n), 10n ** 14n), (units) => {
        assert.equal(parseDecimal(decimalText(units, 3), wide, 'x'), units)
        assert.equal(parseDecimal(decimalNumber(units, 3), wide, 'x'), units)
      }),
    )
  })
})

describe('parseDecimal with invalid input', () => {
  const refused: [Decimal, Bounds, string][] = [
    [-1, quantity, 'x must be above 0 (got -1)'],
    [0, quantity, 'x must be above 0 (got 0)'],
    ['0.000', quantity, 'x must be above 0 (got "0.000")'],
    [1_000_000, quantity, 'x must be at most 999999.999 (got 1000000)'],
    [1e21, quantity, 'x must be at most 999999.999 (got 1e+21)'],
    ['1e999', quantity, 'x must be at most 999999.999 (got "1e999")'],
    [1.0005, quantity, 'x must have at most 3 decimals (got 1.0005)'],
    [0.1 + 0.2, quantity, 'x must have at most 3 decimals (got 0.30000000000000004)'],
    [1e-7, quantity, 'x must have at most 3 decimals (got 1e-7)'],
    ['5e-999', quantity, 'x must have at most 3 decimals (got "5e-999")'],
    [8.25001, percent, 'x must have at most 4 decimals (got 8.25001)'],
    [100.0001, percent, 'x must be at most 100 (got 100.0001)'],
    [-0.5, percent, 'x must be at least 0 (got -0.5)'],
    [10.5, unitPrice, 'x must be a whole number (got 10.5)'],
    [-100, unitPrice, 'x must be at least 0; to take money off, add a line of kind discount (got -100)'],
  ]
  for (const [given, bounds, message] of refused) {
    it(message, () => {
      assert.throws(() => parseDecimal(given, bounds, 'x'), { code: 'invalid_input', message })
      assert.ok(message.startsWith(`x ${brokenRule(given, bounds)} (got `))
    })
  }

  const malformed: Decimal[] = [
    NaN,
    Infinity,
    -Infinity,
    '',
    ' ',
    '.',
    '-',
    '5.',
    'e3',
    '1e',
    '2,5',
    '1 000',
    '0x10',
    '+1',
    '1.2.3',
    '٣',
    'NaN',
  ]
  for (const given of malformed) {
    it(`rejects ${JSON.stringify(String(given))}`, () => {
      assert.equal(brokenRule(given, wide), 'must be a decimal number such as 2.5, of at most 30 digits')
    })
  }

  it('rejects a very long text and cuts it in the message', () => {
    const message = `x must be a decimal number such as 2.5, of at most 30 digits (got "${'9'.repeat(40)}")`
    assert.throws(() => parseDecimal('9'.repeat(1_000_000), wide, 'x'), { message })
  })
})
