import { fold } from '../../platform/validation/text/fold.ts'
import { recordDigest, type MappedRow } from '../reading/incoming.ts'
import { newPacer } from '../../platform/db/pacer.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { refusals } from './refusals.ts'

/** Rows of one document. The first describes it; each may have a line item. */
export type DocumentRows = { key: string; rows: readonly [MappedRow, ...MappedRow[]]; problem?: RefusalDetail }

type GroupedRows = DocumentRows & { number: string | undefined; rows: [MappedRow, ...MappedRow[]] }

const CUSTOMER = ['customer_id', 'customer_name', 'customer_email', 'customer_phone']
const LINE = ['line_name', 'line_description', 'line_quantity', 'line_price', 'line_total']

/**
 * Groups rows into documents: rows with the same number, and following rows with only a line item. A number used by two
 * customers, or twice with different content and no lines, is a problem of the later document.
 */
export async function groupDocuments(rows: readonly MappedRow[]): Promise<DocumentRows[]> {
  const pace = newPacer()
  const documents: GroupedRows[] = []
  const byNumber = new Map<string, GroupedRows>()
  for (const row of rows) {
    await pace()
    const number = numberOf(row)
    const before = number === undefined ? undefined : byNumber.get(fold(number))
    const above = documents.at(-1)
    if (number === undefined && above !== undefined && isOnlyLine(row)) above.rows.push(row)
    else if (before === undefined || number === undefined) {
      const one: GroupedRows = { key: keyOfDocument(row), number, rows: [row] }
      documents.push(one)
      if (number !== undefined) byNumber.set(fold(number), one)
    } else {
      const problem = findLineProblem(before.rows[0], row)
      if (problem === undefined) before.rows.push(row)
      else documents.push({ key: keyOfDocument(row), number, rows: [row], problem })
    }
  }
  return documents
}

/** Returns the key to find a document again: its source number or id, or else a digest of its row. */
function keyOfDocument({ cells }: MappedRow): string {
  const id = numberOf({ cells })
  return id !== undefined && id.length <= 200 ? id : recordDigest(Object.entries(cells).flat())
}

/** Separator between a job's number and the day of its visit. */
export const VISIT_SEPARATOR = ' on '

/** Returns the number that the rows of a document share, or its id. Visits of a job also have a date each. */
function numberOf({ cells }: Pick<MappedRow, 'cells'>): string | undefined {
  const id = cells['number'] ?? cells['source_id']
  const when = [cells['visit_date'], cells['start_time']].filter((cell) => cell !== undefined).join(' ')
  return id === undefined || cells['visit_date'] === undefined ? id : `${id}${VISIT_SEPARATOR}${when}`
}

const isOnlyLine = ({ cells }: MappedRow): boolean =>
  LINE.some((field) => cells[field] !== undefined) &&
  [...CUSTOMER, 'total', 'issue_date', 'status', 'title'].every((field) => cells[field] === undefined)

/** Returns the reason why a row can't be another line of the document with its number. */
function findLineProblem({ number, cells: first }: MappedRow, { cells }: MappedRow): RefusalDetail | undefined {
  const isOther = CUSTOMER.some(
    (field) => first[field] !== undefined && cells[field] !== undefined && fold(first[field]) !== fold(cells[field]),
  )
  if (isOther) return refusals.otherCustomer({ number })
  if (LINE.some((field) => cells[field] !== undefined)) return undefined
  const isSame = Object.entries(cells).every(([field, text]) => first[field] === text)
  return isSame ? undefined : refusals.otherText({ number })
}
