import { money } from '../../screens/formats.ts'
import { wordFor } from '../../screens/states.ts'
import { isDayFirstIn } from '../days.ts'
import type { Incoming, MappedRow, ReadingRules } from '../incoming.ts'
import { amountsIn } from './amounts.ts'
import { Cells } from './cells.ts'
import { documentsIn, type DocumentRows } from './grouping.ts'
import { linesOf, onlyLine } from './lines.ts'
import type { CustomerNamed, LineGiven, TheirAmounts, TheirDocument } from './their_document.ts'

/** Is what a kind of document says for itself. */
export type OwnPart = {
  given: Record<string, unknown>
  name: string
  state: string
  days?: TheirDocument['days']
  payment?: TheirDocument['payment']
  place?: TheirDocument['place']
  assignees?: readonly string[]
  job?: string | undefined
  says: readonly (string | undefined)[]
}

/** Is what all kinds of documents say. */
export type SharedPart = { cells: Cells; row: MappedRow; amounts: TheirAmounts; lines: readonly LineGiven[] }

const DAYS = [
  'issue_date',
  'due_date',
  'paid_date',
  'valid_until',
  'accepted_date',
  'start_date',
  'end_date',
  'completed_date',
]

/** Returns the documents of a file. `isTaxed` says whether the kind has tax; `own` reads what it says for itself. */
export function readDocuments(
  rows: readonly MappedRow[],
  rules: ReadingRules,
  {
    isTaxed,
    nameOf,
    own,
  }: { isTaxed: boolean; nameOf: (cells: Cells) => string; own: (shared: SharedPart) => OwnPart },
): Incoming[] {
  const texts = rows.flatMap(({ cells }) => DAYS.flatMap((field) => cells[field] ?? []))
  const ordered = { ...rules, isDayFirst: isDayFirstIn(texts) ?? rules.isDayFirst }
  return documentsIn(rows).map((document) => documentOf(document, ordered, isTaxed, nameOf, own))
}

function documentOf(
  { key, rows, problem }: DocumentRows,
  rules: ReadingRules,
  isTaxed: boolean,
  nameOf: (cells: Cells) => string,
  own: (shared: SharedPart) => OwnPart,
): Incoming {
  const row = rows[0]!
  const cells = new Cells(row.cells, rules)
  if (problem !== undefined) cells.problem('number', problem)
  const amounts = amountsIn(cells)
  const lines = linesIn(rows, cells, amounts, isTaxed, nameOf(cells))
  const { given, name, says, ...rest } = own({ cells, row, amounts, lines })
  const total = amounts.total ?? amounts.subtotal
  return {
    numbers: rows.map(({ number }) => number),
    key,
    name,
    given: definedIn(given),
    needs: [],
    remarks: cells.remarks,
    document: {
      customer: customerNamed(cells),
      lines,
      amounts,
      days: {},
      payment: { method: 'other' },
      place: {},
      assignees: [],
      ...rest,
      isEvenedOut: row.cells['difference'] === 'line',
      problems: cells.problems,
      says: [...says, total === undefined ? undefined : money(total, rules.currency), wordFor(rest.state)].filter(
        (text) => text !== undefined,
      ),
    },
  }
}

/** Returns a document's lines; one that only says what it comes to has one line of that. */
function linesIn(
  rows: readonly MappedRow[],
  cells: Cells,
  { subtotal, discount = 0, tax, total }: TheirAmounts,
  isTaxed: boolean,
  name: string,
): LineGiven[] {
  const hasTax = isTaxed && tax !== 0
  const lines = linesOf(rows, cells, hasTax)
  if (lines.length > 0) return lines
  const sum =
    subtotal ?? (total === undefined ? undefined : total - (isTaxed ? (tax ?? 0) : 0) + (isTaxed ? discount : 0))
  if (sum === undefined || sum === 0) return []
  if (sum < 0) {
    cells.problem(subtotal === undefined ? 'total' : 'subtotal', 'must be at least 0; a credit is no document of ours')
    return []
  }
  return [onlyLine(name, sum, hasTax && tax !== undefined, cells.text('line_items'))]
}

const customerNamed = (cells: Cells): CustomerNamed => ({
  id: cells.text('customer_id'),
  name: cells.text('customer_name'),
  email: cells.text('customer_email'),
  phone: cells.text('customer_phone'),
})

/** Returns the fields that have a value. */
const definedIn = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
