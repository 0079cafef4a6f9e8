import type { Sql } from '../../platform/db/database.ts'

/**
 * Who wrote a text: a customer, or staff who took it down from one, whose words are fenced for agents
 * (docs/spec/tools.md#customer-text); or the company, the service or a provider, and texts that are one of a few
 * values.
 */
export type TextAuthor = 'customer' | 'company'

/** What holds for every value of a field: its name for people, its author, and what an erasure leaves of it. */
export type FieldFacts = {
  /** Name on forms, sheets and in the history. */
  label?: () => string
  /** Whether the record's page shows it as it is, by its label. */
  onSheet?: boolean
  /** Author of a text or of JSON; undefined for ids, numbers, times and flags. */
  text?: TextAuthor
  /** Value after the customer's erasure; the field stays as it is when left out. */
  erased?: Sql
  /** Whether it is in no result of a tool. */
  isInternal?: boolean
  /** Whether no column holds it: it is read from other tables. */
  isComputed?: boolean
  /** Whether it stays out of a company's archive, as derived from other columns. */
  isDerived?: boolean
}

/** An entity's table and fields, for what walks all records: archives, erasures, company files, fences. */
export type RecordFacts = {
  table: string
  fields: Readonly<Record<string, FieldFacts>>
  /** Facts about the parts of a result that are lists or objects of their own, by name: `line_items`. */
  parts: Readonly<Record<string, Readonly<Record<string, TextAuthor>>>>
}

/** Returns the names of the columns of a record's table. */
export const tableColumns = ({ fields }: RecordFacts): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isComputed !== true)

/** Returns the columns that hold text or JSON. */
export const textColumns = (record: RecordFacts): string[] =>
  tableColumns(record).filter((name) => record.fields[name]?.text !== undefined)

/** Returns what an erasure writes into the columns of a customer's record. */
export const erasureValues = ({ fields }: RecordFacts): Record<string, Sql> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { erased }]) => (erased === undefined ? [] : [[name, erased]])),
  )
