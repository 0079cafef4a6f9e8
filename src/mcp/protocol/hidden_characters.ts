/**
 * Characters that people don't see but models read: controls, zero-width characters, direction marks, tags, and
 * variation selectors, except the one that turns a character into an emoji.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic})\uFE0F|[[\p{Cf}\p{Default_Ignorable_Code_Point}\u007F-\u009F\u2028\u2029\u2800]--\uFE0F]/gv
const CONTROLS = /[\p{Cc}--[\t\n]]/gv

/** Returns a value as JSON, with hidden characters as escapes, which are visible and mean the same. */
export function visibleJson(value: unknown, space?: number): string {
  // Without further arguments, JSON.stringify takes the engine's fast path.
  const json = space === undefined ? JSON.stringify(value) : JSON.stringify(value, null, space)
  return isPlain(json) ? json : json.replace(HIDDEN, escapeCharacter)
}

/** Checks for ASCII without DEL, which hides nothing; JSON text has no controls other than line feeds. */
const isPlain = (json: string): boolean => Buffer.byteLength(json) === json.length && !json.includes('\u007F')

const escapeCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** Replaces the hidden characters of a text with their names, such as `[U+200B]`. */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, nameCharacter).replace(CONTROLS, nameCharacter)

const nameCharacter = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
