import { fileTypeFromBuffer } from 'file-type'
import { readFirstEntry, isZip, listZipNames } from './zip_entries.ts'
import { textBefore } from '../../platform/validation/text/before.ts'

type FileType = { extensions: readonly [string, ...string[]]; matches: (bytes: Buffer) => boolean | Promise<boolean> }

const openXmlCheck =
  (folder: string) =>
  (bytes: Buffer): Promise<boolean> =>
    isOpenXml(bytes, folder)
const compoundFileCheck =
  (...streams: string[]) =>
  (bytes: Buffer): boolean =>
    isCompoundFile(bytes, streams)
const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

type FileTypes = ReadonlyMap<string, FileType>

/**
 * Types allowed as mail attachments (docs/spec/messages.md#allowed-types), with the check of each type's bytes.
 * Archives are read but never inflated.
 */
export const MAIL_TYPES: FileTypes = new Map<string, FileType>([
  ['image/jpeg', { extensions: ['jpg', 'jpeg', 'jpe', 'jfif'], matches: (bytes) => isSniffed(bytes, 'image/jpeg') }],
  ['image/png', { extensions: ['png'], matches: (bytes) => isSniffed(bytes, 'image/png', 'image/apng') }],
  ['image/gif', { extensions: ['gif'], matches: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) }],
  ['image/webp', { extensions: ['webp'], matches: (bytes) => isSniffed(bytes, 'image/webp') }],
  ['application/pdf', { extensions: ['pdf'], matches: (bytes) => isSniffed(bytes, 'application/pdf') }],
  ['text/plain', { extensions: ['txt', 'text', 'log', 'md'], matches: isPlainText }],
  ['application/msword', { extensions: ['doc'], matches: compoundFileCheck('WordDocument') }],
  ['application/vnd.ms-excel', { extensions: ['xls'], matches: compoundFileCheck('Workbook', 'Book') }],
  ['application/vnd.ms-powerpoint', { extensions: ['ppt'], matches: compoundFileCheck('PowerPoint Document') }],
  [`${OPEN_XML}.wordprocessingml.document`, { extensions: ['docx'], matches: openXmlCheck('word/') }],
  [`${OPEN_XML}.spreadsheetml.sheet`, { extensions: ['xlsx'], matches: openXmlCheck('xl/') }],
  [`${OPEN_XML}.presentationml.presentation`, { extensions: ['pptx'], matches: openXmlCheck('ppt/') }],
  ...Object.entries({ text: 'odt', spreadsheet: 'ods', presentation: 'odp', graphics: 'odg' }).map(
    ([name, extension]): [string, FileType] => [
      `${OPEN_DOCUMENT}.${name}`,
      { extensions: [extension], matches: (bytes) => isOpenDocument(bytes, `${OPEN_DOCUMENT}.${name}`) },
    ],
  ),
])

/** Types allowed as files of a job: those of mail, and the picture formats of phones. */
export const UPLOAD_TYPES: FileTypes = new Map<string, FileType>([
  ...MAIL_TYPES,
  ['image/heic', { extensions: ['heic'], matches: (bytes) => isSniffed(bytes, 'image/heic') }],
  ['image/heif', { extensions: ['heif'], matches: (bytes) => isSniffed(bytes, 'image/heif', 'image/heic') }],
])

/** Checks whether bytes are of a type from a list. Returns false for any other type. */
export const isOfType = async (bytes: Buffer, type: string, types: FileTypes): Promise<boolean> =>
  (await types.get(type)?.matches(bytes)) ?? false

/** Returns the file extensions of a known type, the usual one first; empty for other types. */
export const extensionsOf = (type: string): readonly string[] => UPLOAD_TYPES.get(type)?.extensions ?? []

/** Returns the type that a file's extension indicates; undefined for other extensions. */
export function typeFromName(name: string, types: FileTypes): string | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return [...types].find(([, { extensions }]) => extensions.includes(extension))?.[0]
}

/** Returns a media type in lower case, without parameters. */
export const mediaTypeOf = (text: string): string => textBefore(text, ';').trim().toLowerCase()

async function isSniffed(bytes: Buffer, ...types: string[]): Promise<boolean> {
  return types.includes((await sniffType(bytes)) ?? '')
}

/** Detects a type by its first bytes. Compressed data never reaches file-type, which would inflate it. */
async function sniffType(bytes: Buffer): Promise<string | undefined> {
  if (isZip(bytes)) return 'application/zip'
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'application/gzip'
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
}

const MARKUP = /^\s*<[a-z!?/]/i

/** Checks for UTF-8 without NUL that does not begin like markup. */
function isPlainText(bytes: Buffer): boolean {
  const text = decodeUtf8(bytes)
  return text !== undefined && !text.includes('\0') && !MARKUP.test(text)
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Recognizes Office Open XML of one program, without macros (ECMA-376 part 2). */
async function isOpenXml(bytes: Buffer, folder: string): Promise<boolean> {
  const names = isZip(bytes) ? await listZipNames(bytes) : undefined
  return (
    names !== undefined &&
    names.includes('[Content_Types].xml') &&
    names.some((name) => name.startsWith(folder)) &&
    !names.some((name) => /vbaProject\.bin$/i.test(name))
  )
}

/** Recognizes OpenDocument (1.3 part 2, 3.3): the first entry is the type, uncompressed. */
const isOpenDocument = async (bytes: Buffer, type: string): Promise<boolean> =>
  isZip(bytes) && (await readFirstEntry(bytes, 'mimetype')) === type

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const DIRECTORY_ENTRY_BYTES = 128

/** Recognizes a compound file whose directory names one of these streams (MS-CFB 2.6). */
function isCompoundFile(bytes: Buffer, streams: readonly string[]): boolean {
  if (!bytes.subarray(0, COMPOUND.length).equals(COMPOUND)) return false
  const names = streams.map((stream) => Buffer.from(`${stream}\0`, 'utf16le'))
  for (let at = 512; at < bytes.length; at += DIRECTORY_ENTRY_BYTES) {
    if (names.some((name) => bytes.subarray(at, at + name.length).equals(name))) return true
  }
  return false
}
