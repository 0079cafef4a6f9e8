import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../platform/errors/refusal.ts'
import { discountField } from './discount_field.ts'
import { yesNoField } from './yes_no_field.ts'
import {
  choiceField,
  choicesField,
  dayField,
  textAreaField,
  dateTimeField,
  moneyField,
  numberField,
  readMoney,
  textField,
  checkboxField,
} from './fields.ts'
import { changesIn, readForm, type Form } from '../form/form.ts'
import { fillForm, type FormField, type FormValues } from './form_field.ts'
import { decimalText } from '../format/formats.ts'
import { versionsHtml } from '../history/versions.ts'

const locale = { timezone: 'America/New_York', currency: 'USD', country: 'US' }
const COLOURS = ['red', 'green', 'blue'].map((value) => ({ value, label: value.toUpperCase() }))
const FIELDS: FormField[] = [
  textField({ name: 'title', label: 'Title' }),
  textAreaField({ name: 'notes', label: 'Notes' }),
  dayField({ name: 'due', label: 'Due' }),
  numberField({ name: 'minutes', label: 'Minutes' }),
  numberField({ name: 'rate', label: 'Rate' }),
  moneyField({ name: 'cost_cents', label: 'Cost' }),
  dateTimeField({ name: 'starts', label: 'Starts' }),
  checkboxField({ name: 'open', label: 'Open' }),
  yesNoField({ name: 'taxed', label: 'Taxed', yes: 'Taxed', no: 'Not taxed' }),
  choiceField({ name: 'color', label: 'Color', options: COLOURS }),
  choicesField({ name: 'colors', label: 'Colors', options: COLOURS }),
  discountField(),
]
const form: Form = {
  fields: FIELDS,
  options: new Map([
    ['color', COLOURS],
    ['colors', COLOURS],
  ]),
  locale,
}
const formWithCurrency = (currency: string): Form => ({ ...form, locale: { ...locale, currency } })

/** Generates stored texts: trimmed, one line or several. */
const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/\p{Cc}/gu, '').trim())
  .filter((text) => text !== '')
const lines = fc.array(line, { minLength: 1, maxLength: 4 }).map((texts) => texts.join('\n'))
const day = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
const records = fc.record({
  title: line,
  notes: fc.option(lines),
  due: fc.option(day),
  minutes: fc.option(fc.integer({ min: -10_000, max: 10_000 })),
  rate: fc.option(fc.integer({ min: 0, max: 99_999 }).map((n) => n / 1000)),
  cost_cents: fc.option(cents),
  starts: fc.option(day.map((date) => `${date}T15:30:00.000Z`)),
  open: fc.boolean(),
  taxed: fc.boolean(),
  color: fc.constantFrom('red', 'green', 'blue', 'gone'),
  colors: fc.subarray(['red', 'green', 'blue']),
  discount: fc.option(
    fc
      .tuple(fc.constantFrom('percent', 'amount'), fc.integer({ min: 1, max: 99 }))
      .map(([type, value]) => ({ type, value })),
  ),
})

/** Returns the submission of a browser: lines of a long text end in CRLF. */
const submissionOf = (values: FormValues): FormValues =>
  new URLSearchParams([...values].map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]))

describe('a record on a form', () => {
  it('reads back unchanged', () => {
    fc.assert(
      fc.property(records, fc.constantFrom('USD', 'JPY', 'KWD'), (record, currency) => {
        const form = formWithCurrency(currency)
        const read = readForm(form, submissionOf(fillForm(FIELDS, record, form.locale)))
        const nullToUndefined = (value: unknown): unknown => value ?? undefined
        for (const name of [
          'title',
          'notes',
          'due',
          'minutes',
          'cost_cents',
          'open',
          'taxed',
          'color',
          'colors',
        ] as const)
          assert.deepEqual(read[name], nullToUndefined(record[name]), name)
        assert.equal(read['rate'], record.rate ?? undefined)
        const discount = read['discount'] as { type: string; value: string | number } | undefined
        assert.deepEqual(discount && { ...discount, value: Number(discount.value) }, nullToUndefined(record.discount))
      }),
    )
  })

  it('fills the same form again, and has no changes when left alone', () => {
    fc.assert(
      fc.property(records, (record) => {
        const values = fillForm(FIELDS, record, locale)
        assert.deepEqual(
          [
            ...fillForm(FIELDS, { ...record, ...readForm(form, submissionOf(values)), starts: record.starts }, locale),
          ].sort(),
          [...values].sort(),
        )
        assert.deepEqual(changesIn(form, submissionOf(values), record), {})
      }),
    )
  })

  it('changes edited fields and clears emptied ones', () => {
    const record = {
      title: 'Boiler',
      notes: 'Two\nlines',
      cost_cents: 1250,
      open: true,
      colors: ['red'],
      discount: { type: 'percent', value: 10 },
    }
    const values = fillForm(FIELDS, record, locale)
    values.set('notes', 'Two\r\nlines')
    values.set('title', 'Boiler service')
    values.set('cost_cents', '$1,200')
    values.delete('open')
    values.delete('colors')
    values.set('discount.value', '')
    assert.deepEqual(changesIn(form, values, record), {
      title: 'Boiler service',
      cost_cents: 120_000,
      open: false,
      colors: [],
      discount: null,
    })
  })

  it('keeps its instant in the repeated hour of a clock change', () => {
    for (const starts of ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']) {
      const values = fillForm(FIELDS, { starts }, locale)
      assert.equal(values.get('starts'), '2026-11-01T01:30')
      assert.deepEqual(changesIn(form, values, { starts, open: false, colors: [] }), {})
    }
  })
})

