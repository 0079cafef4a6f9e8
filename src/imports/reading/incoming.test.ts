import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { readCatalogItems } from '../rows/catalog_rows.ts'
import { readCustomers } from '../rows/customer_rows.ts'
import { SOURCES, mapFields, detectFormat, type ImportSource } from '../formats/source_format.ts'
import { SOURCE_FORMATS } from '../formats/index.ts'
import { FIELDS } from './fields.ts'
import type { ImportKind } from '../rows/kinds.ts'
import { guessMapping, readMappedRows } from '../rows/mapping.ts'
import { parseCents, parseMinutes, parseTermDays } from './values.ts'

const word = fc.stringMatching(/^[A-Z][a-z]{1,11}$/)
const digits = (length: number) => fc.stringMatching(new RegExp(`^[2-9]\\d{${length - 1}}$`))

/** Returns the header that identifies a source format, with each field once. */
function headerOf(source: ImportSource, kind: ImportKind, fields: readonly string[]): string[] {
  const dialect = SOURCE_FORMATS.find((one) => one.source === source && one.kind === kind)!
  const own = fields.map((field) => dialect.columns[field]![0]!)
  return [...new Set([...own, ...(dialect.marks[0] ?? [])])]
}

/** Writes a table as the product would and reads it back by its detected format. */
async function through(header: readonly string[], rows: readonly Record<string, string>[], delimiter: string) {
  const dialect = detectFormat(SOURCE_FORMATS, header)
  const fields = mapFields(dialect, header)
  const content = stringify([[...header], ...rows.map((row) => fields.map((field) => row[field ?? ''] ?? ''))], {
    delimiter,
    bom: true,
  })
  return { dialect, rows: (await readMappedRows(Buffer.from(content), guessMapping(dialect, header))).rows }
}

describe('imports from other products', () => {
  it('have only columns of allowed fields, with normalized names', () => {
    for (const { kind, columns, source } of SOURCE_FORMATS) {
      const names = Object.values(columns).flat()
      assert.deepEqual(
        Object.keys(columns).filter((field) => !FIELDS[kind].includes(field)),
        [],
        `${source} ${kind}`,
      )
      assert.ok(
        names.every((name) => /^[a-z0-9]+( [a-z0-9]+)*$/.test(name)),
        `${source} ${kind}`,
      )
    }
  })

  it('give the same catalog to the cent from every product', async () => {
    const item = fc.record({ name: word, cents: fc.nat(99_999_999), cost: fc.nat(999_999), sku: digits(8) })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SOURCES),
        fc.uniqueArray(item, { minLength: 1, maxLength: 8, selector: ({ sku }) => sku }),
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        async (source, items, delimiter, isGrouped) => {
          const header = headerOf(source, 'catalog_items', ['name', 'price', 'cost', 'sku', 'taxable'])
          const { dialect, rows } = await through(
            header,
            items.map(({ name, cents, cost, sku }) => ({
              name,
              sku,
              price: formatCents(cents, isGrouped),
              cost: formatCents(cost, isGrouped),
              taxable: 'Yes',
            })),
            delimiter,
          )
          assert.deepEqual([dialect.source, dialect.kind], [source, 'catalog_items'])
          assert.deepEqual(
            (
              await readCatalogItems(rows, {
                digits: 2,
                currency: 'USD',
                country: 'US',
                seesCost: true,
                isDayFirst: false,
                epoch: 1900 as const,
                source: '',
              })
            ).map(({ input }) => [input['name'], input['sku'], input['unit_price_cents'], input['cost_cents']]),
            items.map(({ name, sku, cents, cost }) => [name, sku, cents, cost]),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('give the same customers from every product', async () => {
    const person = fc.record({ first: word, last: word, street: word, city: word, number: digits(10) })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SOURCES),
        fc.uniqueArray(person, { minLength: 1, maxLength: 8, selector: ({ number }) => number }),
        async (source, people) => {
          const header = headerOf(source, 'customers', ['name', 'mobile_phone', 'email', 'address_line1', 'city'])
          const { dialect, rows } = await through(
            header,
            people.map(({ first, last, street, city, number }) => ({
              name: `${first} ${last}`,
              mobile_phone: number,
              email: `${number}@example.com`,
              address_line1: street,
              city,
            })),
            ',',
          )
          assert.deepEqual([dialect.source, dialect.kind], [source, 'customers'])
          assert.deepEqual(
            (await readCustomers(rows, { country: 'US', source: '' })).map(({ input }) => input),
            people.map(({ first, last, street, city, number }) => ({
              customer_type: 'individual',
              first_name: first,
              last_name: last,
              email: `${number}@example.com`,
              phone: number,
              locations: [{ type: 'service', address_line1: street, city }],
            })),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('parse amounts exactly and reject other texts', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (cents) => assert.equal(parseCents(formatCents(cents, true)), cents)))
    for (const [text, cents] of [
      ['$1,189.00', 118_900],
      ['89,50', 8_950],
      ['1.234,56', 123_456],
      ['(12.00)', -1_200],
      ['-3', -300],
      ['12.3400', 1_234],
      ['12.345', undefined],
      ['1.234', undefined],
      ['12,34,56', undefined],
      ['1e3', undefined],
      ['', undefined],
      ['9007199254740993', undefined],
      ['US$100.00', 10_000],
      ['USD $100', 10_000],
      ['100.00 usd', 10_000],
      ['-$3.00', -300],
      ['100.00-', -10_000],
      ['CA$100.00', undefined],
      ['€100.00', undefined],
      ['100.00 EUR', undefined],
      ['CAD 100', undefined],
    ] as const)
      assert.equal(parseCents(text), cents, text)
    assert.equal(parseCents('CA$1,234.50', { digits: 2, currency: 'CAD' }), 123_450)
    assert.equal(parseCents('€ 1.234,50', { digits: 2, currency: 'EUR' }), 123_450)
    assert.equal(parseCents('1500', { digits: 0, currency: 'JPY' }), 1_500)
    assert.equal(parseCents('15.5', { digits: 0, currency: 'JPY' }), undefined)
  })

  it('parse payment terms and hours', () => {
    assert.deepEqual(['Net 30', 'net15', '14 days', 'Due on receipt', '7', 'Whenever'].map(parseTermDays), [
      30,
      15,
      14,
      0,
      7,
      undefined,
    ])
    assert.deepEqual(['2.5', '0.75', '1', '.5', 'two'].map(parseMinutes), [150, 45, 60, undefined, undefined])
  })
})

function formatCents(cents: number, isGrouped: boolean): string {
  const text = String(cents).padStart(3, '0')
  const whole = text.slice(0, -2)
  return `${isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}.${text.slice(-2)}`
}
