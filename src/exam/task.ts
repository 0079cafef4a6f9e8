/** Row of a table as JSON. */
export type JsonRow = Readonly<Record<string, unknown>>

/** Facts about a company for checks: its rows before the task, and its people. */
export type Facts = {
  timezone: string
  rows(table: string): readonly JsonRow[]
  /** Returns the user id of a member by their full name. */
  person(name: string): string
}

/** Expected value of a column: the value itself, a pattern for a text, or a check. */
type Expected = string | number | boolean | null | RegExp | ((value: unknown, facts: Facts) => boolean)

export type RowMatch = Readonly<Record<string, Expected>>

/** Change that a task requires or allows. Every column that it doesn't name must stay as it was. */
export type ExpectedChange = {
  table: string
  kind: 'added' | 'changed' | 'removed'
  /** Row before the change, or as added. */
  row: RowMatch
  /** Required values in the columns of a changed row. */
  set?: RowMatch
  /** Other columns that may change. */
  also?: readonly string[]
  /** Tables of rows that may come with it if they contain its id. */
  with?: readonly string[]
  count?: number
}

/** Scripted step of the perfect agent: a call, or text for the person. `$0.rows.0.id` refers to the first result. */
export type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>] | string

export type Task = {
  /** Stable name, for results and `--tasks`. */
  id: string
  /** Role whose key the assistant has. */
  role: 'owner' | 'office' | 'tech'
  level: 'easy' | 'medium' | 'hard'
  language?: 'es'
  /** Request of the person. */
  prompt: string
  /** Required changes; empty for a question. */
  expect: readonly ExpectedChange[]
  /** Further changes that are allowed. */
  allow?: readonly ExpectedChange[]
  /** Patterns that the model's text must match. */
  answer?: readonly RegExp[]
  /** Person's answers to matching questions. Other questions get "Yes, go ahead." */
  replies?: readonly (readonly [question: RegExp, answer: string])[]
  /** Whether the request can't be fulfilled correctly without a question. */
  mustAsk?: true
  solve: readonly Step[]
}

/** Tasks of one area, such as billing. */
export type TaskArea = { area: string; tasks: readonly Task[] }

export const expectNew = (table: string, row: RowMatch, extra: Partial<ExpectedChange> = {}): ExpectedChange => ({
  table,
  kind: 'added',
  row,
  ...extra,
})

export const expectChange = (
  table: string,
  row: RowMatch,
  set: RowMatch,
  extra: Partial<ExpectedChange> = {},
): ExpectedChange => ({ table, kind: 'changed', row, set, ...extra })

/** Expects the id of a row that matches. */
export const idOf =
  (table: string, match: RowMatch): Expected =>
  (value, facts) =>
    facts.rows(table).some((row) => row['id'] === value && matchesRow(row, match, facts))

/** Expects the id of a customer. */
export const customer = (display_name: string): Expected => idOf('customers', { display_name })

/** Returns a step that lists a day's visits with a title, or of an assignee. */
export const listVisits = (day: string, filter: { title: string } | { assignee: string }): Step => [
  'jobs_list',
  { ...filter, scheduled_from: day, scheduled_to: day },
]

/** Expects a time in the company's time zone, such as `2027-03-12T08:30`. */
export const at =
  (local: string): Expected =>
  (value, { timezone }) =>
    typeof value === 'string' &&
    Temporal.Instant.from(value).equals(Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).toInstant())

/** Expects a crew, in any order. */
export const crew =
  (...names: readonly string[]): Expected =>
  (value, facts) =>
    Array.isArray(value) && value.length === names.length && names.every((name) => value.includes(facts.person(name)))

/** Expects line items in order: part of the name, the quantity and the unit price, if given. */
export const lines =
  (...expected: readonly { name?: RegExp; quantity?: number; unit_price_cents?: number }[]): Expected =>
  (value) =>
    Array.isArray(value) && value.length === expected.length && expected.every((line, i) => isLine(value[i], line))

function isLine(
  line: unknown,
  { name, quantity, unit_price_cents }: { name?: RegExp; quantity?: number; unit_price_cents?: number },
): boolean {
  if (typeof line !== 'object' || line === null) return false
  const read = (key: string): unknown => Reflect.get(line, key)
  return (
    (name === undefined || name.test(String(read('name')))) &&
    (quantity === undefined || Number(read('quantity')) === quantity) &&
    (unit_price_cents === undefined || Number(read('unit_price_cents')) === unit_price_cents)
  )
}

/** Expects any value but null. */
export const present: Expected = (value) => value !== null && value !== undefined

/** Checks whether a row has the expected values. */
export const matchesRow = (row: JsonRow, match: RowMatch, facts: Facts): boolean =>
  Object.entries(match).every(([column, expected]) => matchesValue(row[column], expected, facts))

export function matchesValue(value: unknown, expected: Expected, facts: Facts): boolean {
  if (typeof expected === 'function') return expected(value, facts)
  if (expected instanceof RegExp) return typeof value === 'string' && expected.test(value)
  return (value ?? null) === expected
}
