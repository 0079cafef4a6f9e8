import { KINDS, type ImportKind } from '../rows/kinds.ts'
import { headerKey } from '../reading/reading.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Products with known file formats, and `plain` for any other table. */
export const SOURCES = ['jobber', 'housecall_pro', 'servicetitan', 'quickbooks', 'plain'] as const
export type ImportSource = (typeof SOURCES)[number]

/** Column names of one kind of record in a product's files, as `headerKey` normalizes them. */
export type SourceFormat = {
  source: ImportSource
  kind: ImportKind
  /** Columns that identify its files. All columns of any one list must be present. */
  marks: readonly (readonly string[])[]
  /** Column names by field. */
  columns: Readonly<Record<string, readonly string[]>>
}

/** Returns the format of a file by its header: of those whose marks match, the one with the most columns. */
export function detectFormat(
  formats: readonly SourceFormat[],
  header: readonly string[],
  choice: { source?: ImportSource; kind?: ImportKind } = {},
): SourceFormat {
  const keys = new Set(header.map(headerKey))
  const matches = formats.filter(
    ({ source, kind, marks }) =>
      (choice.kind === undefined || kind === choice.kind) &&
      (choice.source === undefined
        ? hasMarks(source, marks, keys) || (choice.kind !== undefined && source === 'plain')
        : source === choice.source),
  )
  const countMatches = ({ columns }: SourceFormat): number =>
    Object.values(columns).reduce((count, names) => count + Number(names.some((name) => keys.has(name))), 0)
  const [best] = matches.toSorted((a, b) => countMatches(b) - countMatches(a) || rank(a) - rank(b))
  return requireValue(best, 'A format that fits')
}

/** Checks whether a header has all columns of one mark. A plain format without marks always matches. */
const hasMarks = (source: ImportSource, marks: SourceFormat['marks'], keys: ReadonlySet<string>): boolean =>
  (source === 'plain' && marks.length === 0) || marks.some((mark) => mark.every((name) => keys.has(name)))

/** Ranks products before plain tables, and customers before other records. */
const rank = ({ source, kind }: SourceFormat): number => Number(source === 'plain') * 10 + KINDS.indexOf(kind)

/**
 * Returns the field of each column of a header; null for an unused column. Of several columns for one field, the one
 * listed first wins; another one may become a different field that also lists it.
 */
export function mapFields({ columns }: SourceFormat, header: readonly string[]): (string | null)[] {
  const candidates = header.map(headerKey).map((name) =>
    Object.entries(columns)
      .flatMap(([field, names]) => (names.includes(name) ? [{ field, i: names.indexOf(name) }] : []))
      .toSorted((a, b) => a.i - b.i),
  )
  const used = new Map<string, number>()
  for (let round = 0; candidates.some((of) => of.length > round); round++) {
    const claims = candidates.flatMap((of, at) =>
      [...used.values()].includes(at) ? [] : of.slice(round, round + 1).map((one) => ({ ...one, at })),
    )
    for (const { field, at } of claims.toSorted((a, b) => a.i - b.i || a.at - b.at))
      if (!used.has(field)) used.set(field, at)
  }
  const fields = new Map([...used].map(([field, at]) => [at, field]))
  return header.map((_, at) => fields.get(at) ?? null)
}
