import { isUtf8 } from 'node:buffer'

/** Maximum nesting depth of JSON input. */
export const MAX_JSON_DEPTH = 64

/** Maximum number of values: fifty calls of a thousand each. Parsing a value takes a few microseconds. */
const MAX_VALUES = 50_000

/** Result of parsing: a value, or the reason for a failure; with `excess`, the bytes may be valid JSON. */
type BoundedJson = { value: unknown } | { flaw: string } | { excess: string }

/** Parses JSON in UTF-8, with or without a byte order mark, of up to 64 levels and 50,000 values. Takes linear time. */
export function parseBoundedJson(bytes: Buffer): BoundedJson {
  const excess = excessOf(bytes)
  if (excess !== undefined) return { excess }
  if (!isUtf8(bytes)) return { flaw: 'is not UTF-8' }
  try {
    return { value: JSON.parse(bytes.toString('utf8', startsWithBom(bytes) ? 3 : 0)) }
  } catch {
    return { flaw: 'is not JSON' }
  }
}

const startsWithBom = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Counts brackets and commas outside strings, so that hostile depth or size is refused before parsing. */
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
