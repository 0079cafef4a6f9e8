import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { sum } from './rounding.ts'
import { spread } from './spread.ts'

describe('spread', () => {
  const examples: [string, bigint, bigint[], bigint[]][] = [
    ['a cent over goes to the lower position', 100n, [1000n, 1000n, 1000n], [34n, 33n, 33n]],
    ['two cents over', 200n, [1n, 1n, 1n], [67n, 67n, 66n]],
    ['the largest remainder wins over position', 1000n, [10_000n, 20_000n], [333n, 667n]],
    ['a part without weight gets nothing', 5n, [0n, 3n, 0n, 3n], [0n, 3n, 0n, 2n]],
    ['everything', 7n, [3n, 4n], [3n, 4n]],
    ['nothing over nothing', 0n, [0n, 0n], [0n, 0n]],
    ['no parts', 0n, [], []],
  ]
  for (const [name, total, weights, shares] of examples) {
    it(name, () => assert.deepEqual(spread(total, weights), shares))
  }

  it('adds up to the total, stays below each weight and within a cent of the proportion', () => {
    const weights = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(weights, fc.bigInt(0n, 10_000n), (weights, ofTenThousand) => {
        const whole = sum(weights)
        const total = (whole * ofTenThousand) / 10_000n
        const shares = spread(total, weights)
        assert.equal(sum(shares), total)
        shares.forEach((share, i) => {
          const error = share * whole - total * weights[i]!
          assert.ok(share >= 0n && share <= weights[i]!)
          assert.ok(whole === 0n || (error < whole && error > -whole))
        })
      }),
    )
  })
})
