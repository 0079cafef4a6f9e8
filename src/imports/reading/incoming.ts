import { createHash } from 'node:crypto'
import { fold } from '../../platform/validation/text/fold.ts'
import type { Epoch } from './day_numbers.ts'
import type { SourceDocument } from '../documents/source_document.ts'

/** Row of a file by our fields. `number` is the row number a spreadsheet shows. */
export type MappedRow = {
  number: number
  cells: Readonly<Record<string, string>>
  custom: Readonly<Record<string, string>>
}

/** Record to import, from one row or from several rows about the same customer or document. */
export type IncomingRecord = {
  numbers: readonly [number, ...number[]]
  /** Source id, or the digest of the row. */
  key: string
  /** Arguments of our tool; for a document those besides lines and amounts. */
  input: Record<string, unknown>
  name: string
  /** Customer's name as written in the file, if it is in one cell. */
  nameWritten?: string
  /** Names of the tags or the category it needs. */
  needs: readonly string[]
  note?: string
  /** Values that were read differently, as written in the file. */
  remarks: readonly Remark[]
  /** Details of a job, quote or invoice; undefined for other kinds. */
  document?: SourceDocument
}

/**
 * Value that was read differently. `day_number` is a spreadsheet's day number; `name_order` is a name written with the
 * last name first.
 */
export type Remark = { field: string; value: string; taken: string; kind?: 'day_number' | 'name_order' }

export type ReadingRules = {
  /** Number of decimals of the company's currency. */
  digits: number
  currency: string
  /** Company's country, for addresses without one. */
  country: string
  seesCost: boolean
  /** Whether the company writes the day before the month. */
  isDayFirst: boolean
  /** First year of the file's calendar, for day numbers. */
  epoch: Epoch
  /** Name of the source product, for custom fields of its numbers. */
  source: string
}

/** Returns the key to find a source record again: its id, or else a digest of its row. */
export const recordKey = (cells: Readonly<Record<string, string>>, by: readonly string[]): string => {
  const id = cells['source_id']
  return id !== undefined && id.length <= 200 ? id : recordDigest(by.map((field) => cells[field] ?? ''))
}

/** Returns a key made of a record's texts, for records without an id. */
export const recordDigest = (texts: readonly string[]): string =>
  `row:${createHash('sha256').update(texts.map(fold).join('\n')).digest('base64url')}`
