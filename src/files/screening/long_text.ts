import { displayName } from '../file_names.ts'
import type { ScreenedFile } from './screening.ts'

/**
 * Maximum bytes of a mail's text in its row. Longer text is kept as a file of the message
 * (docs/spec/messages.md#long-text).
 */
const MAX_ROW_BYTES = 2 ** 20

/**
 * Maximum length of a message on a page: in characters within a list, and in bytes by itself
 * (docs/spec/messages.md#long-text).
 */
export const MAX_LIST_CHARACTERS = 4_000
export const MAX_PAGE_BYTES = 200_000

/** Returns the text for a message's row, and a file with the whole text if it is too long. */
export function splitLongText(body: string): { body: string; file: ScreenedFile | null } {
  const bytes = Buffer.from(body)
  if (bytes.length <= MAX_ROW_BYTES) return { body, file: null }
  return {
    body: truncateBytes(bytes, MAX_PAGE_BYTES),
    file: {
      file_name: displayName('message.txt', 'text/plain'),
      content_type: 'text/plain',
      size_bytes: bytes.length,
      bytes,
      reason: null,
    },
  }
}

/** Truncates text to a number of bytes of UTF-8, without splitting a character. */
export const truncateBytes = (text: string | Buffer, maxBytes: number): string =>
  new TextDecoder().decode(
    Buffer.from(typeof text === 'string' ? text.slice(0, maxBytes) : text).subarray(0, maxBytes),
    { stream: true },
  )
