import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { refusals } from './refusals.ts'

/** Magic bytes of files that aren't text, with their refusals. */
const NON_TEXT_SIGNATURES: readonly [begin: string, refusal: () => RefusalDetail][] = [
  ['504b0304', refusals.workbook],
  ['d0cf11e0a1b11ae1', refusals.oldWorkbook],
  ['25504446', refusals.pdf],
]

/**
 * Converts a file to UTF-8. UTF-16 is detected by its byte order mark. Anything else is read as Windows-1252, the
 * default of many spreadsheets. Throws if the file isn't text.
 */
export function toUtf8(content: Buffer): Buffer {
  const begin = content.toString('hex', 0, 8)
  const other = NON_TEXT_SIGNATURES.find(([signature]) => begin.startsWith(signature))
  if (other !== undefined) throw invalidField('file', other[1]())
  if (/^\s*<(?:!doctype|html|\?xml|table)/i.test(content.toString('latin1', 0, 100)))
    throw invalidField('file', refusals.webPage())
  if (begin.startsWith('fffe')) return decodeText(content, 'utf-16le')
  if (begin.startsWith('feff')) return decodeText(content, 'utf-16be')
  if (isUtf8(content)) return content
  if (content.includes(0)) throw invalidField('file', refusals.notText())
  return decodeText(content, 'windows-1252')
}

const decodeText = (content: Buffer, encoding: string): Buffer => Buffer.from(new TextDecoder(encoding).decode(content))
