import { ENTERED, sql, type Sql } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { erasureValues, tableColumns, textColumns, type RecordFacts } from '../tools/declare/record_facts.ts'
import type { Collection } from './export/collection.ts'
import { changeStamps, whereIdIn, type ErasureContext, type RetentionRule } from './erase/retention_rule.ts'
import type { ErasureSubject } from './erase/subject.ts'

type RowsOfCustomer = (of: ErasureSubject) => Sql

/** Declarations of all records. */
const RECORDS: readonly RecordFacts[] = entities.map(({ record }) => record)

/** Conditions for records without a customer_id column. */
const SELECTED: Readonly<Record<string, RowsOfCustomer>> = {
  customers: (of) => whereIdIn('id', of.customers),
  notes: (of) => whereIdIn('id', of.notes),
  tags: (of) =>
    sql`id in (select tag_id from customer_tags g
      where g.tenant_id = ${ENTERED} and ${whereIdIn('customer_id', of.customers)})`,
}

/** Bookkeeping columns whose text depends on whether issued invoices keep the customer's name. */
const KEPT_NAMES: Readonly<Record<string, (erasing: ErasureContext) => Readonly<Record<string, Sql>>>> = {
  invoices: ({ keepsNames, of }) =>
    keepsNames
      ? {
          billed_name: sql`case when status <> 'draft' then coalesce(billed_name, ${of.name}::text) end`,
          location_address: sql`case when status <> 'draft' then location_address end`,
        }
      : {},
}

/** Returns the condition for a customer's rows of a table; undefined for the company's own records. */
function rowsOfCustomer({ table, fields }: RecordFacts): RowsOfCustomer | undefined {
  if (SELECTED[table] !== undefined) return SELECTED[table]
  return 'customer_id' in fields ? (of) => whereIdIn('customer_id', of.customers) : undefined
}

/** Archive files of every entity's records. */
export const RECORD_COLLECTIONS: readonly Collection[] = RECORDS.map((record) => {
  const columns = tableColumns(record)
  return {
    file: record.table,
    columns: columns.filter((name) => record.fields[name]?.isDerived !== true).join(' '),
    staying: columns.filter((name) => record.fields[name]?.isDerived === true).join(' '),
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
      rows: ({ of }) => rows(of),
      becomes: (erasing) => ({ ...columns, ...KEPT_NAMES[record.table]?.(erasing), ...changeStamps(erasing) }),
      keeps: textColumns(record).filter((name) => !(name in columns)),
    },
  ]
})

/** Tables of records without customer text. */
export const COMPANY_RECORDS: readonly string[] = RECORDS.map(({ table }) => table).filter(
  (table) => !RECORD_RULES.some((rule) => rule.table === table),
)
