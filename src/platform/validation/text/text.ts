import { z } from 'zod'
import { ruleText } from '../../errors/rule_text.ts'
import { refusals } from '../refusals.ts'

// Control characters are those of category Cc. Long texts keep line feed and tab.
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u

/** Matches what changes the direction of the text around it: embeddings, overrides and isolates (UAX 9). */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}\u2800]/u

/** Matches marks, and the two halfwidth letters that become marks in a compatibility form. */
const MARKS = /[\p{M}\uFF9E\uFF9F]/gu
const CROWDED = /(?<![\p{M}\uFF9E\uFF9F])[\p{M}\uFF9E\uFF9F]{31}/u

/** Maximum UTF-16 units in which a code point of NFC is typed: a Greek vowel with three marks. */
const MAX_UNITS = 4

/** Describes a text in a normal form, or the rule that it breaks, to follow the field's name. */
export type NormalText = { text: string } | { rule: string }

/**
 * Returns a text of at most `most` code points in a normal form. What can't fit is refused before it is read, and so
 * are more than 30 marks in a row (UAX 15, stream-safe), for which the work would grow with the square.
 */
export function normalizeText(text: string, most: number, form: 'NFC' | 'NFKC' = 'NFC'): NormalText {
  if (!canFit(text, most)) return tooLong(most)
  if (CROWDED.test(text)) return { rule: ruleText(refusals.marksInARow()) }
  const read = text.normalize(form)
  return fits(read, most) ? { text: read } : tooLong(most)
}

/**
 * Returns the letters of a text without compatibility forms and marks; those are removed first, so that none waits to
 * be ordered.
 */
export const withoutMarks = (text: string): string => text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')

const canFit = (text: string, most: number): boolean => text.length <= MAX_UNITS * most
const tooLong = (most: number): { rule: string } => ({ rule: ruleText(refusals.tooLong({ max: String(most) })) })

/** Trims a text; one that shows nothing is empty. */
function tidy(text: string, most: number): NormalText {
  const tidied = normalizeText(text.trim(), most)
  return 'text' in tidied && !VISIBLE.test(tidied.text) ? { text: '' } : tidied
}

/** Trims what is searched for; a query that shows nothing is refused, since it would find everything. */
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

/** Checks a text by `read`; one that breaks its rule is checked no further. */
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

/** Checks an optional query; an empty one is none, and one that shows nothing is refused. */
export const searchText = (most: number) => line(most, tidyQuery).transform(emptyAsNull).nullable().optional()

/** Checks as `requiredText`, with line feeds and tabs. */
export const nonEmptyLongText = (most: number) => lines(most).refine(isNotEmpty, ruleText(refusals.empty()))

/** Checks as `text`, with line feeds and tabs. */
export const longText = (most: number) => lines(most).transform(emptyAsNull).nullable().optional()
