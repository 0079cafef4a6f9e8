/**
 * Number of SMS segments of a text, and the characters that raise it: one outside the GSM alphabet switches the whole
 * text to UCS-2, with less than half as many characters per segment.
 */
type Segments = { count: number; costly: readonly string[] }

/** Characters of the GSM 7-bit alphabet, and those that take two septets (3GPP TS 23.038, 6.2.1). */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ ' +
    '!"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')

/** Units in a single-segment text, and in each segment of a longer one, whose header takes some. */
const SIZES = { phone: { whole: 160, part: 153 }, unicode: { whole: 70, part: 67 } } as const

/** Counts the segments of a text (docs/spec/outbox.md#texts). */
export function countSegments(text: string): Segments {
  const characters = Array.from(text)
  const nonGsm = characters.filter((one) => !BASIC.has(one) && !EXTENDED.has(one))
  if (nonGsm.length === 0) return { count: partsOf(characters, sizeOnPhone, SIZES.phone), costly: [] }
  const count = partsOf(characters, ({ length }) => length, SIZES.unicode)
  const gsmCharacters = characters.filter((one) => !nonGsm.includes(one))
  const isCostly = partsOf(gsmCharacters, sizeOnPhone, SIZES.phone) < count
  return { count, costly: isCostly ? [...new Set(nonGsm)] : [] }
}

const sizeOnPhone = (character: string): number => (EXTENDED.has(character) ? 2 : 1)

/** Fills one segment after the other; a two-unit character is never split. */
function partsOf(
  characters: readonly string[],
  sizeOf: (character: string) => number,
  { whole, part }: { whole: number; part: number },
): number {
  const sizes = characters.map(sizeOf)
  if (sizes.reduce((sum, size) => sum + size, 0) <= whole) return 1
  let [count, used] = [1, 0]
  for (const size of sizes) {
    used += size
    if (used > part) [count, used] = [count + 1, size]
  }
  return count
}
