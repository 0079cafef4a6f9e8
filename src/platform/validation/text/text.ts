import { z } from 'zod'
import { ruleText } from '../../errors/rule_text.ts'
import { refusals } from '../refusals.ts'

// Control characters are those of category Cc. Long texts keep line feed and tab.
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u

/** Matches characters that change the direction of text: embeddings, overrides and isolates (UAX 9). */
const BIDI_CONTROL = /[\u202A-\u202E\u2066-\u2069]/
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}\u2800]/u

/** Matches combining marks, and the two halfwidth letters that become marks in a compatibility form. */
const MARKS = /[\p{M}\uFF9E\uFF9F]/gu
const TOO_MANY_MARKS = /(?<![\p{M}\uFF9E\uFF9F])[\p{M}\uFF9E\uFF9F]{31}/u

/** Maximum number of UTF-16 units that NFC composes to one code point: a Greek vowel with three marks. */
const MAX_UNITS = 4

/** Text in a normal form, or the rule that it breaks, worded to follow the field's name. */
export type NormalText = { text: string } | { rule: string }

/**
 * Returns a text of at most `max` code points in a normal form. A text that can't fit is refused before it is
 * normalized, and so are more than 30 marks in a row (UAX 15, stream-safe), which would take quadratic time.
 */
export function normalizeText(text: string, max: number, form: 'NFC' | 'NFKC' = 'NFC'): NormalText {
  if (!canFit(text, max)) return tooLong(max)
  if (TOO_MANY_MARKS.test(text)) return { rule: ruleText(refusals.marksInARow()) }
  const read = text.normalize(form)
  return fits(read, max) ? { text: read } : tooLong(max)
}

/**
 * Returns a text without marks and compatibility forms. Marks are removed first, so that normalization doesn't have to
 * sort them.
 */
export const withoutMarks = (text: string): string => text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')

const canFit = (text: string, max: number): boolean => text.length <= MAX_UNITS * max
const tooLong = (max: number): { rule: string } => ({ rule: ruleText(refusals.tooLong({ max: String(max) })) })

/** Trims and normalizes a text; one without a visible character becomes empty. */
function tidy(text: string, max: number): NormalText {
  const tidied = normalizeText(text.trim(), max)
  return 'text' in tidied && !VISIBLE.test(tidied.text) ? { text: '' } : tidied
}

/** Trims and normalizes a query. Refuses one without a visible character, since it would match everything. */
function tidyQuery(text: string, max: number): NormalText {
  const tidied = tidy(text, max)
  return 'text' in tidied && tidied.text === '' && text.trim() !== ''
    ? { rule: ruleText(refusals.invisible()) }
    : tidied
}

function tidyLines(text: string, max: number): NormalText {
  const trimmed = text.trim()
  return canFit(trimmed, max) ? normalizeText(trimmed.replace(/\r\n?/g, '\n'), max) : tooLong(max)
}

/** Counts Unicode code points (docs/spec/records.md#texts). */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

const fits = (text: string, max: number): boolean => text.length <= max || lengthOf(text) <= max

/** Checks a text with `read`; one that breaks its rule isn't checked further. */
const checkText = (max: number, read: (text: string, max: number) => NormalText) =>
  z
    .string()
    .meta({ maxLength: max })
    .check((payload) => {
      const tidied = read(payload.value, max)
      if ('text' in tidied) payload.value = tidied.text
      else payload.issues.push({ code: 'custom', message: tidied.rule, input: payload.value, continue: false })
    })
    .refine((text) => text.isWellFormed(), ruleText(refusals.notUnicode()))

const line = (max: number, read = tidy) =>
  checkText(max, read)
    .refine((text) => !CONTROL.test(text), ruleText(refusals.controlCharactersInLine()))
    .refine((text) => !BIDI_CONTROL.test(text), ruleText(refusals.turningCharacters()))

const lines = (max: number) =>
  checkText(max, tidyLines).refine((text) => !CONTROL_BUT_LINES.test(text), ruleText(refusals.controlCharacters()))

const isNotEmpty = (text: string): boolean => text !== ''
const emptyAsNull = (text: string): string | null => (text === '' ? null : text)

/** Checks a required text of one line, trimmed, in NFC, 1 to `max` code points. */
export const nonEmptyText = (max: number) => line(max).refine(isNotEmpty, ruleText(refusals.empty()))

/** Checks an optional text of one line; empty and null both clear it. */
export const text = (max: number) => line(max).transform(emptyAsNull).nullable().optional()

/** Checks an optional query: an empty one becomes null, and one without a visible character is refused. */
export const searchText = (max: number) => line(max, tidyQuery).transform(emptyAsNull).nullable().optional()

/** Checks like `nonEmptyText`, but allows line feeds and tabs. */
export const nonEmptyLongText = (max: number) => lines(max).refine(isNotEmpty, ruleText(refusals.empty()))

/** Checks like `text`, but allows line feeds and tabs. */
export const longText = (max: number) => lines(max).transform(emptyAsNull).nullable().optional()
