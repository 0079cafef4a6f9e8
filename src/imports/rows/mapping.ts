import { createHash } from 'node:crypto'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { invalid, invalidField, quoteText } from '../../platform/errors/refusal.ts'
import { mapFields, type SourceFormat } from '../formats/source_format.ts'
import { CUSTOM_FIELD, FIELDS } from '../reading/fields.ts'
import type { MappedRow } from '../reading/incoming.ts'
import type { ImportKind } from './kinds.ts'
import { MAX_ROWS } from '../reading/limits.ts'
import { headerKey, isTotalRow, cleanCell, readTable, PROBLEM_COLUMN } from '../reading/reading.ts'
import { refusals } from './refusals.ts'

/** Field of each column by position, null for an unused one. `fixed` has values for rows that have none. */
export type Mapping = { columns: readonly (string | null)[]; fixed: Readonly<Record<string, string>> }

/** Fields that may have several columns. */
const REPEATABLE_FIELDS: ReadonlySet<string> = new Set([
  'tags',
  'note',
  'email',
  'assignees',
  'description',
  'instructions',
  CUSTOM_FIELD,
])

/** Fields whose columns become one line each. */
const MULTILINE_FIELDS: ReadonlySet<string> = new Set(['note', 'description', 'instructions'])

/** Returns a fingerprint of a header, to recognize the same kind of file. */
const headerFingerprint = (header: readonly string[]): Buffer =>
  createHash('sha256').update(header.map(headerKey).join('\u0001')).digest()

export const guessMapping = (format: SourceFormat, header: readonly string[]): Mapping => ({
  columns: mapFields(format, header),
  fixed: {},
})

/** Returns this company's last mapping of such a header, if any. */
export const findMapping = async (db: Db, kind: ImportKind, header: readonly string[]): Promise<Mapping | undefined> =>
  (
    await db.maybe<{ mapping: Mapping }>(sql`select mapping from import_mappings
      where tenant_id = ${db.tenant} and kind = ${kind} and fingerprint = ${headerFingerprint(header)}`)
  )?.mapping

/** Maximum number of remembered mappings per company. */
const MAX_MAPPINGS = 200

export async function rememberMapping(
  db: Db,
  kind: ImportKind,
  header: readonly string[],
  mapping: Mapping,
): Promise<void> {
  await db.run(sql`insert into import_mappings (tenant_id, kind, fingerprint, mapping)
    values (${db.tenant}, ${kind}, ${headerFingerprint(header)}, ${JSON.stringify(mapping)}::json)
    on conflict (tenant_id, kind, fingerprint) do update set mapping = excluded.mapping,
      created_at = moment_of(excluded.tenant_id)`)
  await db.run(sql`delete from import_mappings where tenant_id = ${db.tenant} and (kind, fingerprint) in (
    select kind, fingerprint from import_mappings where tenant_id = ${db.tenant} order by created_at desc
    offset ${MAX_MAPPINGS})`)
}

const REQUIRED_CUSTOMER = [['customer_name', 'customer_email', 'customer_phone', 'customer_id'], 'customer'] as const

/** Fields at least one of which must have a column. */
const REQUIRED_FIELDS: Readonly<Record<ImportKind, readonly [fields: readonly string[], what: 'name' | 'customer']>> = {
  customers: [['name', 'first_name', 'last_name', 'company_name'], 'name'],
  catalog_items: [['name'], 'name'],
  jobs: REQUIRED_CUSTOMER,
  quotes: REQUIRED_CUSTOMER,
  invoices: REQUIRED_CUSTOMER,
}

/** Throws if a mapping can't make records or isn't one our form can send. */
export function requireValidMapping(kind: ImportKind, header: readonly string[], { columns, fixed }: Mapping): void {
  if (columns.length !== header.length)
    throw invalid(refusals.columnCount({ count: header.length, value: columns.length }))
  const unknown = columns.find((field) => field !== null && !FIELDS[kind].includes(field))
  if (unknown != null)
    throw invalid(refusals.unknownField({ fields: FIELDS[kind].join(', '), value: unknown.slice(0, 60) }))
  const nameOf = (c: number) => quoteText((header[c] ?? '').slice(0, 100))
  for (const [c, field] of columns.entries()) {
    const first = columns.indexOf(field)
    if (field !== null && !REPEATABLE_FIELDS.has(field) && first !== c)
      throw invalid(refusals.repeatedField({ field, first: nameOf(first), second: nameOf(c) }))
  }
  const [names, what] = REQUIRED_FIELDS[kind]
  if (!names.some((field) => columns.includes(field)))
    throw invalid(refusals.missingField({ what, fields: names.join(', ') }))
  for (const value of Object.values(fixed))
    if (value.length > 200) throw invalid(refusals.longValue({ max: 200, count: value.length }))
}

/**
 * Returns the header of a file, up to three sample values per column, and the number of rows. Throws if the file
 * exceeds the limits.
 */
export async function sampleColumns(
  content: Buffer,
): Promise<{ header: string[]; samples: string[][]; total: number }> {
  const table = await readTable(content)
  const header = table.header.map((name) => name.trim().slice(0, 100))
  const samples: string[][] = header.map(() => [])
  let total = 0
  for await (const { cells } of table.rows) {
    if (++total > MAX_ROWS) throw invalidField('file', refusals.tooManyRows({ max: MAX_ROWS }))
    for (const [c, cell] of cells.entries()) {
      const text = cleanCell(cell)
      const column = samples[c]
      if (text !== '' && column !== undefined && column.length < 3 && !column.includes(text))
        column.push(text.slice(0, 80))
    }
  }
  if (total === 0) throw invalidField('file', refusals.noRows())
  return { header, samples, total }
}

/** Returns the header of a file and its rows by our fields. */
export async function readMappedRows(
  content: Buffer,
  { columns, fixed }: Mapping,
): Promise<{ header: string[]; rows: MappedRow[] }> {
  const table = await readTable(content)
  const header = table.header.map((name) => name.trim().slice(0, 100))
  const isNumbered = columns.includes('number')
  const rows: MappedRow[] = []
  for await (const { number, cells: record } of table.rows) {
    const cells: Record<string, string> = {}
    const custom: Record<string, string> = {}
    for (const [c, cell] of record.entries()) {
      const [field, text] = [columns[c], cleanCell(cell)]
      if (field == null || text === '') continue
      if (field === CUSTOM_FIELD) custom[(header[c] ?? '').slice(0, 60)] = text
      else
        cells[field] =
          cells[field] === undefined ? text : `${cells[field]}${MULTILINE_FIELDS.has(field) ? '\n' : ', '}${text}`
    }
    if (isTotalRow(record) && (isNumbered || Object.keys(cells).length === 1)) continue
    for (const [field, value] of Object.entries(fixed))
      if (value !== '' && (field === 'tags' || cells[field] === undefined))
        cells[field] = field === 'tags' && cells[field] !== undefined ? `${cells[field]}, ${value}` : value
    rows.push({ number, cells, custom })
  }
  return { header, rows }
}

/** Checks for the column of reasons that our file of skipped rows adds. */
export const isProblemColumn = (name: string): boolean => headerKey(name) === headerKey(PROBLEM_COLUMN)
