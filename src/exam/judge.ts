import type { RowChange, Snapshot } from './environment/snapshot.ts'
import { matchesRow, matchesValue, type ExpectedChange, type Facts, type JsonRow, type Task } from './task.ts'

/** Judgment of one attempt, which passes only if both lists are empty. */
export type Judgment = {
  /** Required changes and answers that are missing. */
  missing: readonly string[]
  /** Changes that should not have happened. */
  harmful: readonly string[]
}

/** Columns that derive from the lines of a document. */
const TOTALS = ['subtotal_cents', 'discount_cents', 'taxable_cents', 'tax_cents', 'total_cents', 'taxes']
const INVOICE_TOTALS = [...TOTALS, 'balance_due_cents']

/** Columns that change with another column of the same row. */
const DERIVED_COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  jobs: {
    scheduled_start: ['scheduled_end', 'status', 'is_exception', 'own_parts', 'timezone'],
    duration_minutes: ['scheduled_end', 'is_exception', 'own_parts'],
    assignee_ids: ['is_exception', 'own_parts'],
    title: ['is_exception', 'own_parts'],
    status: ['completed_at', 'cancelled_at', 'cancel_reason', 'is_exception', 'own_parts'],
    line_items: ['subtotal_cents', 'is_exception', 'own_parts'],
    location_id: ['location_address'],
    instructions: ['is_exception', 'own_parts'],
    quote_id: [],
  },
  invoices: {
    status: ['sent_at', 'paid_at', 'voided_at', 'void_reason', 'billed_name', 'location_address', 'balance_due_cents'],
    line_items: INVOICE_TOTALS,
    discount: ['line_items', ...INVOICE_TOTALS],
    tax_rate_id: ['tax_rate_chosen', ...INVOICE_TOTALS],
  },
  quotes: {
    status: ['sent_at', 'accepted_at', 'declined_at', 'decline_reason', 'location_address'],
    line_items: TOTALS,
    discount: ['line_items', ...TOTALS],
    converted_job_id: [],
  },
  plans: { status: ['cancelled_at', 'cancel_reason', 'next_run_date'], line_items: TOTALS },
  job_series: {
    status: ['ended_at', 'end_date', 'generated_through'],
    rrule: ['generated_through'],
    line_items: ['subtotal_cents'],
  },
  customers: { first_name: ['display_name'], last_name: ['display_name'], company_name: ['display_name'] },
  locations: {
    address_line1: ['formatted_address'],
    address_line2: ['formatted_address'],
    city: ['formatted_address'],
    postal_code: ['formatted_address'],
  },
}

/** Tables whose rows come with a row of another table. */
const DEPENDENT_TABLES: Readonly<Record<string, readonly string[]>> = {
  jobs: ['job_checklists', 'job_checklist_items'],
  invoices: ['invoice_jobs'],
  plans: ['plan_runs'],
}

/** Compares the changes with those that the task requires and allows, and the model's text with the answer patterns. */
export function judge(
  task: Pick<Task, 'expect' | 'allow' | 'answer'>,
  changes: readonly RowChange[],
  output: string,
  facts: Facts,
): Judgment {
  const unexpected = new Set(changes)
  const accepted: RowChange[] = []
  const accept = (expected: ExpectedChange): boolean => {
    const change = [...unexpected].find((one) => isExpected(one, expected, facts))
    if (change === undefined) return false
    unexpected.delete(change)
    accepted.push(change)
    for (const other of unexpected) if (isDependent(other, change, expected)) unexpected.delete(other)
    return true
  }
  const missing = task.expect.flatMap((expected) => {
    const count = expected.count ?? 1
    const matches = Array.from({ length: count }).filter(() => accept(expected)).length
    return matches === count ? [] : [describeExpected(expected, matches)]
  })
  for (const expected of task.allow ?? []) while (accept(expected));
  for (const other of unexpected)
    if (accepted.some((change) => isDependent(other, change, NO_EXTRA_TABLES))) unexpected.delete(other)
  const unansweredPatterns = (task.answer ?? []).filter((pattern) => !pattern.test(plainText(output)))
  return {
    missing: [...missing, ...unansweredPatterns.map((pattern) => `the answer doesn't match ${String(pattern)}`)],
    harmful: [...unexpected].map(describeChange),
  }
}

const NO_EXTRA_TABLES: Pick<ExpectedChange, 'with'> = {}

/** Removes the formatting that a model puts around figures: `**$1,234.50**` becomes `$1234.50`. */
const plainText = (text: string): string =>
  text
    .replace(/[*_`]/g, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[’‘]/g, "'")

function isExpected(
  { table, kind, before, after, fields }: RowChange,
  expected: ExpectedChange,
  facts: Facts,
): boolean {
  if (table !== expected.table || kind !== expected.kind) return false
  const row = kind === 'added' ? after : before
  if (row === undefined || !matchesRow(row, expected.row, facts)) return false
  if (kind !== 'changed') return true
  const set = expected.set ?? {}
  const follows = Object.keys(set).flatMap((column) => DERIVED_COLUMNS[table]?.[column] ?? [])
  const allowedColumns = new Set([...Object.keys(set), ...follows, ...(expected.also ?? [])])
  return (
    fields.every((field) => allowedColumns.has(field)) &&
    Object.entries(set).every(([column, value]) => matchesValue(after?.[column], value, facts))
  )
}

/** Checks whether a row belongs to an expected one: its table comes with that row's, and it contains that row's id. */
function isDependent(
  { table, after, before }: RowChange,
  parent: RowChange,
  { with: extraTables = [] }: Pick<ExpectedChange, 'with'>,
): boolean {
  if (![...(DEPENDENT_TABLES[parent.table] ?? []), ...extraTables].includes(table)) return false
  const id = (parent.after ?? parent.before)?.['id']
  return Object.values(after ?? before ?? {}).includes(id)
}

const describeExpected = ({ table, kind, row, set }: ExpectedChange, matches: number): string => {
  const rowText = Object.entries(row).map(describeValue).join(', ')
  const setText = set === undefined ? '' : ` to ${Object.entries(set).map(describeValue).join(', ')}`
  return `not ${kind} in ${table}: ${rowText}${setText}${matches === 0 ? '' : ` (${matches} were)`}`
}

const describeValue = ([column, value]: [string, unknown]): string =>
  typeof value === 'function' ? column : `${column} ${String(value)}`

function describeChange({ table, kind, before, after, fields }: RowChange): string {
  const row = after ?? before ?? {}
  const name = ['display_name', 'display_number', 'title', 'name', 'subject', 'number', 'body', 'id']
    .map((column) => row[column])
    .find((value) => value !== null && value !== undefined)
  const columns = kind === 'changed' ? `: ${fields.map((field) => describeField(field, before, after)).join(', ')}` : ''
  return `${kind} in ${table} ${clip(name)}${columns}`
}

const describeField = (field: string, before: JsonRow | undefined, after: JsonRow | undefined): string =>
  `${field} from ${clip(before?.[field])} to ${clip(after?.[field])}`

const clip = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Returns the facts of a company, for checks. */
export const factsOf = (snapshot: Snapshot, people: ReadonlyMap<string, string>, timezone: string): Facts => ({
  timezone,
  rows: (table) => [...(snapshot.tables.get(table)?.values() ?? [])],
  person: (name) => people.get(name) ?? `nobody is called ${name}`,
})
