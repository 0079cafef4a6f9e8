import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { priceDocument, type DocumentLine } from '../../money/document.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { detectDayFirst, parseMoment, parseTime } from '../reading/days.ts'
import { SOURCES, detectFormat, type ImportSource } from '../formats/source_format.ts'
import { SOURCE_FORMATS } from '../formats/index.ts'
import { findPricing } from './amounts.ts'
import { readInvoices } from './invoices.ts'
import { multiplyAmount } from './lines.ts'
import type { LineInput } from './source_document.ts'
import { guessMapping, readMappedRows } from '../rows/mapping.ts'

const RULES = {
  digits: 2,
  currency: 'USD',
  country: 'US',
  seesCost: true,
  isDayFirst: false,
  epoch: 1900 as const,
  source: '',
}
const name = fc.stringMatching(/^[A-Z][a-z]{1,11}$/)
const cents = fc.integer({ min: 0, max: 9_999_999 })
const line = fc.record({ name, thousandths: fc.integer({ min: 1, max: 99_999 }), cents })

const money = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
const quantity = (thousandths: number): string =>
  `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`

/** Computes the amount of a line independently of the code under test, half a cent rounded up. */
const comesTo = (thousandths: number, price: number): number => Math.floor((thousandths * price * 2 + 1000) / 2000)

