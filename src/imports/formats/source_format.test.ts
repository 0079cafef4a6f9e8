import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseTimes } from '../reading/days.ts'
import { SOURCES, mapFields, detectFormat } from './source_format.ts'
import { SOURCE_FORMATS } from './index.ts'
import { groupDocuments } from '../documents/grouping.ts'
import { sampleColumns } from '../rows/mapping.ts'
import { invalid } from '../../platform/errors/refusal.ts'

const FIXTURES = new URL('../../../test/fixtures/imports/', import.meta.url)

/** Maps the end of a sample's name to the kind of its rows. */
const KIND_OF: readonly [RegExp, string][] = [
  [/customers/, 'customers'],
  [/catalog/, 'catalog_items'],
  [/jobs|visits/, 'jobs'],
  [/quotes|estimates/, 'quotes'],
  [/invoice/, 'invoices'],
]

describe('a source format', () => {
  it('is detected from the header of each sample, and is the right product', async () => {
    const names = (await readdir(FIXTURES, { recursive: true })).filter((file) => file.endsWith('.csv'))
    assert.ok(names.length > 30)
    for (const name of names) {
      const { header } = await sampleColumns(await readFile(new URL(name, FIXTURES)))
      const { source, kind } = detectFormat(SOURCE_FORMATS, header)
      assert.equal(
        source,
        SOURCES.find((one) => name.startsWith(one)),
        name,
      )
      assert.equal(kind, KIND_OF.find(([words]) => words.test(name))![1], name)
    }
  })

  it('maps each column to at most one field and each field to one column', () => {
    const names = [...new Set(SOURCE_FORMATS.flatMap(({ columns }) => Object.values(columns).flat()))]
    const header = fc.uniqueArray(fc.constantFrom(...names, 'nobody knows', ''), { maxLength: 30 })
    fc.assert(
      fc.property(fc.constantFrom(...SOURCE_FORMATS), header, (dialect, columns) => {
        const fields = mapFields(dialect, columns)
        const chosen = fields.filter((field) => field !== null)
        assert.equal(fields.length, columns.length)
        assert.equal(new Set(chosen).size, chosen.length)
        for (const [c, field] of fields.entries())
          if (field !== null) assert.ok(dialect.columns[field]!.includes(columns[c]!), `${columns[c]} as ${field}`)
        for (const [field, known] of Object.entries(dialect.columns))
          if (known.some((name) => columns.includes(name)) && !chosen.includes(field))
            assert.ok(known.every((name) => !columns.includes(name) || fields[columns.indexOf(name)] !== null))
      }),
    )
  })

  it('uses a column for its second field when another fits the first one better', () => {
    const jobs = SOURCE_FORMATS.find(({ source, kind }) => source === 'housecall_pro' && kind === 'jobs')!
    assert.deepEqual(mapFields(jobs, ['Job name', 'Job description']), ['title', 'description'])
    assert.deepEqual(mapFields(jobs, ['Job description']), ['title'])
  })
})

describe('an imported visit', () => {
  it('is distinguished from other visits of its job by date and time', async () => {
    const row = (number: number, cells: Record<string, string>) => ({ number, cells, custom: {} })
    const found = await groupDocuments([
      row(2, { number: '7', visit_date: 'Mar 09, 2026', title: 'Filter' }),
      row(3, { number: '7', visit_date: 'Apr 09, 2026', title: 'Filter' }),
      row(4, { number: '7', visit_date: 'Apr 09, 2026', start_time: '9 AM', title: 'Filter' }),
      row(5, { number: '7', visit_date: 'Mar 09, 2026', title: 'Other words' }),
    ])
    assert.deepEqual(
      found.map(({ key, problem }) => [key, problem && invalid(problem).message]),
      [
        ['7 on Mar 09, 2026', undefined],
        ['7 on Apr 09, 2026', undefined],
        ['7 on Apr 09, 2026 9 AM', undefined],
        ['7 on Mar 09, 2026', 'is already on row 2, with different text'],
      ],
    )
  })

  it('gets its start and end from one cell', () => {
    for (const [text, times] of [
      ['9:00 AM - 11:30 AM', { from: '09:00', until: '11:30' }],
      ['1pm–2pm', { from: '13:00', until: '14:00' }],
      ['9:00 AM to 10:00 AM', { from: '09:00', until: '10:00' }],
      ['14:05', { from: '14:05' }],
      ['Anytime', {}],
      ['all day', {}],
    ] as const)
      assert.deepEqual(parseTimes(text), times, text)
    for (const text of ['', '9', 'noon', '9:00 AM -', '9:00 AM - 10:00 AM - 11:00 AM', ' '.repeat(99)])
      assert.equal(parseTimes(text), undefined, text)
  })
})
