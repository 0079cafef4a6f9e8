import type { Sql } from '../../platform/db/database.ts'

/**
 * Author of a text: a customer, or staff who recorded a customer's words, which are fenced for agents
 * (docs/spec/tools.md#customer-text); or the company, the service or a provider. Texts with a fixed set of values count
 * as the company's.
 */
export type TextAuthor = 'customer' | 'company'

/** Facts about a field: its name for people, its author, and its value after an erasure. */
export type FieldFacts = {
  /** Name on forms, sheets and in the history. */
  label?: () => string
  /** Whether the record's page shows it as is, with its label. */
  onSheet?: boolean
  /** Author of a text or of JSON; undefined for ids, numbers, times and flags. */
  text?: TextAuthor
  /** Value after the customer's erasure. If omitted, the field stays as it is. */
  erased?: Sql
  /** Whether no tool returns it. */
  isInternal?: boolean
  /** Whether it has no column and is read from other tables. */
  isComputed?: boolean
  /** Whether a company's archive omits it, since it derives from other columns. */
  isDerived?: boolean
}

/** Table and fields of an entity, for code that handles all records: archives, erasures, company files, fences. */
export type RecordFacts = {
  table: string
  fields: Readonly<Record<string, FieldFacts>>
  /** Authors of the texts in a result's own lists and objects, by name: `line_items`. */
  parts: Readonly<Record<string, Readonly<Record<string, TextAuthor>>>>
}

/** Returns the names of the columns of a record's table. */
export const tableColumns = ({ fields }: RecordFacts): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isComputed !== true)

/** Returns the columns that hold text or JSON. */
export const textColumns = (record: RecordFacts): string[] =>
  tableColumns(record).filter((name) => record.fields[name]?.text !== undefined)

/** Returns the values that an erasure writes to the columns of a customer's record. */
export const erasureValues = ({ fields }: RecordFacts): Record<string, Sql> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { erased }]) => (erased === undefined ? [] : [[name, erased]])),
  )
