import { displayName } from '../file_names.ts'
import type { ScreenedFile } from './screening.ts'

/**
 * Maximum bytes of a mail's text in its row; longer text is kept as a file beside the message
 * (docs/spec/messages.md#long-text).
 */
const MAX_IN_ROW = 2 ** 20

/**
 * Limits what a page shows of a message among others, in characters, and of one by itself, in bytes
 * (docs/spec/messages.md#long-text).
 */
export const MAX_LIST_CHARACTERS = 4_000
export const MAX_PAGE_BYTES = 200_000

/** Returns the text that a message's row keeps; a long one is whole in a file. */
export function splitLongText(body: string): { body: string; file: ScreenedFile | null } {
  const bytes = Buffer.from(body)
  if (bytes.length <= MAX_IN_ROW) return { body, file: null }
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

/** Returns no more than so many bytes of UTF-8, with no character cut in two. */
export const truncateBytes = (text: string | Buffer, most: number): string =>
  new TextDecoder().decode(Buffer.from(typeof text === 'string' ? text.slice(0, most) : text).subarray(0, most), {
    stream: true,
  })
