import { createHash } from 'node:crypto'
import { fold } from '../../platform/validation/text/fold.ts'
import type { Epoch } from './day_numbers.ts'
import type { SourceDocument } from '../documents/source_document.ts'

/** A row of a file by our fields, with its number as people count lines of a table. */
export type MappedRow = {
  number: number
  cells: Readonly<Record<string, string>>
  custom: Readonly<Record<string, string>>
}

/** A record on its way in: of one row, or of several that are about the same customer or document. */
export type IncomingRecord = {
  numbers: readonly [number, ...number[]]
  /** The other product's id, or the digest of the row. */
  key: string
  /** Arguments of our tool; of a document those besides its lines and amounts. */
  input: Record<string, unknown>
  name: string
  /** A customer's name as the file writes it, where it does so in one cell. */
  nameWritten?: string
  /** Names of tags or of a category that it needs. */
  needs: readonly string[]
  note?: string
  /** Values that were read as others, as the file writes them. */
  remarks: readonly Remark[]
  /** Set for a job, a quote or an invoice. */
  document?: SourceDocument
}

/**
 * A value that was read as another one. `day_number` is a spreadsheet's number of a day; `name_order` is a name that
 * was written with the last name first.
 */
export type Remark = { field: string; value: string; taken: string; kind?: 'day_number' | 'name_order' }

export type ReadingRules = {
  /** Number of decimals of the company's currency. */
  digits: number
  currency: string
  /** The company's country, for addresses without one. */
  country: string
  seesCost: boolean
  /** True where the company writes the day before the month. */
  isDayFirst: boolean
  /** First year of the file's calendar, by which day numbers are read. */
  epoch: Epoch
  /** Name of the other product, for numbers that are kept under its name. */
  source: string
}

/** Returns what a record of another product is found by again: its id there, else what its row says. */
export const recordKey = (cells: Readonly<Record<string, string>>, by: readonly string[]): string => {
  const id = cells['source_id']
  return id !== undefined && id.length <= 200 ? id : recordDigest(by.map((field) => cells[field] ?? ''))
}

/** Returns a key of what is said where there is no id. */
export const recordDigest = (texts: readonly string[]): string =>
  `row:${createHash('sha256').update(texts.map(fold).join('\n')).digest('base64url')}`
