import { KINDS, type ImportKind } from '../rows/kinds.ts'
import { headerKey } from '../reading/reading.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** The products whose files are known, and any other table. */
export const SOURCES = ['jobber', 'housecall_pro', 'servicetitan', 'quickbooks', 'plain'] as const
export type ImportSource = (typeof SOURCES)[number]

/** How a product names the columns of a kind of record, as `headerKey` writes them. */
export type SourceFormat = {
  source: ImportSource
  kind: ImportKind
  /** Columns that identify its files: all of one list. */
  marks: readonly (readonly string[])[]
  /** Maps a field to the names of its column. */
  columns: Readonly<Record<string, readonly string[]>>
}

/** Returns the dialect of a file by its header: of those whose marks it has the one that knows most of its columns. */
export function detectFormat(
  dialects: readonly SourceFormat[],
  header: readonly string[],
  asked: { source?: ImportSource; kind?: ImportKind } = {},
): SourceFormat {
  const keys = new Set(header.map(headerKey))
  const fits = dialects.filter(
    ({ source, kind, marks }) =>
      (asked.kind === undefined || kind === asked.kind) &&
      (asked.source === undefined
        ? hasMarks(source, marks, keys) || (asked.kind !== undefined && source === 'plain')
        : source === asked.source),
  )
  const countMatches = ({ columns }: SourceFormat): number =>
    Object.values(columns).reduce((count, names) => count + Number(names.some((name) => keys.has(name))), 0)
  const [best] = fits.toSorted((a, b) => countMatches(b) - countMatches(a) || rank(a) - rank(b))
  return requireValue(best, 'A format that fits')
}

/** Checks whether a header has all columns of one mark; plain tables need none where they have no marks. */
const hasMarks = (source: ImportSource, marks: SourceFormat['marks'], keys: ReadonlySet<string>): boolean =>
  (source === 'plain' && marks.length === 0) || marks.some((mark) => mark.every((name) => keys.has(name)))

/** Puts products before plain tables, and customers before other records. */
const rank = ({ source, kind }: SourceFormat): number => Number(source === 'plain') * 10 + KINDS.indexOf(kind)

/**
 * Returns the field of each column of a header; null for a column that is left out. Of several columns of one field
 * that whose name stands first has it; one whose name stands in another field too may become that.
 */
export function mapFields({ columns }: SourceFormat, header: readonly string[]): (string | null)[] {
  const wishes = header.map(headerKey).map((name) =>
    Object.entries(columns)
      .flatMap(([field, names]) => (names.includes(name) ? [{ field, i: names.indexOf(name) }] : []))
      .toSorted((a, b) => a.i - b.i),
  )
  const taken = new Map<string, number>()
  for (let round = 0; wishes.some((of) => of.length > round); round++) {
    const asking = wishes.flatMap((of, at) =>
      [...taken.values()].includes(at) ? [] : of.slice(round, round + 1).map((one) => ({ ...one, at })),
    )
    for (const { field, at } of asking.toSorted((a, b) => a.i - b.i || a.at - b.at))
      if (!taken.has(field)) taken.set(field, at)
  }
  const fields = new Map([...taken].map(([field, at]) => [at, field]))
  return header.map((_, at) => fields.get(at) ?? null)
}
