import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { base32, newTotpSecret, stepAt, stepOf, totpUri, totpAt } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('a TOTP code', () => {
  it('matches the test vectors of RFC 6238, appendix B', () => {
    const vectors: Record<number, string> = {
      59: '94287082',
      1111111109: '07081804',
      1111111111: '14050471',
      1234567890: '89005924',
      2000000000: '69279037',
      20000000000: '65353130',
    }
    for (const [seconds, code] of Object.entries(vectors))
      assert.equal(totpAt(SECRET, stepAt(Number(seconds) * 1000), 8), code, seconds)
  })

  it('matches the test vectors of RFC 4226, appendix D', () => {
    const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
    assert.deepEqual(
      codes.map((_, step) => totpAt(SECRET, step)),
      codes,
    )
  })

  it('is accepted one step early or late, and only once', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 3, max: 2 ** 40 }),
        fc.integer({ min: -3, max: 3 }),
        (bytes, step, off) => {
          const secret = Buffer.from(bytes)
          const near = [step - 1, step, step + 1]
          const typed = totpAt(secret, step + off)
          const expected = near.find((one) => totpAt(secret, one) === typed) ?? null
          const now = step * 30_000 + 17_000
          assert.equal(stepOf(secret, typed, { now, last: 0 }), expected)
          if (Math.abs(off) <= 1) assert.notEqual(expected, null)
          if (expected !== null) {
            const again = stepOf(secret, typed, { now, last: expected })
            assert.ok(again === null || (again > expected && totpAt(secret, again) === typed))
          }
        },
      ),
    )
  })

  it('may contain spaces around its halves, and is rejected in any other form', () => {
    const now = 59_000
    const code = totpAt(SECRET, stepAt(now))
    assert.equal(stepOf(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}`, { now, last: 0 }), 1)
    for (const typed of ['', '1', `${code}0`, `-${code}`, '１２３４５６', 'x'.repeat(1e6), `${' '.repeat(1e6)}${code}`])
      assert.equal(stepOf(SECRET, typed, { now, last: 0 }), null)
  })
})

describe('a TOTP secret', () => {
  it('has 160 random bits', () => {
    assert.equal(newTotpSecret().length, 20)
    assert.notDeepEqual(newTotpSecret(), newTotpSecret())
  })

  it('is encoded as unpadded Base32 of RFC 4648', () => {
    for (const [text, written] of [
      ['', ''],
      ['f', 'MY'],
      ['fo', 'MZXQ'],
      ['foo', 'MZXW6'],
      ['foob', 'MZXW6YQ'],
      ['fooba', 'MZXW6YTB'],
      ['foobar', 'MZXW6YTBOI'],
    ] as const)
      assert.equal(base32(Buffer.from(text)), written)
  })

  it('becomes an otpauth URI with issuer and account', () => {
    assert.equal(
      totpUri(SECRET, { issuer: 'Callout', account: 'ana+1@example.com' }),
      'otpauth://totp/Callout:ana%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Callout',
    )
  })
})
