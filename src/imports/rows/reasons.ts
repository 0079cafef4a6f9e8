import type { FieldProblem, Refusal } from '../../platform/errors/refusal.ts'
import { ruleForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { words } from '../../records/format/formats.ts'
import type { Mapping } from './mapping.ts'

/** Column fields by the tool field they set, where the names differ. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  unit_price_cents: ['price'],
  cost_cents: ['cost'],
  payment_terms_days: ['payment_terms'],
  phone: ['phone', 'mobile_phone', 'home_phone', 'work_phone', 'contact_phone'],
  email: ['email', 'contact_email'],
  first_name: ['first_name', 'name', 'contact_name'],
  last_name: ['last_name', 'name', 'contact_name'],
  company_name: ['company_name', 'name'],
  duration_minutes: ['duration_minutes', 'duration_hours'],
  tax_exempt: ['tax_exempt', 'taxable'],
  tag_ids: ['tags'],
  category_id: ['category'],
  body: ['note'],
  address_line1: ['address_line1', 'billing_line1'],
}

/** Formats the reason of a refused row for the importing person, with the file's column names. */
export const formatReason = ({ problems, message }: Refusal, header: readonly string[], mapping: Mapping): string =>
  problems.map((problem) => sentence(problem, header, mapping)).reduce(joinSentences, '') || message

function sentence({ path, rule }: FieldProblem, header: readonly string[], mapping: Mapping): string {
  const text = ruleForPeople(rule, ({ name }) => columnName(name, header, mapping))
  return path === '' ? text : `${columnName(path, header, mapping)}: ${text}`
}

/** Joins the problems of a row. Declared refusals are whole sentences; others need a semicolon. */
const joinSentences = (before: string, text: string): string =>
  before === '' ? text : `${before}${/[.!?]$/.test(before) ? '' : ';'} ${text}`

/** Returns the file's column name for a path such as `contacts[0].phone`, or else our name. */
function columnName(path: string, header: readonly string[], { columns }: Mapping): string {
  const field = path.slice(path.lastIndexOf('.') + 1).replace(/\[\d+\]$/, '')
  const at = [field, ...(COLUMNS[field] ?? [])].map((name) => columns.indexOf(name)).find((c) => c >= 0)
  return (at === undefined ? undefined : header[at]) ?? words(COLUMNS[field]?.[0] ?? field)
}
