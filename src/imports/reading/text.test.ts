import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toUtf8 } from './text.ts'

const TEXT = 'Name;City\nJosé Ñandú;Zürich\n'
const inUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('a text file', () => {
  it('gives the same text from UTF-8, UTF-16 and Windows-1252', () => {
    assert.equal(toUtf8(Buffer.from(TEXT)).toString(), TEXT)
    assert.equal(toUtf8(Buffer.from(TEXT, 'latin1')).toString(), TEXT)
    assert.equal(toUtf8(Buffer.from([0x80, 0x20, 0x93, 0xe9, 0x94])).toString(), '€ “é”')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(toUtf8(inUtf16(text)).toString(), text)
        assert.equal(toUtf8(inUtf16(text).swap16()).toString(), text)
      }),
    )
  })

  it('is rejected when it is a workbook, a web page, a PDF or binary, with the kind it is', () => {
    for (const [begin, what] of [
      ['504b030414000600', /an Excel or zip file\); open it and save it as CSV/],
      ['d0cf11e0a1b11ae1', /an Excel file/],
      ['255044462d312e37', /a PDF/],
      [Buffer.from('\n<!DOCTYPE html><p>Sign in').toString('hex'), /a web page/],
      ['4e00e90041', /must be text/],
    ] as const)
      assert.throws(() => toUtf8(Buffer.from(begin, 'hex')), what)
  })
})
