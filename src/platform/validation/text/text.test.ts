import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { z } from 'zod'
import { email } from '../fields.ts'
import { fold } from './fold.ts'
import { lengthOf, longText, normalizeText, nonEmptyLongText, nonEmptyText, text, withoutMarks } from './text.ts'
import { anyText } from '../../../../test/harness/any_text.ts'

const problemOf = (type: z.ZodType, given: unknown): string | undefined =>
  type.safeParse(given).error?.issues[0]?.message

describe('ok', () => {
  it('trims, whatever kind of white space', () => {
    assert.equal(nonEmptyText(50).parse(' \u00a0\u2003\t\r\ngate code\u3000\n '), 'gate code')
  })

  it('composes: NFC, before the length is taken', () => {
    assert.equal(nonEmptyText(1).parse('e\u0301'), '\u00e9')
    assert.equal(nonEmptyText(50).parse('A\u030angstro\u0308m'), '\u00c5ngstr\u00f6m')
  })

  it('counts code points, not UTF-16 units', () => {
    assert.equal(lengthOf('a😀é'), 3)
    assert.equal(nonEmptyText(3).parse('😀😀😀'), '😀😀😀')
    assert.equal(problemOf(nonEmptyText(3), '😀😀😀a'), 'must be at most 3 characters')
    assert.equal(nonEmptyText(100).parse('x'.repeat(100)).length, 100)
    assert.equal(problemOf(nonEmptyText(100), 'x'.repeat(101)), 'must be at most 100 characters')
  })

  it('takes empty, blank and null of an optional text as null, and leaves an absent one absent', () => {
    for (const type of [text(10), longText(10)]) {
      assert.deepEqual(
        ['', ' \n ', null, undefined].map((given) => type.parse(given)),
        [null, null, null, undefined],
      )
    }
  })

  it('keeps lines and tabs in long texts, with line feeds alone', () => {
    assert.equal(longText(50).parse('one\r\ntwo\rthree\n\tfour'), 'one\ntwo\nthree\n\tfour')
    assert.equal(nonEmptyLongText(4).parse('\r\na\r\nb '), 'a\nb')
  })

  it('is stable: what was stored is read the same again', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (given) => {
        for (const type of [text(200), longText(200)]) {
          const read = type.safeParse(given)
          if (read.success) assert.equal(type.parse(read.data), read.data)
        }
      }),
    )
  })
})

/** Makes marks of falling order: the work to sort a run of them grows with the square of its length. */
const crowd = (length: number): string => `a${'\u0315\u0300'.repeat(length / 2)}`

/** Returns processor time in milliseconds, the best of three. */
function costOf(work: () => void): number {
  const once = (): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.min(once(), once(), once())
}

