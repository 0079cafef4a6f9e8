import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvOf, safeCell } from './csv.ts'

const SIGNS = ['=', '+', '-', '@', '\t', '1', '.', ',', ';', '|', '"', '\n', '\r', ' ', 'a', '(', '!', '＝']

/** Reads lines as a program with another separator does: quotes count only at the start of a cell. */
const cellsAsReadWith = (separator: string, text: string): string[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => line.split(separator))

/**
 * Checks whether a spreadsheet would run a cell: it starts like a formula and is no number, phone number or list item,
 * where a lone quote ends every formula.
 */
const runs = (cell: string): boolean =>
  /^"?[=@＝＋－＠]/.test(cell) || (/^"?[+-]/.test(cell) && !/^"?(?:[+-]\s?\d[\d.,\s()]*|-\s[^(!="]*)(?:"|$)/.test(cell))

/** Maximum processor time for a cell of a million characters. */
const MAX_MICROSECONDS = 10_000_000

describe('a CSV file', () => {
  // Quadratic time would be minutes; linear time is a tenth of a second.
  it('escapes a cell in linear time', () => {
    for (const unit of [';=', ';-', '\n=', '|+1;', ';=1+1;y', '\t-\r']) {
      const before = process.threadCpuUsage()
      safeCell(unit.repeat(1_000_000 / unit.length))
      const { user, system } = process.threadCpuUsage(before)
      assert.ok(user + system < MAX_MICROSECONDS, JSON.stringify(unit))
    }
  })

  it('quotes a cell that contains a separator of any locale', () => {
    assert.equal(csvOf([['a;b', 'a|b', 'a\tb', 'a,b', 'a b', 'a\nb']]), '"a;b","a|b","a\tb","a,b",a b,"a\nb"\r\n')
  })

  it('contains no formula when read with another separator', () => {
    for (const text of ['x;=1+1;y', "x|-2+3+cmd|' /C calc'!A0", 'x\n=1+1', 'x\t@SUM(A1)', 'x;+1+1', 'x;＝1+1', '\r-1|'])
      for (const separator of [';', '\t', '|'])
        assert.ok(!cellsAsReadWith(separator, csvOf([['first', text, '']])).some(runs), `${text} by ${separator}`)
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...SIGNS) }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(';', '\t', '|'),
        (row, separator) => {
          const written = csvOf([['head', ...row]])
          // Text before one of our separators belongs to the same cell there.
          for (const cell of cellsAsReadWith(separator, written)) assert.ok(!runs(cell), JSON.stringify(cell))
          const read = parse(written, { relax_column_count: true })[0] as unknown as string[]
          assert.deepEqual(
            read.slice(1).map((cell) => cell.replaceAll(/(^|[;\t|\r\n])'(?=[=+\-@\t\r＝])/g, '$1')),
            row.map((cell) => cell.replaceAll(/(^|[;\t|\r\n])'(?=[=+\-@\t\r＝])/g, '$1')),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('leaves numbers, phone numbers and lists unchanged', () => {
    for (const text of ['-12.50', 'Ana; +1 512 555 0143', 'To do:\n- Look at the trap\n- Call', '512-555-0101;-3'])
      assert.equal(safeCell(text), text)
    assert.equal(safeCell(-3), -3)
    assert.equal(safeCell(null), null)
  })
})
