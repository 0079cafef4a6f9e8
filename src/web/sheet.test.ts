import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { PageRequest } from '../platform/http/page_request.ts'
import { sendSheet, type SheetRow } from './sheet.ts'
import type { Site } from './site.ts'

const site = { report: (_: string, error: unknown) => assert.fail(String(error)) } as unknown as Site
const visit = { req: { method: 'GET' } } as unknown as PageRequest

async function linesOf(rows: readonly SheetRow[], columns?: readonly string[]): Promise<string[][]> {
  const sent = await sendSheet(site, visit, { name: 'a.csv', rows, ...(columns === undefined ? {} : { columns }) })
  return parse(await sent.text(), { bom: true, relax_column_count: true })
}

/** Returns the text without the apostrophes that escape formulas at its start or inside it. */
const withoutMarks = (text: string): string => text.replaceAll(/(^|[;\t|\r\n])'?(?=[=+\-@\t\r])/g, '$1')

describe('a cell of an exported sheet', () => {
  it('is a number when it looks like one, with its sign', async () => {
    assert.deepEqual(await linesOf([['-12.50', '-3', -4.5, '0.00', null]], ['-1', 'b', 'c', 'd', 'e']), [
      ['-1', 'b', 'c', 'd', 'e'],
      ['-12.50', '-3', '-4.5', '0.00', ''],
    ])
  })

  it('is never run as a formula', async () => {
    const given = ['=1+1', '+1', '-1+1', '-1.', '--1', '@x', '\t=1', '\r=1', '-']
    // Text after a tab or line break is a cell too where that separates cells.
    assert.deepEqual(
      (await linesOf([given]))[0],
      given.map((cell) => (/^[\t\r]/.test(cell) ? `'${cell[0]}'${cell.slice(1)}` : `'${cell}`)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '1', '.', ',', '"', '\n', ' ', 'a') }),
        async (text) => {
          const cell = (await linesOf([['head', text]]))[0]!.at(1) ?? ''
          assert.ok(/^(-?\d+(\.\d+)?|[^=+\-@\t\r][^]*)?$/.test(cell), cell)
          assert.equal(withoutMarks(cell), withoutMarks(text))
        },
      ),
    )
  })
})
