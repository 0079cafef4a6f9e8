import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Maximum number of parts of a workbook. */
const MAX_ENTRIES = 2_000

/** Parts of a workbook by their names in lower case. */
export type WorkbookParts = { zip: ZipFile; entries: ReadonlyMap<string, Entry> }

/** Returns the refusal of a workbook that isn't a valid archive. */
export const brokenWorkbook = (): Error => invalidField('file', refusals.damaged())

/** Reads the directory of an archive and calls `read` with its parts, without inflating any. */
export async function withParts<T>(content: Buffer, read: (parts: WorkbookParts) => Promise<T>): Promise<T> {
  const zip = await fromBufferPromise(content, { lazyEntries: true, validateEntrySizes: true }).catch(() => {
    throw brokenWorkbook()
  })
  try {
    return await read({ zip, entries: await entriesOf(zip) })
  } finally {
    zip.close()
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw invalidField('file', refusals.tooManyParts({ max: MAX_ENTRIES, count: zip.entryCount }))
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase()
      if (entries.has(name)) throw new Error('Two parts have the same name')
      entries.set(name, entry)
    }
  } catch {
    throw brokenWorkbook()
  }
  return entries
}

/** Inflates a part. Throws if its declared size exceeds `max` bytes, or its actual size the declared one. */
export async function* inflateEntry({ zip }: WorkbookParts, entry: Entry, max: number): AsyncGenerator<Buffer, void> {
  if (entry.uncompressedSize > max)
    throw invalidField(
      'file',
      refusals.largeSheet({ max: max / 2 ** 20, size: Math.ceil(entry.uncompressedSize / 2 ** 20) }),
    )
  if (entry.isEncrypted()) throw invalidField('file', refusals.password())
  const stream = await zip.openReadStreamPromise(entry).catch(() => {
    throw brokenWorkbook()
  })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk
  } catch {
    throw brokenWorkbook()
  }
}