describe('imported document lines', () => {
  it('give the same invoices to the cent from every product', async () => {
    const invoice = fc.record({
      customer: name,
      day: fc.integer({ min: 1, max: 28 }),
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SOURCES),
        fc.array(invoice, { minLength: 1, maxLength: 5 }),
        async (source, invoices) => {
          const rows = await writeAndRead(source, invoices)
          assert.deepEqual(
            (await readInvoices(rows, RULES)).map(({ key, input, document }) => [
              key,
              input['issue_date'],
              document!.customer.name,
              document!.lines,
              document!.problems,
            ]),
            invoices.map(({ customer, day, lines }, i) => [
              String(1000 + i),
              `2026-01-${String(day).padStart(2, '0')}`,
              customer,
              lines.map(({ name, thousandths, cents }) => ({
                kind: 'service',
                name,
                taxable: true,
                quantity: String(thousandths / 1000),
                unit_price_cents: cents,
              })),
              [],
            ]),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('compute quantity times price to the cent, with up to three more decimals in the price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999, max: 999_999 }),
        fc.nat(9_999_999),
        fc.nat(3),
        (count, price, decimals) => {
          const each = (price / 10 ** decimals).toFixed(decimals)
          const exact = BigInt(count) * BigInt(price) * 100n
          const scale = 1000n * 10n ** BigInt(decimals)
          const size = exact < 0n ? -exact : exact
          const rounded = (2n * size + scale) / (2n * scale)
          assert.equal(
            multiplyAmount((count / 1000).toFixed(3), each, { digits: 2, currency: 'USD' })?.cents,
            Number(exact < 0n ? -rounded : rounded),
          )
        },
      ),
    )
  })
})

type Written = { customer: string; day: number; lines: { name: string; thousandths: number; cents: number }[] }

/** Writes invoices as a product's table, one row per line, and reads the table by its own header. */
async function writeAndRead(source: ImportSource, invoices: readonly Written[]) {
  const { columns, marks } = SOURCE_FORMATS.find((one) => one.source === source && one.kind === 'invoices')!
  const fields = ['number', 'customer_name', 'issue_date', 'line_name', 'line_quantity', 'line_price', 'line_total']
  const names = fields.map((field) => columns[field]![0]!)
  const header = [...names, ...(marks[0] ?? []).filter((mark) => !names.includes(mark))]
  const rows = invoices.flatMap(({ customer, day, lines }, i) =>
    lines.map(({ name, thousandths, cents }) => [
      String(1000 + i),
      customer,
      `01/${String(day).padStart(2, '0')}/2026`,
      name,
      quantity(thousandths),
      money(cents),
      money(comesTo(thousandths, cents)),
    ]),
  )
  const dialect = detectFormat(SOURCE_FORMATS, header)
  assert.deepEqual([dialect.source, dialect.kind], [source, 'invoices'])
  const content = stringify([header, ...rows.map((row) => [...row, ...header.slice(fields.length).map(() => '')])])
  return (await readMappedRows(Buffer.from(content), guessMapping(dialect, header))).rows
}

describe('the tax of an imported document', () => {
  const rates = [
    { tax_rate_id: 'a', name: 'Austin', rate_decimal: '0.0825' },
    { tax_rate_id: 'b', name: 'Dallas', rate_decimal: '0.075' },
  ]
  const priceLines = (lines: readonly LineInput[], discount: number, rate: (typeof rates)[number] | null) =>
    priceDocument({
      line_items: lines.map((one): DocumentLine => (one.kind === 'discount' ? one : { ...one, rate })),
      discount: discount === 0 ? null : { type: 'amount', value: discount },
      tax_exempt: false,
    })
  const input = fc.array(
    fc
      .record({ name, cents: fc.integer({ min: 100, max: 999_999 }), taxable: fc.boolean() })
      .map(({ cents, ...rest }): LineInput => ({ kind: 'service', quantity: '1', unit_price_cents: cents, ...rest })),
    { minLength: 1, maxLength: 5 },
  )

  it("gets the rate and discount that reproduce the file's tax and total", () => {
    fc.assert(
      fc.property(input, fc.nat(99), fc.constantFrom(null, ...rates), (lines, discount, rate) => {
        const theirs = priceLines(lines, discount, rate)
        const found = findPricing(
          rates,
          lines,
          { discount, tax: theirs.tax_cents, total: theirs.total_cents },
          { currency: 'USD', isExempt: false, isEvenedOut: false },
        )
        const ours = priceLines(
          found.line_items,
          Number(found.discount?.value ?? 0),
          rates.find(({ tax_rate_id }) => tax_rate_id === found.tax_rate_id) ?? null,
        )
        assert.deepEqual([ours.tax_cents, ours.total_cents], [theirs.tax_cents, theirs.total_cents])
      }),
    )
  })

  it('prefers the rate that the file names when several match', () => {
    const same = [
      ...rates,
      { tax_rate_id: 'c', name: 'Ten', rate_decimal: '0.1' },
      { tax_rate_id: 'd', name: 'Other', rate_decimal: '0.104' },
    ]
    const lines: LineInput[] = [{ kind: 'service', name: 'A', quantity: '1', unit_price_cents: 100, taxable: true }]
    const of = { currency: 'USD', isExempt: false, isEvenedOut: false }
    for (const [rate, chosen] of [
      ['10', 'c'],
      ['10.00', 'c'],
      ['10.4', 'd'],
      [undefined, 'c'],
    ] as const)
      assert.equal(findPricing(same, lines, { tax: 10, total: 110, rate }, of).tax_rate_id, chosen, `${rate}`)
  })

  it('is evened out to the total of the file, and refused when this is not enabled', () => {
    fc.assert(
      fc.property(
        input,
        fc.nat(999),
        fc.integer({ min: 1, max: 9_999 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        (lines, discount, tax, total) => {
          const of = { currency: 'USD', isExempt: true }
          const found = findPricing(rates, lines, { discount, tax, total }, { ...of, isEvenedOut: true })
          assert.equal(found.tax_rate_id, null)
          assert.equal(priceLines(found.line_items, Number(found.discount?.value ?? 0), null).total_cents, total)
          assert.throws(
            () => findPricing(rates, lines, { discount, tax, total }, { ...of, isEvenedOut: false }),
            Refusal,
          )
        },
      ),
    )
  })
})

describe('dates in an imported table', () => {
  it('are read in every supported format, and other texts are not', () => {
    for (const [text, day, time] of [
      ['2026-03-31', '2026-03-31', undefined],
      ['2026-03-31T14:05:09Z', '2026-03-31', '14:05'],
      ['3/4/2026', '2026-03-04', undefined],
      ['3/4/26 9:05 PM', '2026-03-04', '21:05'],
      ['31.3.2026', '2026-03-31', undefined],
      ['Mar 31, 2026', '2026-03-31', undefined],
      ['Tue, March 31st, 2026 12:10 am', '2026-03-31', '00:10'],
      ['31 Mar 2026', '2026-03-31', undefined],
      ['31-Mar-26', '2026-03-31', undefined],
    ] as const) {
      assert.equal(parseMoment(text, false)?.day, day, text)
      assert.equal(parseMoment(text, false)?.time, time, text)
    }
    for (const text of [
      '',
      'soon',
      '2026-02-30',
      '13/13/2026',
      '0/1/2026',
      'Mar 32, 2026',
      '3/4/2026 25:00',
      '3/4/2026 0:30 PM',
      '2026-03-31 x',
      `3/4/2026${' '.repeat(99)}`,
    ])
      assert.equal(parseMoment(text, false), undefined, text)
    assert.equal(parseMoment('3/4/2026', true)?.day, '2026-04-03')
    assert.deepEqual(['9am', '9:30', '12 PM', '24:00', '9'].map(parseTime), [
      '09:00',
      '09:30',
      '12:00',
      undefined,
      undefined,
    ])
  })

  it('are day first or month first depending on a number above 12', () => {
    assert.equal(detectDayFirst(['3/4/2026', '31/3/2026']), true)
    assert.equal(detectDayFirst(['3/4/2026', '3/31/2026']), false)
    assert.equal(detectDayFirst(['3/4/2026', '2026-03-31']), undefined)
    assert.equal(detectDayFirst(['31/3/2026', '3/31/2026']), undefined)
  })
})
