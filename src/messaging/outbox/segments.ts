/**
 * Counts the parts that an SMS travels in, and finds which of its characters make it more: one that the alphabet of
 * phones lacks has all of the text written in another, of less than half as many characters a part.
 */
type Segments = { count: number; costly: readonly string[] }

/** Characters that phones write in 7 bits, and those that take two of them (3GPP TS 23.038, 6.2.1). */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ ' +
    '!"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')

/** Units of a single text, and of each part of a longer one, which has a header that joins the parts. */
const SIZES = { phone: { whole: 160, part: 153 }, unicode: { whole: 70, part: 67 } } as const

/** Returns how many texts a text counts as (docs/spec/outbox.md#texts). */
export function countSegments(text: string): Segments {
  const characters = Array.from(text)
  const strange = characters.filter((one) => !BASIC.has(one) && !EXTENDED.has(one))
  if (strange.length === 0) return { count: partsOf(characters, sizeOnPhone, SIZES.phone), costly: [] }
  const count = partsOf(characters, ({ length }) => length, SIZES.unicode)
  const without = characters.filter((one) => !strange.includes(one))
  const isCostly = partsOf(without, sizeOnPhone, SIZES.phone) < count
  return { count, costly: isCostly ? [...new Set(strange)] : [] }
}

const sizeOnPhone = (character: string): number => (EXTENDED.has(character) ? 2 : 1)

/** Fills one part after the other; what takes two units is never torn. */
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
