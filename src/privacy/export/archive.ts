import { readMoment, type Database, type Db } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { VERSION } from '../../platform/version.ts'
import { collectionColumns, hasFiles } from './collection.ts'
import { readPages, type StoredFile } from './rows.ts'
import { archiveFiles, type ArchiveScope } from './scope.ts'
import { toCsv, toJson } from './texts.ts'
import { openZip, type Sink } from './zip.ts'

type ArchiveOptions = {
  database: Database
  storage: Storage
  tenant: string
  /** Reads the scope of the archive, in the same snapshot as its rows. */
  scope: (db: Db) => Promise<ArchiveScope>
  /** Receives the rows while the snapshot is held, then the files. */
  sink: Sink
  /** Called after all rows are read. The last of them may not have reached the sink yet. */
  onRowsRead?: () => void
  /** Called with the progress: the number done, and the total. */
  onProgress?: (done: number, total: number) => Promise<void>
}

/** Number of rows and files in an archive. */
type ArchiveContent = { rows: Record<string, number>; files: number; missing: string[] }

/**
 * Writes all data of a company, a customer or a member into one ZIP archive: rows from one snapshot, as JSON and CSV,
 * then the stored files. Streams, so that little is in memory at a time.
 */
export async function writeArchive({
  database,
  storage,
  tenant,
  scope,
  sink,
  onRowsRead = () => {},
  onProgress: onPart = async () => {},
}: ArchiveOptions): Promise<ArchiveContent> {
  const zip = openZip(sink)
  const stored: StoredFile[] = []
  const rows = await readMoment(database, tenant, 'exports', async (db) => {
    const files = archiveFiles(await scope(db))
    const rowCounts: Record<string, number> = {}
    for (const [i, { collection, rows }] of files.entries()) {
      rowCounts[collection.file] = 0
      const columns = collectionColumns(collection)
      await zip.add(
        `${collection.file}.json`,
        toJson(
          countRows(
            readPages(db, collection, rows, (file) => stored.push(file)),
            (more) => (rowCounts[collection.file] = (rowCounts[collection.file] ?? 0) + more),
          ),
        ),
      )
      await zip.add(`${collection.file}.csv`, toCsv(columns, readPages(db, collection, rows)))
      await onPart(i + 1, 2 * files.length + (hasFiles(collection) ? stored.length : 0))
    }
    return rowCounts
  })
  onRowsRead()
  const missing: string[] = []
  const [offset, total] = [Object.keys(rows).length, Object.keys(rows).length + stored.length]
  for (const [i, { path, key }] of stored.entries()) {
    const storedFile = await storage.get(key)
    if (storedFile === undefined) missing.push(path)
    else await zip.add(path, piecesOf(storedFile))
    await onPart(offset + i + 1, total)
  }
  const content = { rows, files: stored.length - missing.length, missing }
  await zip.add(
    'archive.json',
    toJsonFile({ format: 1, version: VERSION, tenant, made_at: new Date().toISOString(), ...content }),
  )
  await zip.end()
  return content
}

async function* countRows<T>(pages: AsyncIterable<T[]>, count: (more: number) => void): AsyncGenerator<T[]> {
  for await (const page of pages) {
    count(page.length)
    yield page
  }
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of stream) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

async function* toJsonFile(value: object): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}
