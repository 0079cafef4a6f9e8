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
  wholeNumber,
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

describe('an id field', () => {
  const one = newId()
  it('accepts a UUID and lowercases it', () => takes(id(), [one, one], [` ${one.toUpperCase()}\n`, one]))
  it('rejects anything else', () =>
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

describe('a whole number field', () => {
  const rule = 'must be a whole number from 1 to 100'
  it('accepts numbers within its bounds', () => takes(wholeNumber(1, 100), [1, 1], [100, 100]))
  it('rejects numbers out of bounds, fractions and other types', () =>
    refuses(wholeNumber(1, 100), rule, 0, 101, -1, 1.5, '5', true, null, [5], Number.NaN, 2 ** 53))
})

describe('a flag field', () => {
  it('accepts true and false', () => takes(flag(), [true, true], [false, false]))
  it('rejects other values', () => refuses(flag(), undefined, 'true', 1, 0, null))
})

describe('a choice field', () => {
  it('accepts one of its names, or several in a list field', () => {
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
  it('rejects other names, and empty or duplicate lists', () => {
    refuses(choice('lead', 'active'), undefined, 'Lead', '', null, ['lead'])
    refuses(choices('lead', 'active'), undefined, [], ['x'], ['lead', 'active', 'lead'], 'x')
  })
})

describe('a date field', () => {
  it('accepts a calendar day', () => takes(date(), ['2027-03-01', '2027-03-01'], ['2028-02-29', '2028-02-29']))
  it('rejects anything else', () =>
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

describe('an instant field', () => {
  const rule = 'must be an instant such as 2027-03-31T09:00:00Z, or local time such as 2027-03-31T09:00'
  it('accepts times with an offset and local times', () => {
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
  it('rejects impossible and malformed times', () =>
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
  it('rejects times whose year in UTC is not 0001 to 9999', () =>
    refuses(instant(), rule, '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'))
  it('also accepts a day when it is the bound of a filter', () => {
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

describe('a color field', () => {
  it('accepts #RRGGBB and uppercases it', () => takes(color(), ['#aabbcc', '#AABBCC'], [' #1E90ff ', '#1E90FF']))
  it('rejects anything else', () =>
    refuses(color(), 'must be a color such as #1E90FF', 'red', '#abc', 'aabbcc', '#aabbccdd', '#gggggg', ''))
})

describe('a country field', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const taken = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => country().safeParse(code).success)

  it('accepts the 249 codes of ISO 3166-1 and uppercases them', () => {
    assert.equal(taken.length, 249)
    for (const code of ['US', 'QA', 'GB', 'DE', 'AX', 'BL', 'BQ', 'CW', 'SS', 'SX', 'TW', 'PS', 'AQ', 'UM', 'ZW'])
      assert.ok(taken.includes(code), code)
    takes(country(), [' us ', 'US'])
  })
  it('rejects reserved, withdrawn and unassigned codes', () =>
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

describe('an email field', () => {
  const rule = 'must be an email address such as ana@example.com'
  it('trims, composes and lowercases the address', () =>
    takes(
      email(),
      [' Ana.Ruiz+Jobs@Example.COM ', 'ana.ruiz+jobs@example.com'],
      ['Jose\u0301@EXAMPLE.com', 'jos\u00e9@example.com'],
      ['a@b', 'a@b'],
      [`${'x'.repeat(252)}@x`, `${'x'.repeat(252)}@x`],
    ))
  it('requires one @ with text on both sides and 3 to 254 characters', () =>
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

describe('a language field', () => {
  it('accepts a BCP 47 tag and returns its canonical form', () =>
    takes(language(), ['EN-us', 'en-US'], [' es-mx ', 'es-MX'], ['zh-hant-tw', 'zh-Hant-TW'], ['haw', 'haw']))
  it('rejects anything else and tags over 35 characters', () =>
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
  it('is null for null and blank text, and undefined when absent', () => {
    takes(optional(email()), ['Ana@x.y', 'ana@x.y'], ['', null], ['  ', null], [null, null], [undefined, undefined])
    takes(optional(color()), ['', null], ['#aabbcc', '#AABBCC'])
  })
  it('keeps the rule of its type', () =>
    refuses(optional(email()), 'must be an email address such as ana@example.com', 'ana'))
})

describe('a degrees field', () => {
  it('accepts values within its bounds with up to six decimals', () =>
    takes(degrees(90), [-90, -90], [90, 90], [0, 0], [30.267153, 30.267153]))
  it('rejects values out of bounds or with more decimals, without rounding', () => {
    refuses(degrees(90), 'must be from -90 to 90', 90.000001, -91, 180)
    refuses(degrees(180), 'must have at most 6 decimals', 12.3456789, 1e-7)
    refuses(degrees(180), undefined, '12', null)
  })
})

describe('custom fields', () => {
  const rule = 'must be text of at most 500 characters without control characters, a number, true, false or null'
  it('accept texts, numbers, flags and nulls by name', () =>
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
  it("reject values that the database can't store", () =>
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
  it('require unique names of 1 to 60 characters, at most 50', () => {
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
      "has two fields named 'a', which are the same without surrounding white space",
      { a: 1, ' a ': 2 },
      { a: 1, 'a ': 1 },
      [
        { name: 'a', value: 1 },
        { name: 'a', value: 1 },
      ],
    )
    refuses(customFields(), "has two fields named '\u00e9', which are the same without surrounding white space", {
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
