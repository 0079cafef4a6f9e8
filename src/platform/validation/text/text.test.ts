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

describe('text fields', () => {
  it('trim any kind of white space', () => {
    assert.equal(nonEmptyText(50).parse(' \u00a0\u2003\t\r\ngate code\u3000\n '), 'gate code')
  })

  it('compose to NFC before measuring the length', () => {
    assert.equal(nonEmptyText(1).parse('e\u0301'), '\u00e9')
    assert.equal(nonEmptyText(50).parse('A\u030angstro\u0308m'), '\u00c5ngstr\u00f6m')
  })

  it('count code points, not UTF-16 units', () => {
    assert.equal(lengthOf('a😀é'), 3)
    assert.equal(nonEmptyText(3).parse('😀😀😀'), '😀😀😀')
    assert.equal(problemOf(nonEmptyText(3), '😀😀😀a'), 'must be at most 3 characters')
    assert.equal(nonEmptyText(100).parse('x'.repeat(100)).length, 100)
    assert.equal(problemOf(nonEmptyText(100), 'x'.repeat(101)), 'must be at most 100 characters')
  })

  it('treat empty, blank and null optional text as null, and keep absent as undefined', () => {
    for (const type of [text(10), longText(10)]) {
      assert.deepEqual(
        ['', ' \n ', null, undefined].map((given) => type.parse(given)),
        [null, null, null, undefined],
      )
    }
  })

  it('keep lines and tabs in long texts, with line feeds only', () => {
    assert.equal(longText(50).parse('one\r\ntwo\rthree\n\tfour'), 'one\ntwo\nthree\n\tfour')
    assert.equal(nonEmptyLongText(4).parse('\r\na\r\nb '), 'a\nb')
  })

  it('read their own output unchanged', () => {
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

/** Makes marks in descending order: sorting a run of them takes quadratic time. */
const crowd = (length: number): string => `a${'\u0315\u0300'.repeat(length / 2)}`

/** Returns processor time in milliseconds, best of three. */
function costOf(work: () => void): number {
  const once = (): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.min(once(), once(), once())
}

describe('text length limits', () => {
  it('allow 30 combining marks in a row and reject 31 anywhere', () => {
    assert.equal(nonEmptyText(100).parse(crowd(30)).length, 30)
    for (const given of [`${crowd(30)}\u0301`, `x ${crowd(32)} y`, '\u0301'.repeat(31), `${crowd(30)}\uff9e`]) {
      for (const type of [text(200), nonEmptyText(200), longText(200)])
        assert.equal(problemOf(type, given), 'must not have more than 30 combining marks in a row')
      assert.deepEqual(normalizeText(given, 200, 'NFKC'), {
        rule: 'must not have more than 30 combining marks in a row',
      })
      assert.equal(problemOf(email(), `${given}@example.com`), 'must be an email address such as ana@example.com')
    }
  })

  it('apply to the composed text, however many units were sent', () => {
    const widest = '\u1f82'.normalize('NFD')
    assert.equal(widest.length, 4)
    assert.equal(nonEmptyText(50).parse(widest.repeat(50)), '\u1f82'.repeat(50))
    assert.equal(longText(4).parse('a\r\n\r\nb'), 'a\n\nb')
  })

  it('count every reordering character as a combining mark', () => {
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

  it('keep the cost of a text 64 times as long near the cost of reading it', () => {
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

  it('give the same folding as with marks in canonical order', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (given) => {
        assert.equal(withoutMarks(given), given.normalize('NFKD').replace(/[\p{M}]/gu, ''))
      }),
    )
  })
})

describe('text fields: invalid_input', () => {
  it('is returned for a required text that is empty after trimming', () => {
    for (const given of ['', '   ', '\n\t', '\u2003']) {
      assert.equal(problemOf(nonEmptyText(10), given), 'must not be empty')
      assert.equal(problemOf(nonEmptyLongText(10), given), 'must not be empty')
    }
    assert.ok(problemOf(nonEmptyText(10), null))
  })

  it('is returned for a required line of invisible characters, and an optional one is null', () => {
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

  it('is returned for a line with bidirectional control characters', () => {
    for (const turn of ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']) {
      assert.equal(problemOf(text(10), `a${turn}b`), 'must not contain characters that change the text direction')
      assert.equal(problemOf(longText(10), `a${turn}b`), undefined)
    }
    assert.equal(problemOf(text(10), '\u05d0\u200f1'), undefined)
  })

  it('is returned for every control character except line feed and tab in long texts', () => {
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

  it('is returned for lone surrogates', () => {
    for (const given of ['a\ud800', '\udc00a', 'a\udc00\ud800b']) {
      for (const type of [text(10), nonEmptyText(10), longText(10)])
        assert.equal(problemOf(type, given), 'must be well-formed Unicode')
    }
  })

  it('is returned for a value that is not text', () => {
    for (const given of [1, true, {}, ['a']]) assert.ok(problemOf(text(10), given))
  })
})
