import { isUtf8 } from 'node:buffer'

/** Limits the levels of JSON that somebody sends. */
export const MAX_JSON_DEPTH = 64

/** Allows fifty calls of a thousand values each; the engine builds a value in a few microseconds. */
const MAX_VALUES = 50_000

/** Result of reading bytes: a value, or why they were not read; `excess` where they may be JSON. */
type BoundedJson = { value: unknown } | { flaw: string } | { excess: string }

/**
 * Reads JSON in UTF-8, with or without a byte order mark, of up to 64 levels and 50,000 values. Its cost grows no
 * faster than its length.
 */
export function parseBoundedJson(bytes: Buffer): BoundedJson {
  const excess = excessOf(bytes)
  if (excess !== undefined) return { excess }
  if (!isUtf8(bytes)) return { flaw: 'is not UTF-8' }
  try {
    return { value: JSON.parse(bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0)) }
  } catch {
    return { flaw: 'is not JSON' }
  }
}

const startsWithMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Counts brackets and commas outside strings, so that a hostile nest or crowd is refused before it is built. */
function excessOf(bytes: Buffer): string | undefined {
  const quote = 0x22,
    backslash = 0x5c
  const end = bytes.length
  let depth = 0
  let values = 0
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      for (at++; at < end && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_JSON_DEPTH) return `JSON nested deeper than ${MAX_JSON_DEPTH} levels`
      values++
    } else if (byte === 0x2c) {
      values++
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    }
  }
  return values > MAX_VALUES ? `JSON of more than ${MAX_VALUES} values` : undefined
}
