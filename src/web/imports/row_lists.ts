import type { ExistingRecord, ImportFindings, ImportedFile, SkippedRow } from '../../imports/reading/imported_file.ts'
import type { Html } from '../../platform/html/html.ts'
import { table, type Column } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import { recordLink } from '../../records/page/links.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'

/** Maximum rows of a list. */
const MAX_LISTED = 100

const rowNumberColumn = <T extends { number: number }>(): Column<T> => ({
  label: say`Row`,
  cell: ({ number }) => String(number),
  isNumber: true,
})

const listPart = <T>(title: string, rows: readonly T[], columns: readonly Column<T>[]): Html =>
  part(title, table<T>({ caption: title, isCaptionHidden: true, rows: rows.slice(0, MAX_LISTED), empty: '', columns }))

/** Lists the reasons rows are skipped, each with its row numbers. */
export function rejectedRowsHtml(skipped: readonly SkippedRow[]): Html {
  const byReason = new Map<string, number[]>()
  for (const { number, reason } of skipped) {
    const numbers = byReason.get(reason)
    if (numbers === undefined) byReason.set(reason, [number])
    else numbers.push(number)
  }
  return listPart(
    say`Rows to fix`,
    [...byReason].map(([reason, numbers]) => ({ reason, numbers })),
    [
      { label: say`Row`, cell: ({ numbers }) => rowsText(numbers) },
      { label: say`Problem`, cell: ({ reason }) => reason },
    ],
  )
}

/** Maximum number of rows, or ranges of rows, to name. */
const MAX_RANGES = 5

/** Formats row numbers as `2, 5–9`, with a total if some are omitted. */
function rowsText(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  const rangeTexts = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return ranges.length > MAX_RANGES ? say`${rangeTexts.join(', ')} … (${numbers.length} rows)` : rangeTexts.join(', ')
}

export const existingHtml = (
  context: MemberContext,
  { kind }: ImportedFile,
  existing: readonly ExistingRecord[],
): Html =>
  listPart<ExistingRecord>(say`Already here`, existing, [
    rowNumberColumn(),
    {
      label: say`Record`,
      cell: (one) => ('id' in one ? recordLink(context, kind, one.id, one.name) : say`Same as row ${one.row}`),
    },
  ])

export const previewHtml = ({ shown }: ImportFindings): Html =>
  listPart(say`Preview of the first rows`, shown, [
    rowNumberColumn(),
    { label: say`Name`, cell: ({ name }) => name },
    { label: say`Details`, cell: ({ says }) => says },
  ])
