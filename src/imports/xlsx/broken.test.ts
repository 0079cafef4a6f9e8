import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { workbookOf } from '../../../test/harness/files/workbook.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { readTable } from '../reading/reading.ts'
import { readWorkbook } from './workbook.ts'

const SOUND = workbookOf({
  formats: [14, '0.00%'],
  sheets: [
    {
      name: 'People',
      rows: [
        ['Name', 'Since'],
        ['Ana', { value: 46027, style: 1 }],
        ['Bo', true],
      ],
    },
    {
      name: 'Prices',
      rows: [
        ['Item', 'Tax'],
        ['Trap', { value: 0.0825, style: 2 }],
      ],
    },
  ],
})

/** Reads a workbook to its end; throws every error that is not a refusal. */
async function readAll(content: Buffer): Promise<void> {
  try {
    const { rows } = await readTable((await readWorkbook(content)).csv)
    for await (const { cells } of rows) assert.ok(cells.length <= 200)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

describe('a corrupt workbook', () => {
  it('with changed bytes is read or refused without another error', async () => {
    const change = fc.record({ at: fc.nat({ max: SOUND.length - 1 }), byte: fc.nat({ max: 255 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const content = Buffer.from(SOUND)
        for (const { at, byte } of changes) content[at] = byte
        await readAll(content)
      }),
      { numRuns: 500 },
    )
  })

  it('with random XML in its parts is read or refused without another error', async () => {
    const piece = fc.constantFrom(
      '<row>',
      '</row>',
      '<c>',
      '<c t="s">',
      '<c r="ZZ9" s="7">',
      '</c>',
      '<v>',
      '</v>',
      '<is>',
      '</is>',
      '<t>',
      '</t>',
      '<r>',
      '</r>',
      '1e99',
      '-5',
      '46027.5',
      'NaN',
      '&#0;',
      '&#xD800;',
      '&b;',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?x',
      '?>',
      '"',
      '_x0000_',
      'ñ',
      '</sheetData>',
    )
    const name = fc.constantFrom(
      'xl/worksheets/sheet1.xml',
      'xl/sharedStrings.xml',
      'xl/styles.xml',
      'xl/workbook.xml',
      '_rels/.rels',
    )
    await fc.assert(
      fc.asyncProperty(name, fc.array(piece, { maxLength: 30 }), async (part, pieces) => {
        const content = `<worksheet><sheetData>${pieces.join('')}</sheetData></worksheet>`
        await readAll(
          workbookOf({
            formats: [14],
            sheets: [{ name: 'A', rows: [['Name'], ['Ana']] }],
            more: [{ name: part, content }],
          }),
        )
      }),
      { numRuns: 500 },
    )
  })
})
