const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22
const LONGEST_COMMENT = 0xffff
const MAX_ENTRIES = 20_000
const STORED = 0

/** Whether bytes begin as a ZIP archive does (APPNOTE 4.3.7). */
export const isZip = (bytes: Buffer): boolean => bytes.length >= 30 && bytes.readUInt32LE(0) === LOCAL_HEADER

/** The names in an archive's central directory (APPNOTE 4.3.12); nothing is inflated. Undefined for one that is broken or too long. */
export function namesInZip(zip: Buffer): string[] | undefined {
  const end = endOfDirectory(zip)
  if (end === undefined) return undefined
  const count = zip.readUInt16LE(end + 10)
  const names: string[] = []
  let at = zip.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES) return undefined
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== CENTRAL_HEADER) return undefined
    const length = zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return names
}

/** The content of the first entry, where it bears this name and lies there as it is, not compressed. */
export function firstStored(zip: Buffer, name: string): string | undefined {
  const from = 30 + zip.readUInt16LE(26)
  if (zip.readUInt16LE(8) !== STORED || zip.toString('utf8', 30, from) !== name) return undefined
  const start = from + zip.readUInt16LE(28)
  return zip.toString('utf8', start, start + Math.min(zip.readUInt32LE(18), 200))
}

function endOfDirectory(zip: Buffer): number | undefined {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT); at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY && at + END_BYTES + zip.readUInt16LE(at + 20) === zip.length) return at
  }
  return undefined
}
