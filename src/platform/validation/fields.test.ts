import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import {
  choice,
  choices,
  color,
  country,
  customFields,
  date,
  dateOrInstant,
  degrees,
  email,
  flag,
  id,
  instant,
  language,
  optional,
  whole,
} from './fields.ts'
import { newId } from './id.ts'

const problemsOf = (type: z.ZodType, given: unknown): string[] =>
  type.safeParse(given).error?.issues.map(({ message }) => message) ?? []

function takes(type: z.ZodType, ...pairs: (readonly [given: unknown, read: unknown])[]): void {
  for (const [given, read] of pairs) assert.deepEqual(type.parse(given), read)
}

function refuses(type: z.ZodType, rule: string | undefined, ...given: unknown[]): void {
  for (const value of given) {
    const problems = problemsOf(type, value)
    assert.ok(
      rule === undefined ? problems.length > 0 : problems.includes(rule),
      `${JSON.stringify(value)}: ${problems.join(', ') || 'taken'}`,
    )
  }
}

describe('an id', () => {
  const one = newId()
  it('is a UUID, in lower case', () => takes(id(), [one, one], [` ${one.toUpperCase()}\n`, one]))
  it('is nothing else', () =>
    refuses(
      id(),
      'must be a UUID',
      '',
      'x',
      one.slice(1),
      one.replaceAll('-', ''),
      `{${one}}`,
      `${one}0`,
      one.replace(/^./, 'g'),
    ))
})

describe('a whole number', () => {
  const rule = 'must be a whole number from 1 to 100'
  it('lies within its bounds', () => takes(whole(1, 100), [1, 1], [100, 100]))
  it('is never clamped, rounded or read from text', () =>
    refuses(whole(1, 100), rule, 0, 101, -1, 1.5, '5', true, null, [5], Number.NaN, 2 ** 53))
})

describe('a flag', () => {
  it('is true or false', () => takes(flag(), [true, true], [false, false]))
  it('is nothing that only looks like it', () => refuses(flag(), undefined, 'true', 1, 0, null))
})

describe('a choice', () => {
  it('is one of its names, several where several are meant', () => {
    takes(choice('lead', 'active'), ['lead', 'lead'])
    takes(
      choices('lead', 'active'),
      ['lead', ['lead']],
      [
        ['lead', 'active'],
        ['lead', 'active'],
      ],
    )
  })
  it('is no other name', () => {
    refuses(choice('lead', 'active'), undefined, 'Lead', '', null, ['lead'])
    refuses(choices('lead', 'active'), undefined, [], ['x'], ['lead', 'active', 'lead'], 'x')
  })
})

describe('a date', () => {
  it('is a day of the calendar', () => takes(date(), ['2027-03-01', '2027-03-01'], ['2028-02-29', '2028-02-29']))
  it('is nothing else', () =>
    refuses(
      date(),
      'must be a date, year-month-day, such as 2027-03-31',
      '2027-02-29',
      '2027-13-01',
      '2027-3-1',
      '01/03/2027',
      '',
      '2027-03-01T00:00',
      '0000-01-01',
      '+012027-01-01',
    ))
})

describe('an instant', () => {
  const rule = 'must be an instant such as 2027-03-31T09:00:00Z, or local time such as 2027-03-31T09:00'
  it('has an offset or is local', () => {
    for (const text of [
      '2027-03-01T09:00:00Z',
      '2027-03-01t09:00:00z',
      '2027-03-01T09:00:00.123456789+05:45',
      '2027-03-01T09:00',
      '2027-03-01 09:00:00',
      '2027-03-01T09:00:00-00:00',
    ])
      takes(instant(), [text, text])
  })
  it('is a time that there is', () =>
    refuses(
      instant(),
      rule,
      '2027-02-29T09:00:00Z',
      '2027-03-01T24:00:00Z',
      '2027-03-01T09:60:00Z',
      '2027-03-01T09:00:00+25:00',
      '2027-03-01T09:00:00+05:99',
      '2027-03-01',
      '09:00',
      'tomorrow',
      '',
      '2027-03-01T9:00',
      '2027-03-01T09:00:00 EST',
      '2027-03-01T09:00:00[Europe/Paris]',
      '20270301T090000Z',
    ))
  it('has a year of four digits in UTC too, which the database and RFC 3339 can say', () =>
    refuses(instant(), rule, '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'))
  it('or a day, where a filter has a bound', () => {
    takes(dateOrInstant(), ['2027-03-01', '2027-03-01'], ['2027-03-01T09:00', '2027-03-01T09:00'])
    refuses(
      dateOrInstant(),
      'must be a date, year-month-day, such as 2027-03-31, or an instant such as 2027-03-31T09:00:00Z',
      '2027-02-29',
      'x',
      '2027-03-01T09:00:00+99:00',
      '',
    )
  })
})

describe('a color', () => {
  it('is #RRGGBB, in upper case', () => takes(color(), ['#aabbcc', '#AABBCC'], [' #1E90ff ', '#1E90FF']))
  it('is nothing else', () =>
    refuses(color(), 'must be a color such as #1E90FF', 'red', '#abc', 'aabbcc', '#aabbccdd', '#gggggg', ''))
})

