import type { Warning } from '../../platform/errors/refusal_text.ts'
import { asDeclared } from '../declare/inputs.ts'

/** Record as a tool returns it: plain JSON, flat at the top level. */
type PlainRecord = { id: string } & Record<string, unknown>

/** Values of each changed field before and after. */
export type Changes = Record<string, readonly [before: unknown, after: unknown]>

/** Written record for the audit; `type` if its kind is not the tool's, such as `contact`. */
export type WrittenRecord = { record: string; changes: Changes; type?: string }

/**
 * Outcome of a tool: its result and, for a write, its audit entry, with the entries of other records in `also`. A write
 * with nothing to audit is rolled back. Warnings are worded for the reader of the result.
 */
export type Outcome<Result extends object = Record<string, unknown>> = {
  result: Result
  written?: WrittenRecord
  also?: readonly WrittenRecord[]
  warnings?: readonly Warning[]
}

/** Fields that every write changes and no audit needs. */
const UNAUDITED_FIELDS = new Set(['id', 'created_at', 'updated_at', 'created_by', 'updated_by'])

type WithWarnings<R> = R & { warnings?: readonly string[] }

/** Placeholder for the warnings, which the call adds to the result later. */
const NO_WARNINGS: { warnings?: readonly string[] } = {}

const resultWith = <R extends PlainRecord>(
  record: R,
  warnings: readonly Warning[],
): Pick<Outcome<WithWarnings<R>>, 'result' | 'warnings'> => ({ result: { ...record, ...NO_WARNINGS }, warnings })

/** Returns the outcome for a read record. */
export const readOutcome = <R extends PlainRecord>(record: R): Outcome<WithWarnings<R>> => resultWith(record, [])

/** Returns the outcome for a created record. */
export const createOutcome = <R extends PlainRecord>(
  record: R,
  warnings: readonly Warning[] = [],
): Outcome<WithWarnings<R>> => ({
  ...resultWith(record, warnings),
  written: { record: record.id, changes: changesBetween({}, record) },
})

/** Returns the audit entries of records created with another one. */
export const childWrites = (type: string, records: readonly PlainRecord[]): WrittenRecord[] =>
  records.map((record) => ({ record: record.id, type, changes: changesBetween({}, record) }))

/**
 * Returns the outcome for a changed record, with `counts` of the change's other effects. If nothing changed, returns
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

/** Checks whether a write changed nothing (docs/spec/interface.md#writes-that-change-nothing). */
export const isUnchanged = ({ written, also = [] }: Outcome): boolean =>
  (written === undefined || isEmpty(written.changes)) && also.length === 0

const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0

/** Returns the outcome for an archived or deleted record, with what the audit keeps of it. */
export const removeOutcome = <R extends PlainRecord>(
  result: R,
  before: Record<string, unknown> = {},
  warnings: readonly Warning[] = [],
): Outcome<WithWarnings<R>> => ({
  ...resultWith(result, warnings),
  written: { record: result.id, changes: changesBetween(before, result) },
})

/** Returns the audit entry of a record that became primary in place of another, if any. */
export const promotionWrites = (id: string | null): WrittenRecord[] =>
  id === null ? [] : [{ record: id, changes: { is_primary: [false, true] } }]

/** Returns the fields that differ. A missing field counts as null. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    if (!UNAUDITED_FIELDS.has(name) && JSON.stringify(was) !== JSON.stringify(is)) changes[name] = [was, is]
  }
  return changes
}

/** List row without its null fields. */
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

/** Builds a page from one row more than it holds, and removes some columns. */
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

/** Highest count of `include_total`. */
export const MAX_COUNTED = 10_000

/**
 * Builds a page of a cursor list from one row more than it holds. `cursorColumns` are columns that only the cursor
 * needs.
 */
export function cursorOutcome<Row extends object, CursorColumn extends keyof Row = never>(
  page: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
  ...cursorColumns: CursorColumn[]
): Outcome<CursorPage<Omit<Row, CursorColumn>>> {
  const hasMore = page.length > limit
  const rows = page.slice(0, limit)
  const last = rows.at(-1)
  return {
    result: {
      rows: rows.map((row) => slim<Omit<Row, CursorColumn>>(row, cursorColumns)),
      hasMore,
      nextCursor: hasMore && last !== undefined ? cursorAfter(last) : null,
    },
  }
}

/**
 * Removes nulls from a list row. Reduces a removed row to its id, `removed` and `updated_at`
 * (docs/spec/interface.md#lists, docs/spec/interface.md#removed-records).
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
