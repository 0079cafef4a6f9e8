/** Matches control characters except line feed, bidi controls, unassigned characters, and line separators. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]|[\u2028\u2029]/gu

/** Replacement for a character missing from the fonts. */
const MISSING_GLYPH = '\u25a1'

/** Returns text that can be drawn, line ends kept: no invisible characters, and a box for a character no font has. */
export function toDrawableText(text: string, has: (codePoint: number) => boolean): string {
  const visible = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(INVISIBLE, '')
  let cleaned = ''
  for (const char of visible)
    cleaned += char === '\n' || has(char.codePointAt(0) ?? 0) ? char : isMark(char) ? '' : MISSING_GLYPH
  return cleaned
}

/** Checks whether a character only modifies the previous one: an accent, a skin tone, a variation selector. */
const isMark = (char: string): boolean => /[\p{M}\p{Emoji_Modifier}]/u.test(char)
