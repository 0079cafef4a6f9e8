import { textOf, type FieldProblem, type Refusal } from '../../platform/errors/refusal.ts'
import { words } from '../../records/format/formats.ts'
import type { Mapping } from './mapping.ts'

/** Maps the fields of our tools to those that a column may be, where they differ. */
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

/** Says why a row is refused, with the names that the file gives its columns. */
export const formatReason = ({ problems, message }: Refusal, header: readonly string[], mapping: Mapping): string =>
  problems.length === 0 ? message : problems.map((problem) => sentence(problem, header, mapping)).join('; ')

function sentence({ path, rule }: FieldProblem, header: readonly string[], mapping: Mapping): string {
  const rules = textOf(rule, { nameOf: ({ name }) => columnName(name, header, mapping), quote: (text) => `'${text}'` })
  return path === '' ? rules : `${columnName(path, header, mapping)}: ${rules}`
}

/** Returns the file's own name of the column that a path such as `contacts[0].phone` came from, else ours. */
export function columnName(path: string, header: readonly string[], { columns }: Mapping): string {
  const field = path
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$/, '')
  const at = [field, ...(COLUMNS[field] ?? [])].map((name) => columns.indexOf(name)).find((c) => c >= 0)
  return (at === undefined ? undefined : header[at]) ?? words(COLUMNS[field]?.[0] ?? field)
}
