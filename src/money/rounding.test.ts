import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { percentOf, round, sum } from './rounding.ts'

describe('round', () => {
  it('rounds exact halves away from zero', () => {
    const ratios = [
      [5n, 2n],
      [-5n, 2n],
      [1n, 2n],
      [-1n, 2n],
      [49n, 100n],
      [-49n, 100n],
      [51n, 100n],
      [0n, 7n],
      [2n, 3n],
    ] as const
    assert.deepEqual(
      ratios.map(([over, under]) => round(over, under)),
      [3n, -3n, 1n, -1n, 0n, 0n, 1n, 0n, 1n],
    )
  })

  it('differs by at most a half, and rounds halves away from zero, for any fraction', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.bigInt(1n, 10n ** 15n), (over, under) => {
        const twiceError = 2n * (round(over, under) * under - over)
        const size = twiceError < 0n ? -twiceError : twiceError
        assert.ok(size <= under)
        if (size === under) assert.equal(twiceError > 0n, over > 0n)
      }),
    )
  })
})

describe('percentOf', () => {
  it('is exact where a float is not', () => assert.equal(percentOf(3000n, 72_500n), 218n))
})

describe('sum', () => {
  it('returns 0 for an empty list', () => assert.equal(sum([]), 0n))
  it('adds positive and negative amounts', () => assert.equal(sum([1n, -2n, 10n ** 20n]), 10n ** 20n - 1n))
})
