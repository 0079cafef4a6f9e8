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

describe('a table', () => {
  it('begins below the lines that a report has above it, and its rows keep their numbers', async () => {
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

  it('of one column, or of a header and nothing above it, is what it is', async () => {
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

  it('counts its rows as a spreadsheet does, empty ones too, and ends before the line that says when it was made', async () => {
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

  it('has the delimiter that it says, else that of its header outside of quotes', async () => {
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

  it('may have quotes within a cell that has none around it', async () => {
    assert.deepEqual(await table('Job #,Title,Total\n="0042",3/4" pipe,"1,189.00"\n'), {
      header: ['Job #', 'Title', 'Total'],
      rows: [[2, ['="0042"', '3/4" pipe', '1,189.00']]],
    })
  })

  it('is sent back by the numbers of its rows', async () => {
    const content = Buffer.from('Jobs\nJob #,Client name,Title\n1,Ana,Drain\n2,Bo,Sink\n')
    const found = []
    for await (const one of readCells(content, new Set([4]))) found.push(one)
    assert.deepEqual(found, [
      { number: 1, cells: ['Job #', 'Client name', 'Title'] },
      { number: 4, cells: ['2', 'Bo', 'Sink'] },
    ])
  })
})

describe('a cell', () => {
  it('is read without what keeps a spreadsheet from computing it, and a dash says nothing', () => {
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

  it('tells a row that sums others up', () => {
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
