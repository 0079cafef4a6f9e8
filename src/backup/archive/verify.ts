import { MAX_BYTES as MAX_FILE_BYTES } from '../../files/screening/screening.ts'
import { readArchive } from './archive.ts'
import { readManifestEntry, type Trailer, type Manifest } from './manifest.ts'
import { archiveError } from './parts.ts'
import { checkRows, openTally } from './tally.ts'
import { DamagedArchive } from './tar.ts'

/**
 * Reads a whole backup, verifies the checksum of every entry and counts rows and files, without a database. Throws one
 * sentence if anything is wrong.
 */
export async function verifyBackup(path: string, key: Buffer | null): Promise<Manifest & Trailer> {
  const entries = readArchive(path, key)
  try {
    const manifest = await readManifestEntry(entries)
    const tally = openTally(manifest)
    for await (const read of entries) {
      const entry = await tally.next(read)
      if (entry === undefined) continue
      if ('table' in entry) tally.addRows(entry.table, await countRows(read.bytes))
      else if (read.size > MAX_FILE_BYTES) throw new DamagedArchive(`its file ${entry.file} is too large`)
    }
    return { ...manifest, ...tally.finish() }
  } catch (cause) {
    throw archiveError(path, 'verified', cause)
  } finally {
    await entries.return(undefined)
  }
}

/** Counts rows in COPY's text format, where a row contains no line end except the one that ends it. */
async function countRows(pieces: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const piece of checkRows(pieces))
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count++
  return count
}
