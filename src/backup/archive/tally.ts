import { parseEntryName, readTrailer, type BackupEntry, type Trailer, type Manifest } from './manifest.ts'
import { TRAILER_NAME } from './parts.ts'
import { DamagedArchive, type ReadEntry } from './tar.ts'

/** Counts the entries of a backup as they are read and compares the counts with its last entry. */
export function openTally(manifest: Manifest) {
  const rows: Record<string, number> = Object.fromEntries(Object.keys(manifest.tables).map((name) => [name, 0]))
  let [files, uncheckedEntry] = [0, undefined as string | undefined]
  let trailer: Trailer | undefined
  return {
    /** Returns the kind of an entry. Reads the last entry and returns undefined for it. */
    next: async (entry: ReadEntry): Promise<BackupEntry | undefined> => {
      if (trailer !== undefined) throw new DamagedArchive('it has data after its end')
      if (!entry.hasChecksum) uncheckedEntry ??= entry.name
      if (entry.name === TRAILER_NAME) {
        trailer = await readTrailer(entry)
        return undefined
      }
      const name = parseEntryName(entry)
      if ('file' in name) files++
      else columnsOf(manifest, name.table)
      return name
    },
    addRows: (table: string, count: number): void => {
      rows[table] = (rows[table] ?? 0) + count
    },
    /** Returns the last entry. Throws `DamagedArchive` if anything is missing. */
    finish: (): Trailer => {
      if (trailer === undefined) throw new DamagedArchive('it is truncated')
      const { rows: expected } = trailer
      const shortTable = Object.keys(rows).find((table) => rows[table] !== expected[table])
      if (shortTable !== undefined)
        throw new DamagedArchive(
          `it has ${rows[shortTable]} rows of ${shortTable} and should have ${expected[shortTable]}`,
        )
      if (files !== trailer.files) throw new DamagedArchive(`it has ${files} files and should have ${trailer.files}`)
      if (uncheckedEntry !== undefined && manifest.format > 1)
        throw new DamagedArchive(`its entry ${uncheckedEntry.slice(0, 100)} has no checksum`)
      return trailer
    },
  }
}

/** Returns the columns of a table's rows, in order. Throws `DamagedArchive` for an unknown table. */
export function columnsOf({ tables }: Manifest, table: string): string[] {
  const columns = Object.hasOwn(tables, table) ? tables[table] : undefined
  if (columns === undefined) throw new DamagedArchive(`it has rows of ${table}, a table that isn't in its schema`)
  return columns
}

/** Maximum size of a row in bytes: the largest mail in hexadecimal, with headroom. */
const MAX_ROW_BYTES = 128 * 2 ** 20

/** Passes on rows in COPY's text format. Throws for an oversized row, which the server would hold in memory. */
export async function* checkRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of pieces) {
    const [first, last] = [piece.indexOf('\n'), piece.lastIndexOf('\n')]
    length = first < 0 ? length + piece.length : piece.length - last
    if (length > MAX_ROW_BYTES) throw new DamagedArchive('it has a row that is too long')
    if (piece.includes(0)) throw new DamagedArchive("it has rows that aren't text")
    yield piece
  }
}
