import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { z } from 'zod'
import { lengthOf, longText, requiredLongText, requiredText, text } from './text.ts'

const problemOf = (type: z.ZodType, given: unknown): string | undefined => type.safeParse(given).error?.issues[0]?.message

describe('ok', () => {
  it('trims, whatever kind of white space', () => {
    assert.equal(requiredText(50).parse(' \u00a0\u2003\t\r\ngate code\u3000\n '), 'gate code')
  })

  it('composes: NFC, before the length is taken', () => {
    assert.equal(requiredText(1).parse('e\u0301'), '\u00e9')
    assert.equal(requiredText(50).parse('A\u030angstro\u0308m'), '\u00c5ngstr\u00f6m')
  })

  it('counts code points, not UTF-16 units', () => {
    assert.equal(lengthOf('a😀é'), 3)
    assert.equal(requiredText(3).parse('😀😀😀'), '😀😀😀')
    assert.equal(problemOf(requiredText(3), '😀😀😀a'), 'must be at most 3 characters')
    assert.equal(requiredText(100).parse('x'.repeat(100)).length, 100)
    assert.equal(problemOf(requiredText(100), 'x'.repeat(101)), 'must be at most 100 characters')
  })

  it('takes empty, blank and null of an optional text as null, and leaves an absent one absent', () => {
    for (const type of [text(10), longText(10)]) {
      assert.deepEqual(['', ' \n ', null, undefined].map((given) => type.parse(given)), [null, null, null, undefined])
    }
  })

  it('keeps lines and tabs in long texts, with line feeds alone', () => {
    assert.equal(longText(50).parse('one\r\ntwo\rthree\n\tfour'), 'one\ntwo\nthree\n\tfour')
    assert.equal(requiredLongText(4).parse('\r\na\r\nb '), 'a\nb')
  })

  it('is stable: what was stored is read the same again', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
      for (const type of [text(200), longText(200)]) {
        const read = type.safeParse(given)
        if (read.success) assert.equal(type.parse(read.data), read.data)
      }
    }))
  })
})

describe('invalid_input', () => {
  it('a required text that is empty after the trim', () => {
    for (const given of ['', '   ', '\n\t', '\u2003']) {
      assert.equal(problemOf(requiredText(10), given), 'must not be empty')
      assert.equal(problemOf(requiredLongText(10), given), 'must not be empty')
    }
    assert.ok(problemOf(requiredText(10), null))
  })

  it('every control character (category Cc) but line feed and tab of long texts', () => {
    const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)].map((point) => String.fromCodePoint(point))
    assert.equal(controls.length, 65)
    for (const control of controls) {
      assert.equal(problemOf(text(10), `a${control}b`), 'must not contain control characters')
      const kept = ['\n', '\t', '\r'].includes(control)
      assert.equal(problemOf(longText(10), `a${control}b`), kept ? undefined : 'must not contain control characters other than line feed and tab')
    }
  })

  it('lone surrogates', () => {
    for (const given of ['a\ud800', '\udc00a', 'a\udc00\ud800b']) {
      for (const type of [text(10), requiredText(10), longText(10)]) assert.equal(problemOf(type, given), 'must be well-formed Unicode')
    }
  })

  it('what is not text', () => {
    for (const given of [1, true, {}, ['a']]) assert.ok(problemOf(text(10), given))
  })
})
