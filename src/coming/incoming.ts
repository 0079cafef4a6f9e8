import { createHash } from 'node:crypto'
import { fold } from '../shape/fold.ts'

/** Holds a row of a file by our fields, with its number as people count lines of a table. */
export type MappedRow = {
  number: number
  cells: Readonly<Record<string, string>>
  custom: Readonly<Record<string, string>>
}

/** Describes a record on its way in: of one row, or of several that are about the same customer. */
export type Incoming = {
  numbers: readonly number[]
  /** Is their id, or the digest of what the row says. */
  key: string
  /** Is what our tool is given. */
  given: Record<string, unknown>
  name: string
  /** Are names of tags or of a category that it needs. */
  needs: readonly string[]
  note?: string
  /** Says of a value that was taken for another, in the file's own words. */
  remarks: readonly Remark[]
}

export type Remark = { field: string; value: string; taken: string }

export type ReadingRules = { digits: number; seesCost: boolean }

/** Returns what a record of another product is found by again: its id there, else what its row says. */
export const keyOf = (cells: Readonly<Record<string, string>>, by: readonly string[]): string => {
  const id = cells['source_id']
  if (id !== undefined && id.length <= 200) return id
  const said = by.map((field) => fold(cells[field] ?? '')).join('\n')
  return `row:${createHash('sha256').update(said).digest('base64url')}`
}
