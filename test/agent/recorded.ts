import { readFile } from 'node:fs/promises'

export type Cost = { calls: number; tokens: number }

/** Tolerance factor for the recorded cost. Ids, days and hours take a different number of tokens each time. */
export const ROOM = 1.15

const ROW = /^\| (?<name>[^|]+?) \| (?<calls>[\d,]+) \| (?<tokens>[\d,]+) \|$/

/** Reads a table of test/agent/costs.md: name, number of calls or rows, number of tokens. */
export async function readCosts(heading: string): Promise<ReadonlyMap<string, Cost>> {
  const text = await readFile(new URL('costs.md', import.meta.url), 'utf8')
  const part = text.split(/^(?=##+ )/m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return new Map(
    part.split('\n').flatMap((line) => {
      const { name, calls, tokens } = line.match(ROW)?.groups ?? {}
      return name === undefined ? [] : [[name, { calls: numberIn(calls!), tokens: numberIn(tokens!) }] as const]
    }),
  )
}

const numberIn = (text: string): number => Number(text.replaceAll(',', ''))
