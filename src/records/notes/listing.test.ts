import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { excerptOf } from './listing.ts'
import { anyText } from '../../../test/harness/any_text.ts'

describe('excerpt', () => {
  it('returns a short body unchanged', () => {
    assert.equal(excerptOf('a\nb'), 'a\nb')
    assert.equal(excerptOf('é'.repeat(280)), 'é'.repeat(280))
  })

  it('counts code points and marks the cut', () => {
    assert.equal(excerptOf('a'.repeat(281)), `${'a'.repeat(280)}…`)
    assert.equal(excerptOf('🔧'.repeat(281)), `${'🔧'.repeat(280)}…`)
  })

  it('drops a grapheme that would be cut', () => {
    const family = '👨‍👩‍👧'
    assert.equal(excerptOf(`${'a'.repeat(278)}${family}`), `${'a'.repeat(278)}…`)
    assert.equal(excerptOf(`${'a'.repeat(279)}e\u0301`), `${'a'.repeat(279)}…`)
    assert.equal(excerptOf(`${'a'.repeat(275)}${family}b`), `${'a'.repeat(275)}${family}…`)
  })

  it('cuts inside a grapheme that is longer than the excerpt', () => {
    assert.equal(excerptOf(`a${'\u0301'.repeat(300)}`), `a${'\u0301'.repeat(279)}…`)
  })

  it('is well-formed and a prefix of the body', () => {
    fc.assert(
      fc.property(anyText({ minLength: 270, maxLength: 300 }), (body) => {
        const excerpt = excerptOf(body)
        assert.ok(excerpt.isWellFormed() && Array.from(excerpt).length <= 281)
        assert.ok(excerpt === body || body.startsWith(excerpt.slice(0, -1)))
      }),
      { numRuns: 40 },
    )
  })
})
