import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'

const MAX_ENTRIES = 20_000
const STORED = 0

/** Checks for the signature of a ZIP archive (APPNOTE 4.3.7). */
export const isZip = (bytes: Buffer): boolean => bytes.length >= 30 && bytes.readUInt32LE(0) === 0x04034b50

/**
 * Returns the names in an archive's central directory (APPNOTE 4.3.12) without inflating anything; undefined if the
 * archive is broken or has too many entries.
 */
export const listZipNames = (bytes: Buffer): Promise<string[] | undefined> =>
  readZip(bytes, async (zip) => {
    const names: string[] = []
    for await (const entry of zip.eachEntry()) names.push(nameOf(entry))
    return names
  })

/** Returns the content of an archive's first entry if it has this name and is uncompressed. */
export const readFirstEntry = (bytes: Buffer, name: string): Promise<string | undefined> =>
  readZip(bytes, async (zip) => {
    for await (const entry of zip.eachEntry()) {
      if (entry.relativeOffsetOfLocalHeader !== 0 || nameOf(entry) !== name || entry.compressionMethod !== STORED)
        continue
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      return bytes.toString('utf8', fileDataStart, fileDataStart + Math.min(entry.uncompressedSize, 200))
    }
    return undefined
  })

/** Returns the name from the directory. An extra field may contain another one. */
const nameOf = ({ fileNameRaw }: Entry): string => fileNameRaw.toString('utf8')

const readZip = <T>(bytes: Buffer, read: (zip: ZipFile) => Promise<T | undefined>): Promise<T | undefined> =>
  fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false })
    .then((zip) => (zip.entryCount > MAX_ENTRIES ? undefined : read(zip)))
    .catch(() => undefined)
