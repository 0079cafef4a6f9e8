import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseLineText } from './line_text.ts'
import { readJobs } from './jobs.ts'
import { readQuotes } from './quotes.ts'

const RULES = {
  digits: 2,
  currency: 'USD',
  country: 'US',
  seesCost: true,
  isDayFirst: false,
  epoch: 1900 as const,
  source: 'Jobber',
}
const money = (cents: number): string => `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

describe('document lines in one cell', () => {
  it('are parsed into names, quantities and amounts, with commas and brackets in names', () => {
    const text =
      'Drain cleaning (1, $180.00), Trap, 1.5 in (PVC) (2, $24.00), Camera (1.5, $145.50), Goodwill (1, $-10.00)'
    assert.deepEqual(
      parseLineText(text, RULES)?.map(({ cells }) => cells),
      [
        { line_name: 'Drain cleaning', line_total: '$180.00' },
        { line_name: 'Trap, 1.5 in (PVC)', line_quantity: '2', line_price: '12.00', line_total: '$24.00' },
        { line_name: 'Camera', line_description: '1.5 ×', line_total: '$145.50' },
        { line_name: 'Goodwill', line_total: '$-10.00' },
      ],
    )
    for (const other of ['', 'Drain cleaning', 'Drain (1, $180.00) and more', '(1, $5.00)', 'Drain (one, $5.00)'])
      assert.equal(parseLineText(other, RULES), undefined, other)
    assert.equal(parseLineText('a (1, $1.00), '.repeat(101), RULES), undefined)
  })

  it('become the lines of the document when they add up to its total', async () => {
    const line = fc.record({
      name: fc.stringMatching(/^[A-Z][a-z ,]{0,10}[a-z]$/),
      count: fc.integer({ min: 1, max: 40 }),
      cents: fc.integer({ min: 1, max: 99_999 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (lines) => {
        const sum = lines.reduce((all, { count, cents }) => all + count * cents, 0)
        const line_items = lines
          .map(({ name, count, cents }) => `${name} (${count}, ${money(count * cents)})`)
          .join(', ')
        const [found] = await readJobs(
          [{ number: 2, cells: { number: '1', line_items, total: money(sum) }, custom: {} }],
          RULES,
        )
        assert.deepEqual(
          found!.document!.lines,
          lines.map(({ name, count, cents }) => ({
            kind: 'service',
            name,
            taxable: false,
            quantity: String(count),
            unit_price_cents: cents,
          })),
        )
      }),
    )
  })

  it('become the description of a single line when they do not add up', async () => {
    const cells = { number: '1', line_items: 'Sink (1, $310.00)', subtotal: '$300.00', total: '$324.75' }
    const [found] = await readQuotes([{ number: 2, cells, custom: {} }], RULES)
    assert.deepEqual(found!.document!.lines, [
      {
        kind: 'service',
        name: 'Jobber quote 1',
        description: 'Sink (1, $310.00)',
        quantity: '1',
        unit_price_cents: 30_000,
        taxable: true,
      },
    ])
  })
})
