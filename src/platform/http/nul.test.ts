import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dropNulFromUrl, parseQuery } from './nul.ts'

const texts = fc.string({
  unit: fc.constantFrom('\0', 'a', '%', '0', '&', '=', '?', '+', '\ud800', '👩'),
  maxLength: 12,
})
const fields = fc.array(fc.tuple(texts, texts), { maxLength: 5 })
const withoutNul = (text: string): string => text.split('\0').join('').toWellFormed()

describe('form fields', () => {
  it('are read unchanged except for NUL', () => {
    fc.assert(
      fc.property(fields, (pairs) =>
        assert.deepEqual(
          [...parseQuery(new URLSearchParams(pairs).toString())],
          pairs.map((pair) => pair.map(withoutNul)),
        ),
      ),
    )
    assert.deepEqual(
      [...parseQuery('a\0=%0%000&%00=1')],
      [
        ['a', '%00'],
        ['', '1'],
      ],
    )
  })
})

describe('an address', () => {
  it('keeps its fields without NUL, and never matches a path with NUL', () => {
    fc.assert(
      fc.property(texts, fields, (step, pairs) => {
        const path = `/c/${encodeURIComponent(step.toWellFormed())}`
        const sent = `${path}?${new URLSearchParams(pairs).toString()}`
        const url = new URL(dropNulFromUrl(sent), 'https://here.invalid')
        assert.equal(decodeURIComponent(url.pathname), `/c/${step.toWellFormed().replaceAll('\0', '\ufffd')}`)
        assert.deepEqual(
          [...url.searchParams],
          pairs.map((pair) => pair.map(withoutNul)),
        )
        if (!sent.includes('%00')) assert.equal(dropNulFromUrl(sent), sent)
      }),
    )
    for (const odd of ['/%%0000', '/?%%0000', '/%00?a=%00', '/?a=?%00'])
      assert.doesNotMatch(decodeURIComponent(dropNulFromUrl(odd).replace(/%(?![0-9a-f]{2})/gi, '%25')), /\0/, odd)
  })
})
