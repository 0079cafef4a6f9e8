import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { watchLoop } from '../../../bench/cost/loop.ts'
import { readMappedRows, sampleColumns } from '../rows/mapping.ts'
import { toIncomingRecords } from '../rows/records.ts'
import type { ImportKind } from '../rows/kinds.ts'

const MAX_BYTES = 5 * 2 ** 20 - 1000
const RULES = {
  digits: 2,
  currency: 'USD',
  country: 'US',
  seesCost: true,
  isDayFirst: false,
  epoch: 1900 as const,
  source: '',
}

/**
 * Returns the longest event loop turn of some work: milliseconds of this thread's processor time, so other processes
 * don't count. Best of three runs.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < 3; run++) {
    const stop = watchLoop()
    await work().catch(() => undefined)
    await setImmediate()
    runs.push(stop())
  }
  return Math.min(...runs)
}

const repeatToMax = (unit: string): string => unit.repeat(Math.floor(MAX_BYTES / unit.length))
const HEADER = 'Name,Mail\n'

describe('a file of 5 MB', () => {
  it('of one record, commas, quotes or line ends is rejected without blocking the event loop', async () => {
    for (const [text, why] of [
      [HEADER + repeatToMax(','), /row \d must have at most 200 columns/],
      [`${HEADER}"${repeatToMax('a')}`, /row 2 must have at most 512 kB; look for an unclosed quotation mark/],
      [`${HEADER}"${repeatToMax('","')}`, /at most 200 columns|at most 512 kB/],
      [HEADER + repeatToMax('\n'), /at most 5000 rows/],
      [HEADER + repeatToMax('José,\n'), /at most 5000 rows/],
    ] as const) {
      const content = Buffer.from(text, 'latin1')
      await assert.rejects(sampleColumns(content), why)
      // Other load on the machine only makes a turn longer.
      const turns: number[] = []
      while (turns.length < 10 && !turns.some((turn) => turn < 50))
        turns.push(await longestTurn(() => sampleColumns(content)))
      assert.ok(
        turns.some((turn) => turn < 50),
        `${text.slice(0, 20)}: ${turns.join(', ')} ms`,
      )
    }
  })

  it('of many rows or of one group of rows is read without blocking the event loop', async () => {
    const pad = 'x'.repeat(900)
    const many = (row: (i: number) => string): string =>
      ['a,b,c,d,e', ...Array.from({ length: 5_000 }, (_, i) => row(i))].join('\n')
    const files: [ImportKind, string, string[]][] = [
      [
        'customers',
        many((i) => `Ana Ruiz,7,${pad} ${i},${i} Elm St,a${i}@x.com`),
        ['name', 'source_id', 'note', 'address_line1', 'email'],
      ],
      [
        'customers',
        many((i) => `"Ruiz, Ana",${i},${pad},${i} Elm St,a${i}@x.com`),
        ['name', 'source_id', 'note', 'address_line1', 'email'],
      ],
      ['catalog_items', many((i) => `Trap,7,${i},${pad},`), ['name', 'source_id', 'price', 'description', 'sku']],
      [
        'invoices',
        many((i) => `7,Ana,${i}.5,Trap ${i} ${pad},46027`),
        ['number', 'customer_name', 'line_price', 'line_name', 'issue_date'],
      ],
      [
        'invoices',
        many((i) => `,Ana,${i}.5,Trap ${i} ${pad},46027`),
        ['number', 'customer_name', 'line_price', 'line_name', 'issue_date'],
      ],
    ]
    for (const [kind, text, columns] of files) {
      const content = Buffer.from(text)
      const held = await longestTurn(async () => {
        const { rows } = await readMappedRows(content, { columns, fixed: {} })
        await toIncomingRecords(kind, rows, RULES)
      })
      assert.ok(held < 50, `${kind}: ${held} ms`)
    }
  })
})
