import { ENTERED_TENANT, sql, type Sql } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { erasureValues, tableColumns, textColumns, type RecordFacts } from '../tools/declare/record_facts.ts'
import type { Collection } from './export/collection.ts'
import { changeStamps, whereIdIn, type ErasureContext, type RetentionRule } from './erase/retention_rule.ts'
import type { ErasureSubject } from './erase/subject.ts'

type RowsOfCustomer = (subject: ErasureSubject) => Sql

/** Declarations of all records. */
const RECORDS: readonly RecordFacts[] = entities.map(({ record }) => record)

/** Conditions for records without a customer_id column. */
const ROW_CONDITIONS: Readonly<Record<string, RowsOfCustomer>> = {
  customers: (subject) => whereIdIn('id', subject.customers),
  notes: (subject) => whereIdIn('id', subject.notes),
  tags: (subject) =>
    sql`id in (select tag_id from customer_tags g
      where g.tenant_id = ${ENTERED_TENANT} and ${whereIdIn('customer_id', subject.customers)})`,
}

/** Bookkeeping columns whose text depends on whether issued invoices keep the customer's name. */
const RETAINED_NAMES: Readonly<Record<string, (context: ErasureContext) => Readonly<Record<string, Sql>>>> = {
  invoices: ({ keepsNames, subject }) =>
    keepsNames
      ? {
          billed_name: sql`case when status <> 'draft' then coalesce(billed_name, ${subject.name}::text) end`,
          location_address: sql`case when status <> 'draft' then location_address end`,
        }
      : {},
}

/** Returns the condition for a customer's rows of a table; undefined for the company's own records. */
function rowsOfCustomer({ table, fields }: RecordFacts): RowsOfCustomer | undefined {
  if (ROW_CONDITIONS[table] !== undefined) return ROW_CONDITIONS[table]
  return 'customer_id' in fields ? (subject) => whereIdIn('customer_id', subject.customers) : undefined
}

/** Archive files of every entity's records. */
export const RECORD_COLLECTIONS: readonly Collection[] = RECORDS.map((record) => {
  const columns = tableColumns(record)
  return {
    file: record.table,
    columns: columns.filter((name) => record.fields[name]?.isDerived !== true).join(' '),
    omitted: columns.filter((name) => record.fields[name]?.isDerived === true).join(' '),
  }
})

/** Conditions for a customer's rows in those files. */
export const RECORD_ROWS_OF_CUSTOMER: Readonly<Record<string, RowsOfCustomer>> = Object.fromEntries(
  RECORDS.flatMap((record) => {
    const rows = rowsOfCustomer(record)
    return rows === undefined ? [] : [[record.table, rows]]
  }),
)

/** Retention rules of a customer's records: rows stay without text, for lists by `updated_since` and for the books. */
export const RECORD_RULES: readonly RetentionRule[] = RECORDS.flatMap((record): RetentionRule[] => {
  const [rows, columns] = [rowsOfCustomer(record), erasureValues(record)]
  if (rows === undefined || Object.keys(columns).length === 0) return []
  return [
    {
      table: record.table,
      rows: ({ subject }) => rows(subject),
      replacements: (context) => ({ ...columns, ...RETAINED_NAMES[record.table]?.(context), ...changeStamps(context) }),
      retainedColumns: textColumns(record).filter((name) => !(name in columns)),
    },
  ]
})

/** Tables of records without customer text. */
export const COMPANY_RECORDS: readonly string[] = RECORDS.map(({ table }) => table).filter(
  (table) => !RECORD_RULES.some((rule) => rule.table === table),
)
