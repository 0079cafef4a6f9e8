import { crc32 } from 'node:zlib'

/** Returns a ZIP archive of uncompressed entries. */
export function zipOf(entries: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), facts, path, bytes])
    const entry = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, Buffer.alloc(14), path])
    entry.writeUInt32LE(at, 42)
    local.push(header)
    central.push(entry)
    at += header.length
  }
  const size = central.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...local, ...central, end])
}

/** Returns the start of a compound file whose directory names a stream. */
export function compoundOf(stream: string): Buffer {
  const file = Buffer.alloc(2048)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  Buffer.from('Root Entry\0', 'utf16le').copy(file, 1024)
  Buffer.from(`${stream}\0`, 'utf16le').copy(file, 1152)
  return file
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'
const openDocument = (name: string): Buffer =>
  zipOf({ mimetype: `${OPEN_DOCUMENT}.${name}`, 'content.xml': '<office/>' })
const openXml = (part: string): Buffer =>
  zipOf({ '[Content_Types].xml': '<Types/>', '_rels/.rels': '<r/>', [part]: '<x/>' })

/** One file of each accepted type. */
export const FILES: Readonly<Record<string, Buffer>> = {
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'image/webp': Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
  'application/pdf': Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  'text/plain': Buffer.from('\uFEFFThe valve is in the cellar. é😀\n'),
  'application/msword': compoundOf('WordDocument'),
  'application/vnd.ms-excel': compoundOf('Workbook'),
  'application/vnd.ms-powerpoint': compoundOf('PowerPoint Document'),
  [`${OPEN_XML}.wordprocessingml.document`]: openXml('word/document.xml'),
  [`${OPEN_XML}.spreadsheetml.sheet`]: openXml('xl/workbook.xml'),
  [`${OPEN_XML}.presentationml.presentation`]: openXml('ppt/presentation.xml'),
  [`${OPEN_DOCUMENT}.text`]: openDocument('text'),
  [`${OPEN_DOCUMENT}.spreadsheet`]: openDocument('spreadsheet'),
  [`${OPEN_DOCUMENT}.presentation`]: openDocument('presentation'),
}

export const makeAttachment = (filename: string, contentType: string, bytes: Buffer) => ({
  filename,
  contentType,
  content: bytes.toString('base64'),
})
