import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { toTsquery, requireAuthor } from './note.ts'

const TENANT = '01980000-0000-7000-8000-000000c0ffee'
const queryOf = (text: string): string => toTsquery(TENANT, text).replaceAll('c0ffee', '')

describe('words', () => {
  it('are folded, all wanted, and the last may be a beginning', () => {
    assert.equal(queryOf('Café ÉCLAIR straße'), 'cafe & eclair & strasse:*')
    assert.equal(queryOf('e\u0301clair'), queryOf('\u00e9clair'))
  })

  it('end where letters and digits end', () => {
    assert.equal(queryOf('pump/motor 512-555-0143 foo@x.com'), 'pump & motor & 512 & 555 & 0143 & foo & x & com:*')
  })

  it("stand behind the end of the tenant's id", () =>
    assert.equal(toTsquery(TENANT, 'gate code'), 'c0ffeegate & c0ffeecode:*'))

  it('are none where a text has none', () => {
    for (const text of ['', '!!!', '*', '😀', "' \\"]) assert.equal(queryOf(text), '')
  })

  it('are cut where they outgrow an index entry', () =>
    assert.equal(queryOf('x'.repeat(130)), `${'x'.repeat(64)} & ${'x'.repeat(64)} & xx:*`))

  it('never carry syntax', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) =>
        assert.match(queryOf(text), /^([\p{L}\p{N}]{1,64}( & [\p{L}\p{N}]{1,64})*:\*)?$/u),
      ),
    )
  })
})

describe('author', () => {
  const note = { author_id: 'ana' }

  it('passes the author and an owner', () => {
    requireAuthor(note, { user: 'ana', role: 'tech' })
    requireAuthor(note, { user: 'ben', role: 'owner' })
  })

  it('turns everybody else down', () => {
    const refusal = {
      name: 'Refusal',
      code: 'invalid_input',
      message: 'only the author or an owner may change this note; write another one with notes_create',
    }
    for (const role of ['office', 'tech'] as const)
      assert.throws(() => requireAuthor(note, { user: 'ben', role }), refusal)
    assert.throws(() => requireAuthor({ author_id: null }, { user: null, role: null }), refusal)
  })
})
