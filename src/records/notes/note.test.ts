import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { toTsquery, requireMayChange } from './note.ts'

const TENANT = '01980000-0000-7000-8000-000000c0ffee'
const queryOf = (text: string): string => toTsquery(TENANT, text).replaceAll('c0ffee', '')

describe('note search words', () => {
  it('are folded and joined with AND, the last one as a prefix', () => {
    assert.equal(queryOf('Café ÉCLAIR straße'), 'cafe & eclair & strasse:*')
    assert.equal(queryOf('e\u0301clair'), queryOf('\u00e9clair'))
  })

  it('end where letters and digits end', () => {
    assert.equal(queryOf('pump/motor 512-555-0143 foo@x.com'), 'pump & motor & 512 & 555 & 0143 & foo & x & com:*')
  })

  it('follow the end of the tenant id', () => assert.equal(toTsquery(TENANT, 'gate code'), 'c0ffeegate & c0ffeecode:*'))

  it('are empty for a text without letters and digits', () => {
    for (const text of ['', '!!!', '*', '😀', "' \\"]) assert.equal(queryOf(text), '')
  })

  it('are split at the size limit of an index entry', () =>
    assert.equal(queryOf('x'.repeat(130)), `${'x'.repeat(64)} & ${'x'.repeat(64)} & xx:*`))

  it('never contain tsquery syntax', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) =>
        assert.match(queryOf(text), /^([\p{L}\p{N}]{1,64}( & [\p{L}\p{N}]{1,64})*:\*)?$/u),
      ),
    )
  })
})

describe('requireAuthor', () => {
  const note = { author_id: 'ana' }

  it('accepts the author and an owner', () => {
    requireMayChange(note, { user: 'ana', role: 'tech' })
    requireMayChange(note, { user: 'ben', role: 'owner' })
  })

  it('throws for everyone else', () => {
    const refusal = {
      name: 'Refusal',
      code: 'invalid_input',
      message: 'only the author or an owner may change this note; write another one with notes_create',
    }
    for (const role of ['office', 'tech'] as const)
      assert.throws(() => requireMayChange(note, { user: 'ben', role }), refusal)
    assert.throws(() => requireMayChange({ author_id: null }, { user: null, role: null }), refusal)
  })
})
