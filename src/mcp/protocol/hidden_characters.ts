/**
 * Matches characters that a person doesn't see and a model reads: controls, zero-width ones, marks of direction, tags,
 * and selectors of variants, except the one that makes a sign an emoji.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic})\uFE0F|[[\p{Cf}\p{Default_Ignorable_Code_Point}\u007F-\u009F\u2028\u2029\u2800]--\uFE0F]/gv
const CONTROLS = /[\p{Cc}--[\t\n]]/gv

/** Returns JSON of a value with its hidden characters as escapes, which mean the same and can be seen. */
export function visibleJson(value: unknown, space?: number): string {
  // Without further arguments JSON.stringify takes the engine's short way.
  const json = space === undefined ? JSON.stringify(value) : JSON.stringify(value, null, space)
  return isPlain(json) ? json : json.replace(HIDDEN, escapeCharacter)
}

/** Checks for ASCII without DEL, in which nothing hides; JSON has no other controls than line feeds. */
const isPlain = (json: string): boolean => Buffer.byteLength(json) === json.length && !json.includes('\u007F')

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
