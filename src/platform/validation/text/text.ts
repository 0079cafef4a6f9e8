import { z } from 'zod'
import { ruleText } from '../../errors/rule_text.ts'
import { refusals } from '../refusals.ts'

// Control characters are those of category Cc. Long texts keep line feed and tab.
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u

/** Matches characters that change the direction of text: embeddings, overrides and isolates (UAX 9). */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}\u2800]/u

/** Matches combining marks, and the two halfwidth letters that become marks in a compatibility form. */
const MARKS = /[\p{M}\uFF9E\uFF9F]/gu
const CROWDED = /(?<![\p{M}\uFF9E\uFF9F])[\p{M}\uFF9E\uFF9F]{31}/u

/** Maximum number of UTF-16 units that NFC composes to one code point: a Greek vowel with three marks. */
const MAX_UNITS = 4

/** Text in a normal form, or the rule that it breaks, worded to follow the field's name. */
export type NormalText = { text: string } | { rule: string }

/**
 * Returns a text of at most `most` code points in a normal form. A text that can't fit is refused before it is
 * normalized, and so are more than 30 marks in a row (UAX 15, stream-safe), which would take quadratic time.
 */
export function normalizeText(text: string, most: number, form: 'NFC' | 'NFKC' = 'NFC'): NormalText {
  if (!canFit(text, most)) return tooLong(most)
  if (CROWDED.test(text)) return { rule: ruleText(refusals.marksInARow()) }
  const read = text.normalize(form)
  return fits(read, most) ? { text: read } : tooLong(most)
}

/**
 * Returns a text without marks and compatibility forms. Marks are removed first, so that normalization doesn't have to
 * sort them.
 */
export const withoutMarks = (text: string): string => text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')

const canFit = (text: string, most: number): boolean => text.length <= MAX_UNITS * most
const tooLong = (most: number): { rule: string } => ({ rule: ruleText(refusals.tooLong({ max: String(most) })) })

/** Trims and normalizes a text; one without a visible character becomes empty. */
function tidy(text: string, most: number): NormalText {
  const tidied = normalizeText(text.trim(), most)
  return 'text' in tidied && !VISIBLE.test(tidied.text) ? { text: '' } : tidied
}

/** Trims and normalizes a query. Refuses one without a visible character, since it would match everything. */
function tidyQuery(text: string, most: number): NormalText {
  const tidied = tidy(text, most)
  return 'text' in tidied && tidied.text === '' && text.trim() !== ''
    ? { rule: ruleText(refusals.invisible()) }
    : tidied
}

function tidyLines(text: string, most: number): NormalText {
  const whole = text.trim()
  return canFit(whole, most) ? normalizeText(whole.replace(/\r\n?/g, '\n'), most) : tooLong(most)
}

/** Counts Unicode code points (docs/spec/records.md#texts). */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

const fits = (text: string, most: number): boolean => text.length <= most || lengthOf(text) <= most

/** Checks a text with `read`; one that breaks its rule isn't checked further. */
const checkText = (most: number, read: (text: string, most: number) => NormalText) =>
  z
    .string()
    .meta({ maxLength: most })
    .check((payload) => {
      const tidied = read(payload.value, most)
      if ('text' in tidied) payload.value = tidied.text
      else payload.issues.push({ code: 'custom', message: tidied.rule, input: payload.value, continue: false })
    })
    .refine((text) => text.isWellFormed(), ruleText(refusals.notUnicode()))

const line = (most: number, read = tidy) =>
  checkText(most, read)
    .refine((text) => !CONTROL.test(text), ruleText(refusals.controlCharactersInLine()))
    .refine((text) => !TURNING.test(text), ruleText(refusals.turningCharacters()))

const lines = (most: number) =>
  checkText(most, tidyLines).refine((text) => !CONTROL_BUT_LINES.test(text), ruleText(refusals.controlCharacters()))

const isNotEmpty = (text: string): boolean => text !== ''
const emptyAsNull = (text: string): string | null => (text === '' ? null : text)

/** Checks a required text of one line, trimmed, in NFC, 1 to `most` code points. */
export const nonEmptyText = (most: number) => line(most).refine(isNotEmpty, ruleText(refusals.empty()))

/** Checks an optional text of one line; empty and null both clear it. */
export const text = (most: number) => line(most).transform(emptyAsNull).nullable().optional()

/** Checks an optional query: an empty one becomes null, and one without a visible character is refused. */
export const searchText = (most: number) => line(most, tidyQuery).transform(emptyAsNull).nullable().optional()

/** Checks like `nonEmptyText`, but allows line feeds and tabs. */
export const nonEmptyLongText = (most: number) => lines(most).refine(isNotEmpty, ruleText(refusals.empty()))

/** Checks like `text`, but allows line feeds and tabs. */
export const longText = (most: number) => lines(most).transform(emptyAsNull).nullable().optional()
