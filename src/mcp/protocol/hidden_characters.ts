/**
 * Matches characters that a person doesn't see and a model reads: controls, zero-width ones, marks of direction, tags,
 * and selectors of variants, except the one that makes a sign an emoji.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic})\uFE0F|[[\p{Cf}\p{Default_Ignorable_Code_Point}\u007F-\u009F\u2028\u2029\u2800]--\uFE0F]/gv
const CONTROLS = /[\p{Cc}--[\t\n]]/gv

/** Returns JSON of a value with its hidden characters as escapes, which mean the same and can be seen. */
export function visibleJson(value: unknown, space?: number): string {
  const json = JSON.stringify(value, null, space)
  return BEYOND_ASCII.test(json) ? json.replace(HIDDEN, escapeCharacter) : json
}

/** Matches what may hide: JSON has no controls of its own but line feeds, and most of it is plain ASCII. */
const BEYOND_ASCII = /[^\n -~]/

const escapeCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** Returns a text with its hidden characters named: `U+200B`. */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, nameCharacter).replace(CONTROLS, nameCharacter)

const nameCharacter = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
