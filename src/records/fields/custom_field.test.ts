import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../platform/errors/refusal.ts'
import { customField } from './custom_field.ts'

const field = customField()
const context = { timezone: 'UTC', currency: 'USD', country: 'US', options: [] }
const valuesOf = (value: unknown): URLSearchParams => new URLSearchParams(field.toEntries(value, context, {}))
const read = (text: string): unknown => field.read(new URLSearchParams({ fields: text }), context)

/** Generates stored texts: one line, trimmed, not empty. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((one) => one.replace(/\p{Cc}/gu, '').trim())
  .filter((one) => one !== '')
const tricky = fc.constantFrom(
  'true',
  'null',
  '007',
  '1e5',
  '-3',
  '"quoted"',
  '"',
  'a: b',
  'a:b',
  ': ',
  '{}',
  '[1]',
  '\\',
  '"a": 1',
  'constructor',
  '__proto__',
)
const value = fc.oneof(
  text,
  tricky,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const fields = fc
  .uniqueArray(
    fc.tuple(
      fc
        .oneof(text, tricky)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      value,
    ),
    { selector: ([name]) => name, maxLength: 6 },
  )
  .map(Object.fromEntries)

describe('custom fields on a form', () => {
  it('keep their types through the form, including quoted text', () => {
    fc.assert(
      fc.property(fields, (record) => {
        const back = field.read(new URLSearchParams(valuesOf(record).toString().replaceAll('%0A', '%0D%0A')), context)
        assert.deepEqual(back, Object.keys(record).length === 0 ? undefined : record)
        assert.equal(valuesOf(back).toString(), valuesOf(record).toString())
      }),
    )
  })

  it('read numbers, true, false and null unquoted, and text in quotes', () => {
    assert.deepEqual(
      read('Gate code: 4417\nVIP: true\nNote: "4417"\nOwner: Ana: the second\n\n Doors : 2.5 \nNothing: null\nBlank:'),
      { 'Gate code': 4417, VIP: true, Note: '4417', Owner: 'Ana: the second', Doors: 2.5, Nothing: null, Blank: '' },
    )
    assert.deepEqual(read('"Gate: code" : "007"\nHalf: "open\nOdd: 007'), {
      'Gate: code': '007',
      Half: '"open',
      Odd: '007',
    })
  })

  it('are undefined when emptied', () => assert.equal(read(' \r\n '), undefined))

  it('are rejected without a name or a colon, with the line', () => {
    for (const line of ['4417', ': 4417', ' : ', '"": 1']) {
      assert.throws(
        () => read(`Gate: 1\n${line}`),
        (error: unknown) =>
          error instanceof Refusal &&
          error.message.startsWith('fields must have a name') &&
          error.message.includes(line.trim()),
        line,
      )
    }
  })
})
