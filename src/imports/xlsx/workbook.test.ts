import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  sheetOf,
  workbookOf,
  zipOf,
  type WorkbookCell,
  type WorkbookPlan,
} from '../../../test/harness/files/workbook.ts'
import { readTable } from '../reading/reading.ts'
import { readWorkbook } from './workbook.ts'

/** Returns the rows of a workbook by number, as an import reads them. */
async function rowsOf(plan: WorkbookPlan, sheet?: string): Promise<[number, string[]][]> {
  const { csv } = await readWorkbook(workbookOf(plan), sheet)
  const { header, rows } = await readTable(csv)
  const found: [number, string[]][] = [[0, [...header]]]
  for await (const { number, cells } of rows) found.push([number, cells])
  return found
}
const cellsOf = async (cells: readonly WorkbookCell[], plan: Partial<WorkbookPlan> = {}): Promise<string[]> =>
  (await rowsOf({ sheets: [{ name: 'A', rows: [cells.map((_, c) => `Column ${c}`), cells] }], ...plan }))[1]![1]
const makeCell = (value: number, style: number): WorkbookCell => ({ value, style })

describe('a sheet of a workbook', () => {
  it('reads shared, inline and rich texts, booleans, errors and saved formula results', async () => {
    const texts = ['Ana & Bo "Ray" <ruiz>', 'two\nlines', ' spaces ', '=1+1', 'José']
    assert.deepEqual(await cellsOf(texts), texts)
    assert.deepEqual(await cellsOf(texts, { isInline: true }), texts)
    const rich =
      '<c t="inlineStr"><is><r><rPr><b/></rPr><t>Ana </t></r><r><t>Ruiz</t></r><rPh sb="0" eb="1"><t>read</t></rPh></is></c>'
    assert.deepEqual(
      await cellsOf([
        { xml: rich },
        true,
        false,
        { xml: '<c t="e"><v>#REF!</v></c>' },
        { xml: '<c t="str"><f>HYPERLINK("http://example.com","x")</f><v>x</v></c>' },
        { xml: '<c><f>1+1</f><v>2</v></c>' },
        { xml: '<c><f>WEBSERVICE("http://example.com")</f></c>' },
        { xml: '<c t="str"><v>a_x000D_b_x005F_</v></c>' },
        { xml: '<c t="inlineStr"><is><t><![CDATA[a<b]]>&#233;</t></is></c>' },
        'end',
      ]),
      ['Ana Ruiz', 'TRUE', 'FALSE', '#REF!', 'x', '2', '', 'a\rb_', 'a<bé', 'end'],
    )
  })

  it('reads dates and times by cell style, in the 1900 and 1904 date systems', async () => {
    const formats = [
      14,
      22,
      20,
      'yyyy\\-mm\\-dd',
      '[$-409]d\\ mmm\\ yy;@',
      '"Due" m/d/yy',
      '[h]:mm',
      'h:mm AM/PM',
      'mmmm d, yyyy h:mm',
      58,
    ]
    const cells = [
      makeCell(46027, 1),
      makeCell(46027.5, 1),
      makeCell(46027.375, 2),
      makeCell(0.3756944, 3),
      makeCell(46027, 4),
      makeCell(46027, 5),
      makeCell(46027, 6),
      makeCell(1.1041667, 7),
      makeCell(46027.99999999, 8),
      makeCell(46027.99999999, 9),
      makeCell(46027, 10),
      makeCell(1, 1),
      makeCell(60, 1),
      makeCell(61, 1),
      { xml: '<c t="d"><v>2026-01-05T00:00:00</v></c>' },
    ]
    assert.deepEqual(await cellsOf(cells, { formats }), [
      '2026-01-05',
      '2026-01-05',
      '2026-01-05 09:00',
      '09:01',
      '2026-01-05',
      '2026-01-05',
      '2026-01-05',
      '26:30',
      '00:00',
      '2026-01-06',
      '2026-01-05',
      '1900-01-01',
      '60',
      '1900-03-01',
      '2026-01-05',
    ])
    assert.deepEqual(await cellsOf([makeCell(44565, 1), makeCell(0, 1)], { formats, is1904: true }), [
      '2026-01-05',
      '1904-01-01',
    ])
  })

  it('reads numbers without exponents, rounded amounts, percentages and leading zeros', async () => {
    const formats = ['"$"#,##0.00', '0.00%', '00000', 44, '0', '#,##0.00_);[Red](#,##0.00)', 9]
    assert.deepEqual(
      await cellsOf(
        [
          0.1 + 0.2,
          5_125_550_101,
          1e15,
          0.000001,
          makeCell(1189.5, 1),
          makeCell(8.6625000001, 1),
          makeCell(1.005, 1),
          makeCell(0.0825, 2),
          makeCell(2134, 3),
          makeCell(-12.3449999, 4),
          makeCell(1189.5, 5),
          makeCell(-0.001, 6),
          makeCell(0.07, 7),
        ],
        { formats },
      ),
      [
        '0.3',
        '5125550101',
        '1000000000000000',
        '0.000001',
        '1189.5',
        '8.66',
        '1.01',
        '8.25%',
        '02134',
        '-12.34',
        '1189.5',
        '0',
        '7%',
      ],
    )
  })

  it('keeps row numbers across gaps, cells by reference and the first cell of merged ones', async () => {
    const rows = sheetOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Customer Contact List</t></is></c><c r="B1" s="0"/></row>' +
        '<row r="4"><c r="B4" t="inlineStr"><is><t>Name</t></is></c><c r="D4" t="inlineStr"><is><t>Phone</t></is></c><c t="inlineStr"><is><t>City</t></is></c></row>' +
        '<row r="5" spans="1:4"/>' +
        '<row r="7"><c r="B7" t="inlineStr"><is><t>Ana</t></is></c><c r="XFD7" s="0"/></row><row><c><v>1</v></c></row>',
    ).replace('</sheetData>', '</sheetData><mergeCells><mergeCell ref="A1:D1"/></mergeCells>')
    assert.deepEqual(await rowsOf({ sheets: [{ name: 'A', rows }] }), [
      [0, ['', 'Name', '', 'Phone', 'City']],
      [7, ['', 'Ana']],
      [8, ['1']],
    ])
  })

  it('is the first visible one with rows, or the chosen visible one', async () => {
    const plan: WorkbookPlan = {
      sheets: [
        { name: 'Cover', rows: [] },
        { name: 'Secret', state: 'hidden', rows: [['Password']] },
        { name: 'Gone', state: 'veryHidden', rows: [['Password']] },
        { name: 'Customers', rows: [['Name'], ['Ana']] },
        { name: 'Prices & more', rows: [['Item'], ['Trap']] },
      ],
    }
    const { sheets, sheet } = await readWorkbook(workbookOf(plan))
    assert.deepEqual([sheets, sheet], [['Cover', 'Customers', 'Prices & more'], 'Customers'])
    assert.deepEqual(await rowsOf(plan, 'Prices & more'), [
      [0, ['Item']],
      [2, ['Trap']],
    ])
    for (const name of ['Secret', 'Gone', 'None']) await assert.rejects(rowsOf(plan, name), /has no such sheet/)
  })

  it('is read with XML namespace prefixes and in UTF-16', async () => {
    const rows = sheetOf('<row><c t="str"><v>Name</v></c></row><row><c t="str"><v>José</v></c></row>')
    const prefixed = rows.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:').replace('xmlns=', 'xmlns:x=')
    const expected = [
      [0, ['Name']],
      [2, ['José']],
    ]
    assert.deepEqual(await rowsOf({ sheets: [{ name: 'A', rows: prefixed }] }), expected)
    const more = [{ name: 'xl/worksheets/sheet1.xml', content: Buffer.from(`\ufeff${rows}`, 'utf16le') }]
    assert.deepEqual(await rowsOf({ sheets: [{ name: 'A', rows: [] }], more }), expected)
  })
})

