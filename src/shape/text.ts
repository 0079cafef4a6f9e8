import { z } from 'zod'

// Control characters: category Cc. Long texts keep line feed and tab.
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u

const tidy = (text: string): string => text.trim().normalize('NFC')
const tidyLines = (text: string): string => tidy(text.replace(/\r\n?/g, '\n'))

/** Length in Unicode code points (records 1.0). */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

const fits = (text: string, most: number): boolean => text.length <= most || lengthOf(text) <= most

const line = (most: number) =>
  z.string().overwrite(tidy)
    .refine((text) => !CONTROL.test(text), 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine((text) => fits(text, most), `must be at most ${most} characters`)

const lines = (most: number) =>
  z.string().overwrite(tidyLines)
    .refine((text) => !CONTROL_BUT_LINES.test(text), 'must not contain control characters other than line feed and tab')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine((text) => fits(text, most), `must be at most ${most} characters`)

const filled = (text: string): boolean => text !== ''
const emptyAsNull = (text: string): string | null => (text === '' ? null : text)

/** A required text of one line, trimmed, in NFC, 1 to `most` code points. */
export const requiredText = (most: number) => line(most).refine(filled, 'must not be empty')

/** An optional text of one line; empty and null both clear it. */
export const text = (most: number) => line(most).transform(emptyAsNull).nullable().optional()

/** As `requiredText`, with line feeds and tabs. */
export const requiredLongText = (most: number) => lines(most).refine(filled, 'must not be empty')

/** As `text`, with line feeds and tabs. */
export const longText = (most: number) => lines(most).transform(emptyAsNull).nullable().optional()
