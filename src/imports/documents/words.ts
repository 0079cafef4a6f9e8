import type { Cells } from './cells.ts'

/** Source words for each of our statuses. */
export type StatusWords = Readonly<Record<string, readonly string[]>>

/** Returns our status for a source's word. An unknown word becomes `fallback`, with a remark. */
export function parseStatus(cells: Cells, words: StatusWords, fallback: string): string {
  const cell = cells.text('status')
  if (cell === undefined) return fallback
  const key = keyOfWord(cell)
  const match = Object.entries(words).find(([, list]) => list.includes(key))?.[0]
  if (match === undefined) cells.addRemark('status', cell, fallback)
  return match ?? fallback
}

const keyOfWord = (text: string): string =>
  text
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

/** Returns custom fields for data without a field of ours: the source number, and columns under their own names. */
export function extraFields(
  cells: Cells,
  custom: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const number = cells.first('number', 'source_id')
  const { source } = cells.rules
  const fields = {
    ...(number === undefined ? {} : { [source === '' ? 'Number before' : `${source} number`]: number.slice(0, 200) }),
    ...custom,
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** Returns a title for a document that has none: `Jobber invoice 1042`. */
export function defaultTitle(cells: Cells, noun: string): string {
  const number = cells.first('number', 'source_id')
  const { source } = cells.rules
  return [source, source === '' ? noun.replace(/^./, (first) => first.toUpperCase()) : noun, number?.slice(0, 100)]
    .filter(Boolean)
    .join(' ')
}
