/**
 * Matches controls but the line end, what turns the direction of text, what isn't assigned, and separators of lines.
 */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]|[\u2028\u2029]/gu

/** Replacement for a character that the fonts lack. */
const LACKING = '\u25a1'

/** Returns text as it can be drawn, line ends kept: nothing hidden in it, a box for what no font here has. */
export function toDrawableText(text: string, has: (codePoint: number) => boolean): string {
  const visible = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '')
  let cleaned = ''
  for (const char of visible)
    cleaned += char === '\n' || has(char.codePointAt(0) ?? 0) ? char : isMark(char) ? '' : LACKING
  return cleaned
}

/** Checks whether a character only modifies the one before it: an accent, a skin tone, a variation selector. */
const isMark = (char: string): boolean => /[\p{M}\p{Emoji_Modifier}]/u.test(char)
