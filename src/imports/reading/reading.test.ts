import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { readCells, isTotalRow, cleanCell, readTable } from './reading.ts'

const table = async (text: string) => {
  const { header, rows } = await readTable(Buffer.from(text))
  const found: [number, string[]][] = []
  for await (const { number, cells } of rows) found.push([number, cells])
  return { header, rows: found }
}

describe('a table in a file', () => {
  it('starts below the title lines of a report and keeps its row numbers', async () => {
    const report = `Alder Plumbing LLC
Invoice List
"January 1 - August 12, 2026"

,Date,Num,Name,Amount
Apartment
,05/06/2026,6871,Ana Ruiz,575.00
`
    assert.deepEqual(await table(report), {
      header: ['', 'Date', 'Num', 'Name', 'Amount'],
      rows: [
        [6, ['Apartment']],
        [7, ['', '05/06/2026', '6871', 'Ana Ruiz', '575.00']],
      ],
    })
    const dated = await table(
      'Quotes Report\nDate range: Mar 1, 2026 - Mar 31, 2026\nQuote #,Client name,Title,Total\n1,,,2\n',
    )
    assert.deepEqual([dated.header.length, dated.rows[0]![0]], [4, 4])
  })

  it('is read unchanged when it has one column or nothing above its header', async () => {
    assert.deepEqual(await table('Name\nAna\nBo\n'), {
      header: ['Name'],
      rows: [
        [2, ['Ana']],
        [3, ['Bo']],
      ],
    })
    const cell = fc.stringMatching(/^[a-z]{1,8}$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 12 }),
        async (rows) => {
          const content = stringify(rows)
          const found = await table(content)
          assert.deepEqual([found.header, ...found.rows.map(([, cells]) => cells)], rows)
          assert.deepEqual(
            found.rows.map(([number]) => number),
            rows.slice(1).map((_, i) => i + 2),
          )
        },
      ),
    )
  })

  it("numbers rows as a spreadsheet does, with empty ones, and stops before the report's date line", async () => {
    assert.deepEqual(
      await table(
        '"Example Co, LLC",,\nCustomer Contact List,,\n\nCustomer full name,Phone numbers,Email\n\nAna,,a@x.com\n,,\nBo,,\n\n" Thursday, March 05, 2026 01:46 PM GMT-05:00",,\n',
      ),
      {
        header: ['Customer full name', 'Phone numbers', 'Email'],
        rows: [
          [6, ['Ana', '', 'a@x.com']],
          [8, ['Bo', '', '']],
        ],
      },
    )
  })

  it('uses the delimiter of its sep= line, or the one in its header outside quotes', async () => {
    assert.deepEqual(await table('sep=;\r\nName;E-mail\r\nRay, Bo;b@x.com\r\n'), {
      header: ['Name', 'E-mail'],
      rows: [[3, ['Ray, Bo', 'b@x.com']]],
    })
    for (const content of ['"Notes, and more";Name\n"a, b";Bo\n', '"A, B, C"\n"Notes, and more";Name\n"a, b";Bo\n'])
      assert.deepEqual((await table(content)).header.at(-1), content.startsWith('"A') ? 'A, B, C' : 'Name')
    assert.deepEqual((await table('Quotes of March\nName;Total;Title\nBo;1;a, b, c, d\n')).rows, [
      [3, ['Bo', '1', 'a, b, c, d']],
    ])
  })

  it('accepts quotes inside an unquoted cell', async () => {
    assert.deepEqual(await table('Job #,Title,Total\n="0042",3/4" pipe,"1,189.00"\n'), {
      header: ['Job #', 'Title', 'Total'],
      rows: [[2, ['="0042"', '3/4" pipe', '1,189.00']]],
    })
  })

  it('returns the requested rows with the header', async () => {
    const content = Buffer.from('Jobs\nJob #,Client name,Title\n1,Ana,Drain\n2,Bo,Sink\n')
    const found = []
    for await (const one of readCells(content, new Set([4]))) found.push(one)
    assert.deepEqual(found, [
      { number: 1, cells: ['Job #', 'Client name', 'Title'] },
      { number: 4, cells: ['2', 'Bo', 'Sink'] },
    ])
  })
})

describe('a cell in a file', () => {
  it('loses its formula guard, and a lone dash is empty', () => {
    for (const [cell, text] of [
      ['="0042"', '0042'],
      ["'=1+1", '=1+1'],
      ["'-5", '-5'],
      ['-', ''],
      [' - ', ''],
      ['-5', '-5'],
      ['a - b', 'a - b'],
      ['="a"b"', '="a"b"'],
    ] as const)
      assert.equal(cleanCell(cell), text, cell)
  })

  it('marks a totals row only by its label', () => {
    for (const [cell, isOne] of [
      ['Total', true],
      ['TOTAL', true],
      ['Total for Ana Ruiz', true],
      ['Grand total:', true],
      ['Total Plumbing', false],
      ['1001', false],
    ] as const)
      assert.equal(isTotalRow(['', cell, '5.00']), isOne, cell)
    assert.equal(isTotalRow([]), false)
  })
})