describe('amounts typed in a form', () => {
  it('are read as minor units of any currency', () => {
    fc.assert(
      fc.property(cents, fc.constantFrom(['JPY', 0], ['USD', 2], ['KWD', 3] as const), (amount, [currency, digits]) => {
        assert.equal(readMoney('x', decimalText(amount, digits as number), currency as string), amount + 0)
      }),
    )
  })

  it('may have groups, blanks, a sign and fewer decimals', () => {
    for (const [text, amount] of [
      ['1,250.00', 125_000],
      ['$1,250', 125_000],
      ['€ 12.5', 1250],
      ['-5', -500],
      ['-$0.05', -5],
      ['0', 0],
      ['', undefined],
      ['1,234,567.89', 123_456_789],
    ] as const) {
      assert.equal(readMoney('x', text, 'USD'), amount, text)
    }
  })

  it('are rejected with too many decimals or a misplaced comma', () => {
    for (const [text, currency] of [
      ['12.345', 'USD'],
      ['12,50', 'USD'],
      ['1,25,000', 'USD'],
      ['12.', 'USD'],
      ['.5', 'USD'],
      ['1e5', 'USD'],
      ['free', 'USD'],
      ['--5', 'USD'],
      ['1250.0', 'JPY'],
      ['1.2345', 'KWD'],
    ] as const) {
      assert.throws(
        () => readMoney('price_cents', text, currency),
        (error: unknown) => {
          assert.ok(
            error instanceof Refusal &&
              error.message.startsWith('price_cents must be an amount like ') &&
              error.message.includes(text),
          )
          return true
        },
        text,
      )
    }
  })
})

describe('two versions of a record', () => {
  const renderVersions = (saved: object, values: object): string =>
    versionsHtml(
      form,
      fillForm(FIELDS, { open: false, ...saved }, locale),
      fillForm(FIELDS, { open: false, ...values }, locale),
    ).toString()

  it('show only differing fields, with choice labels', () => {
    const text = renderVersions(
      { title: 'One', due: '2027-01-01', color: 'red', starts: '2027-06-01T13:30:00.000Z' },
      { title: 'Two', due: '2027-01-01', color: 'blue' },
    )
    assert.ok(
      ['>Title<', '>One<', '>Two<', '>RED<', '>BLUE<', '>2027-06-01 09:30<', '>Nothing<'].every((part) =>
        text.includes(part),
      ),
      text,
    )
    assert.ok(!text.includes('>Due<') && !text.includes('>Minutes<'))
  })

  it('ignore the order of a list', () => {
    assert.ok(
      !renderVersions(
        { colors: ['red', 'blue'], cost_cents: 1250 },
        { colors: ['blue', 'red'], cost_cents: 1250 },
      ).includes('scope="row"'),
    )
  })

  it('compare unreadable values as text and escape them', () => {
    const values = fillForm(FIELDS, { open: false, title: '<b>"One"</b>' }, locale)
    values.set('cost_cents', 'much')
    const text = versionsHtml(
      form,
      fillForm(FIELDS, { open: false, title: 'One', cost_cents: 5 }, locale),
      values,
    ).toString()
    assert.ok(
      text.includes('>much<') &&
        text.includes('>0.05<') &&
        text.includes('&lt;b&gt;&quot;One&quot;&lt;/b&gt;') &&
        !text.includes('<b>'),
    )
  })
})