describe('a country', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const taken = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => country().safeParse(code).success)

  it('is one of the 249 codes of ISO 3166-1, in upper case', () => {
    assert.equal(taken.length, 249)
    for (const code of ['US', 'QA', 'GB', 'DE', 'AX', 'BL', 'BQ', 'CW', 'SS', 'SX', 'TW', 'PS', 'AQ', 'UM', 'ZW'])
      assert.ok(taken.includes(code), code)
    takes(country(), [' us ', 'US'])
  })
  it('is no reserved, withdrawn or free code', () =>
    refuses(
      country(),
      'must be a two-letter country code such as US (ISO 3166-1)',
      'AC',
      'CP',
      'CQ',
      'DG',
      'EA',
      'EU',
      'EZ',
      'FX',
      'IC',
      'SU',
      'TA',
      'UK',
      'UN',
      'AN',
      'BU',
      'CS',
      'DD',
      'NT',
      'TP',
      'YU',
      'ZR',
      'XK',
      'AA',
      'QM',
      'QZ',
      'XA',
      'ZZ',
      'USA',
      'U',
      '',
      'us-ny',
      'Ü1',
    ))
})

describe('an e-mail address', () => {
  const rule = 'must be an e-mail address such as ana@example.com'
  it('is kept trimmed, composed and in lower case', () =>
    takes(
      email(),
      [' Ana.Ruiz+Jobs@Example.COM ', 'ana.ruiz+jobs@example.com'],
      ['Jose\u0301@EXAMPLE.com', 'jos\u00e9@example.com'],
      ['a@b', 'a@b'],
      [`${'x'.repeat(252)}@x`, `${'x'.repeat(252)}@x`],
    ))
  it('has one @ with something on both sides, 3 to 254 characters', () =>
    refuses(
      email(),
      rule,
      'a',
      '@',
      'a@',
      '@b',
      'a@b@c',
      'a b@c',
      'a@b\nc',
      'a\u0000@b',
      'a\ud800@b',
      '',
      `${'x'.repeat(253)}@x`,
    ))
})

describe('a language', () => {
  it('is a BCP 47 tag in its canonical form', () =>
    takes(language(), ['EN-us', 'en-US'], [' es-mx ', 'es-MX'], ['zh-hant-tw', 'zh-Hant-TW'], ['haw', 'haw']))
  it('is nothing else, and of 35 characters at most', () =>
    refuses(
      language(),
      'must be a language tag such as en-US (BCP 47)',
      'en_US',
      'x',
      '',
      'english language',
      '12',
      'en--US',
      `en-${'abcdefgh-'.repeat(4)}abc`,
    ))
})

describe('an optional field', () => {
  it('is cleared by null and by a blank, and absent when it is not sent', () => {
    takes(optional(email()), ['Ana@x.y', 'ana@x.y'], ['', null], ['  ', null], [null, null], [undefined, undefined])
    takes(optional(color()), ['', null], ['#aabbcc', '#AABBCC'])
  })
  it('keeps its rule', () => refuses(optional(email()), 'must be an e-mail address such as ana@example.com', 'ana'))
})

describe('degrees', () => {
  it('lie within their bounds, with six decimals at most', () =>
    takes(degrees(90), [-90, -90], [90, 90], [0, 0], [30.267153, 30.267153]))
  it('are never rounded', () => {
    refuses(degrees(90), 'must be from -90 to 90', 90.000001, -91, 180)
    refuses(degrees(180), 'must have at most 6 decimals', 12.3456789, 1e-7)
    refuses(degrees(180), undefined, '12', null)
  })
})

describe('custom fields', () => {
  const rule = 'must be a text of at most 500 characters without control characters, a number, true, false or null'
  it('are texts, numbers, flags and nulls under names', () =>
    takes(
      customFields(),
      [
        { ' Gate ': ' left ', size: 3.5, dog: true, cat: false, none: null, empty: '' },
        { Gate: 'left', size: 3.5, dog: true, cat: false, none: null, empty: null },
      ],
      [{ emoji: '😀'.repeat(500) }, { emoji: '😀'.repeat(500) }],
      [{}, {}],
      [{ ['x'.repeat(60)]: 1 }, { ['x'.repeat(60)]: 1 }],
    ))
  it("are nothing that the database can't keep", () =>
    refuses(
      customFields(),
      rule,
      { a: 'x'.repeat(501) },
      { a: [1] },
      { a: {} },
      { a: 'a\u0000' },
      { a: '\ud800' },
      { a: 'one\ntwo' },
      { a: Number.POSITIVE_INFINITY },
    ))
  it('have names of 1 to 60 characters, 50 at most', () => {
    refuses(
      customFields(),
      undefined,
      { '': 1 },
      { ['x'.repeat(61)]: 1 },
      { 'a\u0000': 1 },
      [1],
      [{ name: 1, value: 1 }],
      'x',
    )
    refuses(
      customFields(),
      'must have at most 50 keys',
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`key ${i}`, i])),
    )
    refuses(
      customFields(),
      "has two fields named 'a', which are one without the white space around them",
      { a: 1, ' a ': 2 },
      { a: 1, 'a ': 1 },
      [
        { name: 'a', value: 1 },
        { name: 'a', value: 1 },
      ],
    )
    refuses(customFields(), "has two fields named '\u00e9', which are one without the white space around them", {
      '\u00e9': 1,
      'e\u0301': 2,
    })
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      refuses(customFields(), `can't have a field named ${name}; give it another name`, JSON.parse(`{"${name}":1}`), [
        { name, value: 1 },
      ])
    }
    assert.equal(
      Object.keys(customFields().parse(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key ${i}`, i]))))
        .length,
      50,
    )
  })
})
