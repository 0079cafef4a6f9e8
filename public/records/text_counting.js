// @ts-check
// Counts how many texts a message takes, like the server (src/messaging/outbox/segments.ts); a test compares the two.

/** Characters with a 7-bit encoding in SMS, and those that take two of them (3GPP TS 23.038, 6.2.1). */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')

/**
 * Returns how many texts it counts as, and which characters make it more.
 * @param {string} text
 * @returns {{ count: number, costly: string[] }}
 */
export function countTexts(text) {
  const characters = Array.from(text)
  const nonGsm = characters.filter((one) => !BASIC.has(one) && !EXTENDED.has(one))
  if (nonGsm.length === 0) return { count: countGsm(characters), costly: [] }
  const count = countSegments(
    characters.map(({ length }) => length),
    70,
    67,
  )
  const isCostly = countGsm(characters.filter((one) => !nonGsm.includes(one))) < count
  return { count, costly: isCostly ? [...new Set(nonGsm)] : [] }
}

/** Words after which a text needs no hint. */
const STOP_WORD = /\b(?:STOP|ALTO|BAJA|PARAR)\b/

/** Maximum characters of a text. */
const MAX_LENGTH = 1_600

/**
 * Appends the hint to the first text to a number, like the server (src/messaging/outbox/stop_hint.ts).
 * @param {string} body
 * @param {{ hint: string, company: string }} preview
 */
export function withStopHint(body, { hint, company }) {
  const withHint = `${body}\n${hint}`
  return STOP_WORD.test(body.replaceAll(company, '')) || withHint.length > MAX_LENGTH ? body : withHint
}

/** @param {string[]} characters */
const countGsm = (characters) =>
  countSegments(
    characters.map((one) => (EXTENDED.has(one) ? 2 : 1)),
    160,
    153,
  )

/**
 * Fills one part after the other; what takes two units is never torn.
 * @param {number[]} sizes
 * @param {number} singleLimit
 * @param {number} segmentLimit
 */
function countSegments(sizes, singleLimit, segmentLimit) {
  if (sizes.reduce((sum, size) => sum + size, 0) <= singleLimit) return 1
  let [count, used] = [1, 0]
  for (const size of sizes) {
    used += size
    if (used > segmentLimit) [count, used] = [count + 1, size]
  }
  return count
}