/** Returns the processor time of this thread, without other load on the machine. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

describe('a hostile workbook', () => {
  const assertRefused = async (rows: string, why: RegExp): Promise<void> => {
    const before = usedMs()
    await assert.rejects(rowsOf({ sheets: [{ name: 'A', rows }] }), why)
    assert.ok(usedMs() - before < 5_000)
  }
  const text = (value: string): string => `<c t="str"><v>${value}</v></c>`

  it('is rejected for entities, deep nesting, too many attributes or truncated XML', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    await assertRefused(sheetOf(`<row>${text('&b;')}</row>`).replace('<worksheet', `${bomb}<worksheet`), /damaged/)
    await assertRefused(sheetOf('<a>'.repeat(100_000)), /damaged/)
    await assertRefused(sheetOf(`<row ${Array.from({ length: 5_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`), /damaged/)
    await assertRefused(sheetOf('<row><c><v>1').replace(/<\/sheetData>.*/, ''), /damaged/)
    await assertRefused('', /damaged/)
    await assertRefused('PK', /damaged/)
  })

  it('is rejected for its unpacked sizes, and for sizes other than declared', async () => {
    const [name, long] = ['xl/worksheets/sheet1.xml', sheetOf(' '.repeat(49 * 2 ** 20))]
    await assertRefused(long, /at most 48 MB when unpacked \(got 50 MB\)/)
    const lying = workbookOf({ sheets: [{ name: 'A', rows: [] }], more: [{ name, content: long, claims: 1_000 }] })
    await assert.rejects(readWorkbook(lying), /damaged/)
    const shared = [{ name: 'xl/sharedStrings.xml', content: `<sst>${' '.repeat(17 * 2 ** 20)}</sst>` }]
    await assert.rejects(rowsOf({ sheets: [{ name: 'A', rows: [['A']] }], more: shared }), /at most 16 MB/)
    const parts = Array.from({ length: 2_100 }, (_, i) => ({ name: `x/${i}`, content: '' }))
    await assert.rejects(rowsOf({ sheets: [{ name: 'A', rows: [['A']] }], more: parts }), /at most 2000 parts/)
  })

  it('is rejected beyond the row, column, cell and text limits of a CSV file', async () => {
    await assertRefused(
      sheetOf(`<row r="1">${text('A')}</row><row r="1048576">${text('B')}</row>`),
      /at most 20000 rows/,
    )
    await assertRefused(sheetOf(`<row r="2">${text('A')}</row><row r="1">${text('B')}</row>`), /out of order/)
    await assertRefused(sheetOf(`<row r="1e9">${text('A')}</row>`), /at most 20000 rows/)
    await assertRefused(sheetOf('<row><c r="GS1"><v>1</v></c></row>'), /at most 200 columns/)
    await assertRefused(sheetOf(`<row>${text('a'.repeat(20_001))}</row>`), /at most 20000 characters in a cell/)
    await assertRefused(sheetOf(`<row>${text('a'.repeat(3_000_000))}</row>`), /at most 20000 characters in a cell/)
    const many = `<row>${text('a'.repeat(19_000)).repeat(26)}</row>`
    await assertRefused(sheetOf(many.repeat(12)), /at most 5 MB of text/)
    const repeated: WorkbookPlan = {
      sheets: [{ name: 'A', rows: sheetOf(`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(100)) }],
      more: [{ name: 'xl/sharedStrings.xml', content: `<sst><si><t>${'a'.repeat(15_000)}</t></si></sst>` }],
    }
    await assert.rejects(rowsOf(repeated), /at most 5 MB of text/)
    const rows = [['Name'], ...Array.from({ length: 5_001 }, (_, i) => [`Ana ${i}`])]
    const { csv } = await readWorkbook(workbookOf({ sheets: [{ name: 'A', rows }], isInline: true }))
    assert.equal((await readTable(csv)).header[0], 'Name')
  })

  it('is rejected when it is no workbook or has nothing to read, with the reason', async () => {
    await assert.rejects(readWorkbook(zipOf([{ name: 'a.txt', content: 'a' }])), /another kind of zip file/)
    await assert.rejects(readWorkbook(Buffer.from('504b0304aaaa', 'hex')), /damaged/)
    await assert.rejects(rowsOf({ sheets: [{ name: 'A', rows: [] }] }), /has no rows in any sheet/)
    await assert.rejects(rowsOf({ sheets: [{ name: 'A', state: 'hidden', rows: [['A']] }] }), /has only hidden sheets/)
    const named = await readWorkbook(workbookOf({ sheets: [{ name: 'A\0B\u0007', rows: [['A']] }] }))
    assert.deepEqual(named.sheets, ['A B '])
    const outside = workbookOf({
      sheets: [{ name: 'A', rows: [['A']] }],
      more: [
        {
          name: 'xl/_rels/workbook.xml.rels',
          content:
            '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="file:///etc/passwd"/><Relationship Id="rId1" Type="x/worksheet" TargetMode="External" Target="http://example.com/"/></Relationships>',
        },
      ],
    })
    await assert.rejects(readWorkbook(outside), /damaged/)
    const { length } = workbookOf({ sheets: [{ name: 'A', rows: [['Name'], ['Ana']] }] })
    for (let cut = 10; cut < length; cut += 97)
      await assert.rejects(
        readWorkbook(workbookOf({ sheets: [{ name: 'A', rows: [['Name'], ['Ana']] }] }).subarray(0, cut)),
      )
  })

  it('is read without blocking the event loop', async () => {
    const row = `<row>${text('Ana Ruiz').repeat(60)}</row>`
    const content = workbookOf({ sheets: [{ name: 'A', rows: sheetOf(row.repeat(4_000)) }] })
    let [last, longest] = [usedMs(), 0]
    const watch = setInterval(() => {
      longest = Math.max(longest, usedMs() - last)
      last = usedMs()
    }, 1)
    last = usedMs()
    const { csv } = await readWorkbook(content)
    clearInterval(watch)
    assert.ok(csv.length > 1_000_000)
    assert.ok(longest < 100, `${longest} ms`)
  })
})