describe('bounded', () => {
  it('takes 30 marks in a row and refuses 31, wherever they stand', () => {
    assert.equal(nonEmptyText(100).parse(crowd(30)).length, 30)
    for (const given of [`${crowd(30)}\u0301`, `x ${crowd(32)} y`, '\u0301'.repeat(31), `${crowd(30)}\uff9e`]) {
      for (const type of [text(200), nonEmptyText(200), longText(200)])
        assert.equal(problemOf(type, given), 'must not have more than 30 combining marks in a row')
      assert.deepEqual(normalizeText(given, 200, 'NFKC'), {
        rule: 'must not have more than 30 combining marks in a row',
      })
      assert.equal(problemOf(email(), `${given}@example.com`), 'must be an e-mail address such as ana@example.com')
    }
  })

  it('takes what fits once it is composed, however many units it is typed in', () => {
    const widest = '\u1f82'.normalize('NFD')
    assert.equal(widest.length, 4)
    assert.equal(nonEmptyText(50).parse(widest.repeat(50)), '\u1f82'.repeat(50))
    assert.equal(longText(4).parse('a\r\n\r\nb'), 'a\n\nb')
  })

  it('knows no character that waits for its order and is no mark', () => {
    for (let code = 0x300; code < 0x1e000; code++) {
      const one = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code)
      const compatible = one.normalize('NFKD')
      const isSorted =
        `${compatible}\u0334`.normalize('NFD') === `${compatible}\u0334` &&
        `\u0315${compatible}`.normalize('NFD') === `\u0315${compatible}`
      if (!isSorted && lengthOf(compatible) === 1)
        assert.deepEqual(
          normalizeText(`a${one.repeat(31)}`, 100, 'NFKC'),
          { rule: 'must not have more than 30 combining marks in a row' },
          code.toString(16),
        )
    }
  })

  it('is never looked at beyond its length: a text 64 times as long costs no more than its reading', () => {
    const [short, long] = [crowd(2 ** 11), crowd(2 ** 17)]
    const works: readonly ((given: string) => unknown)[] = [
      (given) => text(200).safeParse(given),
      (given) => longText(5_000).safeParse(given),
      (given) => email().safeParse(given),
      (given) => normalizeText(given, 200, 'NFKC'),
      fold,
      withoutMarks,
    ]
    for (const work of works) {
      const [once, many] = [
        costOf(() => {
          for (let i = 0; i < 64; i++) work(short)
        }),
        costOf(() => work(long)),
      ]
      assert.ok(many < 20 * once + 50, `${String(work)}: ${once} and ${many} ms`)
    }
  })

  it('folds as if the marks had been put in order first', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (given) => {
        assert.equal(withoutMarks(given), given.normalize('NFKD').replace(/[\p{M}]/gu, ''))
      }),
    )
  })
})

describe('invalid_input', () => {
  it('a required text that is empty after the trim', () => {
    for (const given of ['', '   ', '\n\t', '\u2003']) {
      assert.equal(problemOf(nonEmptyText(10), given), 'must not be empty')
      assert.equal(problemOf(nonEmptyLongText(10), given), 'must not be empty')
    }
    assert.ok(problemOf(nonEmptyText(10), null))
  })

  it('a line of characters that show nothing is empty', () => {
    for (const given of [
      '\u200b',
      '\u00ad\u2060\ufeff',
      '\u3164',
      '\u2800 \u2800',
      '\u202e',
      '\u{e0041}',
      ' \u034f ',
    ]) {
      assert.equal(problemOf(nonEmptyText(10), given), 'must not be empty')
      assert.equal(text(10).parse(given), null)
    }
    for (const given of ['a\u200bb', '\u2764\ufe0f', '\u0644\u200c\u0645', '-'])
      assert.equal(problemOf(nonEmptyText(10), given), undefined)
  })

  it('a line with what turns the direction of the text around it', () => {
    for (const turn of ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']) {
      assert.equal(problemOf(text(10), `a${turn}b`), 'must not contain characters that turn the direction of text')
      assert.equal(problemOf(longText(10), `a${turn}b`), undefined)
    }
    assert.equal(problemOf(text(10), '\u05d0\u200f1'), undefined)
  })

  it('every control character (category Cc) but line feed and tab of long texts', () => {
    const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)].map((point) =>
      String.fromCodePoint(point),
    )
    assert.equal(controls.length, 65)
    for (const control of controls) {
      assert.equal(problemOf(text(10), `a${control}b`), 'must not contain control characters')
      const kept = ['\n', '\t', '\r'].includes(control)
      assert.equal(
        problemOf(longText(10), `a${control}b`),
        kept ? undefined : 'must not contain control characters other than line feed and tab',
      )
    }
  })

  it('lone surrogates', () => {
    for (const given of ['a\ud800', '\udc00a', 'a\udc00\ud800b']) {
      for (const type of [text(10), nonEmptyText(10), longText(10)])
        assert.equal(problemOf(type, given), 'must be well-formed Unicode')
    }
  })

  it('what is not text', () => {
    for (const given of [1, true, {}, ['a']]) assert.ok(problemOf(text(10), given))
  })
})
