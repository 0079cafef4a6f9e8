import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { MAX_QUERY_CHARS, parseSearch } from './search_terms.ts'
import { anyText } from '../../../../test/harness/any_text.ts'

describe('parseSearch', () => {
  it('returns folded word prefixes', () => {
    for (const [query, words] of [
      ['  José   Ñandú ', [' jose', ' nandu']],
      ["O'Brien-Smith", [' o', ' brien', ' smith']],
      ['maria@Example.com', [' maria@example.com']],
      ['@example.com', [' example', ' com']],
      ['410 Oak St.', [' 410', ' oak', ' st']],
    ] as const)
      assert.deepEqual(parseSearch(query)?.words, words)
  })

  it('returns phone digits only when the query has nothing else', () => {
    for (const [query, digits] of [
      ['(512) 555-0143', ' 5125550143'],
      ['+44 20 7946', ' 44207946'],
      ['0143', ' 143'],
      ['512.555', ' 512555'],
      ['12', undefined],
      ['410 oak', undefined],
    ] as const)
      assert.equal(parseSearch(query)?.digits, digits)
  })

  it('returns a document number with or without its prefix', () => {
    for (const [query, number] of [
      ['J-1042', { before: 'j', value: 1042 }],
      ['inv 1042', { before: 'inv', value: 1042 }],
      ['#1042', { before: '', value: 1042 }],
      ['1042', { before: '', value: 1042 }],
      ['1042 oak', undefined],
      ['99999999999', undefined],
    ] as const)
      assert.deepEqual(parseSearch(query)?.number, number)
  })

  it('returns undefined without a letter or digit', () => {
    for (const query of ['', '   ', '---', '%', '\u0000']) assert.equal(parseSearch(query), undefined)
  })

  it('limits text and words for any query', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 3 * MAX_QUERY_CHARS }), (query) => {
        const search = parseSearch(query)
        if (search === undefined) return
        assert.ok(search.text.length <= MAX_QUERY_CHARS)
        assert.ok(search.words.length <= 8)
        assert.ok(search.words.every((word) => word.trim() !== ''))
      }),
    )
  })
})
