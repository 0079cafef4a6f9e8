import assert from 'node:assert/strict'
import type { ArchiveEntry } from '../../src/backup/archive/tar.ts'
import { updateTotals } from './move_scene.ts'

/** Changes the text of the entries whose names match. */
export const editing =
  (which: RegExp, edit: (text: string) => string) =>
  (entries: ArchiveEntry[]): ArchiveEntry[] => {
    assert.ok(entries.some(({ name }) => which.test(name)))
    return entries.map((entry) =>
      which.test(entry.name) ? { ...entry, bytes: Buffer.from(edit(entry.bytes.toString('latin1')), 'latin1') } : entry,
    )
  }

export const renaming =
  (which: RegExp, to: (name: string) => string) =>
  (entries: ArchiveEntry[]): ArchiveEntry[] =>
    entries.map((entry) => (which.test(entry.name) ? { ...entry, name: to(entry.name) } : entry))

type Manifest = { migrations: object[]; tables: Record<string, string[]> }

export const inJson = (edit: (value: Manifest) => void) => (text: string) => {
  const value = JSON.parse(text) as Manifest
  edit(value)
  return JSON.stringify(value)
}

/** Changes rows in COPY's text format by column name. `edit` returns the row, or undefined to drop it. */
export const rowsOf =
  (table: string, edit: (row: Record<string, string>) => Record<string, string> | undefined) =>
  (entries: ArchiveEntry[]): ArchiveEntry[] => {
    const columns = (JSON.parse(entries[0]!.bytes.toString()) as Manifest).tables[table]!
    let edits = 0
    const made = entries.map((entry) => {
      if (!entry.name.startsWith(`tables/${table}/`)) return entry
      const lines = entry.bytes.toString('latin1').split('\n').slice(0, -1)
      const rows = lines.flatMap((line) => {
        edits++
        const values = line.split('\t')
        const row = edit(Object.fromEntries(columns.map((column, i) => [column, values[i]!])))
        return row === undefined ? [] : [columns.map((column) => row[column]!).join('\t')]
      })
      return { ...entry, bytes: Buffer.from(rows.map((row) => `${row}\n`).join(''), 'latin1') }
    })
    assert.ok(edits > 0, `${table} has rows to forge`)
    return updateTotals(made)
  }
