import assert from 'node:assert/strict'
import type { Demo } from '../../../src/cli/installation/demo_company.ts'
import { callerOf, type Result, type TestService } from '../../harness/harness.ts'

/** Returns a reader of a demo company's records. */
export function readerOf({ url }: TestService, { key }: Demo) {
  const { call } = callerOf(url, key)
  return {
    call,
    /** Returns every row of a cursor list. */
    async listAll(tool: string): Promise<Result[]> {
      const rows: Result[] = []
      for (let cursor: string | undefined; ;) {
        const page = await call(tool, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
        rows.push(...page['rows'])
        if (page['nextCursor'] === null) return rows
        cursor = page['nextCursor']
      }
    },
    /** Returns the rows of a page list, which the demo keeps within one page. */
    async list(tool: string, given: object = {}): Promise<Result[]> {
      const { rows, hasMore } = await call(tool, { limit: 100, ...given })
      assert.equal(hasMore, false)
      return rows
    },
    /** Returns the whole record of each row. */
    read: (tool: string, rows: Result[]): Promise<Result[]> => Promise.all(rows.map(({ id }) => call(tool, { id }))),
  }
}

export type DemoReader = ReturnType<typeof readerOf>

export const sum = (amounts: number[]): number => amounts.reduce((all, one) => all + one, 0)
export const tally = (rows: Result[], field: string): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const { [field]: value } of rows) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries(counts)
}

export const byText = (a: string, b: string): number => (a < b ? -1 : 1)
