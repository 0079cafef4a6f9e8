import { money } from '../../records/format/formats.ts'
import { wordFor } from '../../records/page/states.ts'
import { hasDayNumbers } from '../reading/day_numbers.ts'
import { detectDayFirst } from '../reading/days.ts'
import type { IncomingRecord, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { omitUndefined } from '../reading/values.ts'
import { newPacer } from '../../platform/db/pacer.ts'
import { parseAmounts, possibleTaxes } from './amounts.ts'
import { Cells, type ColumnRules } from './cells.ts'
import { groupDocuments, type DocumentRows } from './grouping.ts'
import { parseLineText } from './line_text.ts'
import { toLines, singleLine } from './lines.ts'
import type { CustomerReference, LineInput, SourceAmounts, SourceDocument } from './source_document.ts'
import { quoteText } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Fields of one kind of document besides the common ones. */
type KindFields = {
  input: Record<string, unknown>
  name: string
  state: string
  days?: SourceDocument['days']
  payment?: SourceDocument['payment']
  place?: SourceDocument['place']
  assignees?: readonly string[]
  job?: string | undefined
  summary: readonly (string | undefined)[]
}

/** Fields of all kinds of documents. */
type CommonFields = { cells: Cells; row: MappedRow; amounts: SourceAmounts; lines: readonly LineInput[] }

/** Maximum number of rows of a document, each a line item or text between lines. */
const MAX_DOCUMENT_ROWS = 400

const DAYS = [
  'issue_date',
  'created_date',
  'due_date',
  'paid_date',
  'valid_until',
  'accepted_date',
  'visit_date',
  'start_date',
  'end_date',
  'completed_date',
]

/** Reads the documents of a file. `isTaxed` marks a kind with tax; `readKindFields` reads the fields of the kind. */
export async function readDocuments(
  rows: readonly MappedRow[],
  rules: ReadingRules,
  {
    isTaxed,
    nameOf,
    readKindFields,
  }: { isTaxed: boolean; nameOf: (cells: Cells) => string; readKindFields: (shared: CommonFields) => KindFields },
): Promise<IncomingRecord[]> {
  const pace = newPacer()
  const columns = new Map(DAYS.map((field) => [field, rows.flatMap(({ cells }) => cells[field] ?? [])]))
  const columnRules = {
    ...rules,
    isDayFirst: detectDayFirst([...columns.values()].flat()) ?? rules.isDayFirst,
    dayNumbers: new Set(DAYS.filter((field) => hasDayNumbers(columns.get(field) ?? []))),
  }
  const documents: IncomingRecord[] = []
  for (const document of await groupDocuments(rows)) {
    documents.push(documentOf(document, columnRules, isTaxed, nameOf, readKindFields))
    await pace()
  }
  return documents
}

function documentOf(
  { key, rows, problem }: DocumentRows,
  rules: ColumnRules,
  isTaxed: boolean,
  nameOf: (cells: Cells) => string,
  readKindFields: (shared: CommonFields) => KindFields,
): IncomingRecord {
  const [row] = rows
  const cells = new Cells(row.cells, rules)
  if (problem !== undefined) cells.addProblem('number', problem)
  if (rows.length > MAX_DOCUMENT_ROWS)
    cells.addProblem('number', refusals.tooManyRows({ max: MAX_DOCUMENT_ROWS, count: rows.length }))
  checkCurrency(cells)
  const amounts = parseAmounts(cells)
  const [, ...others] = rows.slice(0, MAX_DOCUMENT_ROWS)
  const lines = linesIn([row, ...others], cells, amounts, isTaxed, nameOf(cells))
  const { input, name, summary, ...rest } = readKindFields({ cells, row, amounts, lines })
  const total = amounts.total ?? amounts.subtotal
  return {
    numbers: [row.number, ...rows.slice(1).map(({ number }) => number)],
    key,
    name,
    input: omitUndefined(input),
    needs: [],
    remarks: cells.remarks,
    document: {
      customer: toCustomerReference(cells),
      lines,
      amounts,
      days: {},
      payment: { method: 'other' },
      place: {},
      assignees: [],
      ...rest,
      isEvenedOut: row.cells['difference'] === 'line',
      problems: cells.problems,
      summary: [...summary, total === undefined ? undefined : money(total, rules.currency), wordFor(rest.state)].filter(
        (text) => text !== undefined,
      ),
    },
  }
}

/** Reports a document in another currency, whose amounts would otherwise be read in the company's currency. */
function checkCurrency(cells: Cells): void {
  const { currency } = cells.rules
  const code = cells.text('currency')?.slice(0, 60)
  const name = new Intl.DisplayNames('en', { type: 'currency' }).of(currency)
  const isOurs = [currency, name ?? currency].some((one) => code?.toUpperCase().startsWith(one.toUpperCase()))
  if (code !== undefined && !isOurs)
    cells.addProblem('currency', refusals.otherCurrency({ currency, value: quoteText(code) }))
}

/** Returns a document's lines: from its rows, from a cell with all lines, or else one line with its amount. */
function linesIn(
  rows: readonly [MappedRow, ...MappedRow[]],
  cells: Cells,
  amounts: SourceAmounts,
  isTaxed: boolean,
  name: string,
): LineInput[] {
  const lines = toLines(rows, cells, isTaxed && amounts.tax !== 0)
  if (lines.length > 0) return lines
  const { subtotal, discount = 0 } = amounts
  const sum = subtotal ?? (isTaxed ? sumOf(amounts) : amounts.total)
  if (sum === undefined || sum === 0) return []
  if (sum < 0) {
    cells.addProblem(subtotal === undefined ? 'total' : 'subtotal', refusals.credit())
    return []
  }
  const hasTax = isTaxed && possibleTaxes(amounts, subtotal).some((tax) => tax !== undefined && tax > 0)
  const text = cells.text('line_items')
  const parsed = parseLineText(text ?? '', cells.rules) ?? []
  const lineSum = parsed.reduce((all, { cents }) => all + cents, 0)
  const isComplete = parsed.length > 0 && (lineSum === sum || lineSum === sum + discount)
  return isComplete
    ? toLines(
        parsed.map((one) => ({ ...one, number: rows[0].number, custom: {} })),
        cells,
        hasTax,
      )
    : [singleLine(name, sum, hasTax, text)]
}

/** Returns the sum of the lines before tax and discount, from the total. */
const sumOf = ({ total, tax = 0, discount = 0 }: SourceAmounts): number | undefined =>
  total === undefined ? undefined : total - tax + discount

const toCustomerReference = (cells: Cells): CustomerReference => ({
  id: cells.text('customer_id'),
  name: cells.text('customer_name'),
  email: cells.text('customer_email'),
  phone: cells.text('customer_phone'),
})
