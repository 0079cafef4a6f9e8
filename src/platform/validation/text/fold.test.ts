import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { fold, likeLiteral, searchWords, spellings } from './fold.ts'
import { anyText } from '../../../../test/harness/any_text.ts'

describe('fold', () => {
  it('removes case and accents', () => {
    for (const [given, folded] of [
      ['José Ñandú', 'jose nandu'],
      ['ŁÓDŹ', 'lodz'],
      ['Straße', 'strasse'],
      ['ẞ', 'ss'],
      ['Ærø', 'aero'],
      ['Œuvre', 'oeuvre'],
      ['Đorđe', 'dorde'],
      ['İstanbul Iğdır', 'istanbul igdir'],
      ['Þór', 'thor'],
      ['ﬁne', 'fine'],
      ['Ｆｕｌｌ', 'full'],
      ['한국', '한국'.normalize('NFKD')],
    ] as const)
      assert.equal(fold(given), folded)
  })

  it('is equal for composed and decomposed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        assert.equal(fold(text.normalize('NFC')), fold(text.normalize('NFD')))
      }),
    )
  })

  it('puts one space between words and none around them', () => {
    assert.equal(fold('  a \u00a0\t b\n'), 'a b')
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 30 }), (text) => {
        if (text.isWellFormed()) assert.equal(fold(fold(text)), fold(text))
      }),
    )
  })

  it('folds the start of a word to the start of the folded word', () => {
    for (const word of ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'ΠΑΣΧΑΛΗΣ', 'Straßer', 'ÉCOLE', 'İZMİR']) {
      for (let end = 1; end <= word.length; end++)
        assert.ok(fold(word).startsWith(fold(word.slice(0, end))), word.slice(0, end))
    }
  })
})

describe('likeLiteral', () => {
  it('escapes only what LIKE interprets', () => {
    assert.equal(likeLiteral('50%_off\\now'), '50\\%\\_off\\\\now')
    assert.equal(likeLiteral('it\'s "plain"'), 'it\'s "plain"')
  })
})

describe('spellings', () => {
  it('returns one spelling for plain words, and one more without punctuation', () => {
    assert.deepEqual(spellings('Ana  María'), ['ana maria'])
    assert.deepEqual(spellings("O'Brien"), ["o'brien", 'o brien'])
    assert.deepEqual(spellings('(Acme),'), ['(acme),', 'acme'])
    assert.deepEqual(spellings('&'), ['&'])
    assert.deepEqual(spellings(' '), [])
  })

  it('removes the separator of the search index', () => {
    assert.deepEqual(spellings('A|B'), ['a b'])
    assert.deepEqual(spellings('|'), [])
  })
})

describe('searchWords', () => {
  it('returns the words of all names', () => {
    assert.equal(searchWords('Ana', null, 'Peña-Ruiz'), 'ana pena-ruiz ana pena ruiz')
    assert.equal(searchWords('Ana', 'Ruiz'), 'ana ruiz')
    assert.equal(searchWords(null, null), '')
  })
})
