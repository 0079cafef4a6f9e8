import type { Warning } from '../../platform/errors/refusal_text.ts'
import { asDeclared } from '../declare/inputs.ts'

/** Describes a record as a tool answers it: plain JSON, flat at the top level. */
type PlainRecord = { id: string } & Record<string, unknown>

/** Maps a field to its value before and after. */
export type Changes = Record<string, readonly [before: unknown, after: unknown]>

/** A written record for the audit; `type` where it is of another kind than the tool's, such as `contact`. */
export type WrittenRecord = { record: string; changes: Changes; type?: string }

/**
 * Describes what a tool did: the result it answers and, for a write, what the audit records of it, and `also` of
 * others. A write of which the audit would record nothing is undone. Its warnings are written for whoever reads the
 * result.
 */
export type Outcome<Result extends object = Record<string, unknown>> = {
  result: Result
  written?: WrittenRecord
  also?: readonly WrittenRecord[]
  warnings?: readonly Warning[]
}

/** Lists fields that every write changes and no audit needs. */
const UNREMARKABLE = new Set(['id', 'created_at', 'updated_at', 'created_by', 'updated_by'])

type WithWarnings<R> = R & { warnings?: readonly string[] }

/** The call writes the warnings into the result, where they are not yet. */
const UNWRITTEN: { warnings?: readonly string[] } = {}

const resultWith = <R extends PlainRecord>(
  record: R,
  warnings: readonly Warning[],
): Pick<Outcome<WithWarnings<R>>, 'result' | 'warnings'> => ({ result: { ...record, ...UNWRITTEN }, warnings })

/** Returns the outcome for a record that was read. */
export const readOutcome = <R extends PlainRecord>(record: R): Outcome<WithWarnings<R>> => resultWith(record, [])

/** Returns the outcome for a record that was made. */
export const createOutcome = <R extends PlainRecord>(
  record: R,
  warnings: readonly Warning[] = [],
): Outcome<WithWarnings<R>> => ({
  ...resultWith(record, warnings),
  written: { record: record.id, changes: changesBetween({}, record) },
})

/** Returns the audit's entries of records that were made with another one. */
export const childWrites = (type: string, records: readonly PlainRecord[]): WrittenRecord[] =>
  records.map((record) => ({ record: record.id, type, changes: changesBetween({}, record) }))

/**
 * Returns the outcome for a record that was changed, with `counts` of what else the change did; where nothing changed,
 * the record as it is.
 */
export function updateOutcome<R extends PlainRecord>(
  before: PlainRecord,
  after: R,
  warnings: readonly Warning[] = [],
  counts: Record<string, unknown> = {},
): Outcome<WithWarnings<R>> {
  const changes = changesBetween(before, after)
  if (isEmpty(changes)) return resultWith({ ...after, ...before, ...counts }, [])
  return {
    ...resultWith({ ...after, ...counts }, warnings),
    written: { record: after.id, changes: { ...changes, ...changesBetween({}, counts) } },
  }
}

/** Returns whether a write left everything as it was (docs/spec/interface.md#writes-that-change-nothing). */
export const isUnchanged = ({ written, also = [] }: Outcome): boolean =>
  (written === undefined || isEmpty(written.changes)) && also.length === 0

const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0

/** Returns the outcome for a record that was archived or deleted, with what the audit keeps of it. */
export const removeOutcome = <R extends PlainRecord>(
  result: R,
  before: Record<string, unknown> = {},
  warnings: readonly Warning[] = [],
): Outcome<WithWarnings<R>> => ({
  ...resultWith(result, warnings),
  written: { record: result.id, changes: changesBetween(before, result) },
})

/** Returns the audit's entry of a record that replaced a primary one, if there is one. */
export const promotionWrites = (id: string | null): WrittenRecord[] =>
  id === null ? [] : [{ record: id, changes: { is_primary: [false, true] } }]

/** Returns the fields that differ; absent is null. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    if (!UNREMARKABLE.has(name) && JSON.stringify(was) !== JSON.stringify(is)) changes[name] = [was, is]
  }
  return changes
}

/** Describes a row as a list shows it: without what is null. */
type Slim<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: Exclude<Row[Name], null>
}

export type PageOf<Row> = {
  rows: Slim<Row>[]
  page: number
  limit: number
  hasMore: boolean
  total?: number
  total_capped?: boolean
}
type CursorPage<Row> = { rows: Slim<Row>[]; hasMore: boolean; nextCursor: string | null }

/** Makes a page from one row more than it holds; its rows leave out some columns. */
export function pageOutcome<Row extends object>(
  rows: readonly Row[],
  { page, limit }: { page: number; limit: number },
  total?: number,
  without: readonly (keyof Row)[] = [],
): Outcome<PageOf<Row>> {
  const counted =
    total === undefined ? {} : total > MAX_COUNTED ? { total: MAX_COUNTED, total_capped: true } : { total }
  return {
    result: {
      rows: rows.slice(0, limit).map((row) => slim<Row>(row, without)),
      page,
      limit,
      hasMore: rows.length > limit,
      ...counted,
    },
  }
}

/** Limits how far `include_total` counts. */
export const MAX_COUNTED = 10_000

/** Makes a page of a cursor list from one row more than it holds; `places` are columns that only the cursor needs. */
export function cursorOutcome<Row extends object, Place extends keyof Row = never>(
  page: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
  ...places: Place[]
): Outcome<CursorPage<Omit<Row, Place>>> {
  const hasMore = page.length > limit
  const rows = page.slice(0, limit)
  const last = rows.at(-1)
  return {
    result: {
      rows: rows.map((row) => slim<Omit<Row, Place>>(row, places)),
      hasMore,
      nextCursor: hasMore && last !== undefined ? cursorAfter(last) : null,
    },
  }
}

/**
 * Leaves out what is null in a list row; a row that left the list says only that (docs/spec/interface.md#lists,
 * docs/spec/interface.md#removed-records).
 */
function slim<Result>(
  row: { id?: unknown; updated_at?: unknown; removed?: unknown },
  without: readonly PropertyKey[] = [],
): Slim<Result> {
  const { removed, ...view } = row
  if (removed === true) return asDeclared({ id: row.id, removed, updated_at: row.updated_at })
  return Object.fromEntries(
    Object.entries(view).filter(([name, value]) => value !== null && !without.includes(name)),
  ) as Slim<Result>
}
