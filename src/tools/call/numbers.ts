import { z } from 'zod'
import type { Db } from '../../platform/db/tenant.ts'
import { ruleText } from '../../platform/errors/rule_text.ts'
import { wholeNumber } from '../../platform/validation/fields.ts'
import type { NameLookup } from '../declare/finders.ts'
import { refusals } from './refusals.ts'

/** Highest number of a counter: PostgreSQL's largest integer. */
const MAX_NUMBER_VALUE = 2_147_483_647

/**
 * Returns the naming of records by display number, such as `J-1031`. `find` receives the numbers that the text can end
 * with, since a prefix may end with digits too, and the text in lower case.
 */
export const numberLookup = (
  pattern: RegExp,
  find: (db: Db, numbers: readonly number[], text: string) => Promise<{ id: string; said: string }[]>,
): NameLookup => ({
  fits: (text) => text.length <= MAX_NUMBER && pattern.test(text),
  isShared: false,
  find: (db, text) => find(db, numbersIn(text), text.toLowerCase()),
})

/** Length of the longest prefix with the longest number, plus a margin. */
const MAX_NUMBER = 40

/** Returns the schema for the number of a record in a list, or for its display number, such as `INV-1002`. */
export const numberInput = () =>
  z.union(
    [
      wholeNumber(1, MAX_NUMBER_VALUE),
      z.string().refine((text) => text.length <= MAX_NUMBER && /\D.*\d$/.test(text), NUMBER_RULE),
    ],
    { error: NUMBER_RULE },
  )

const NUMBER_RULE = ruleText(refusals.displayNumber({ max: String(MAX_NUMBER_VALUE) }))

/** Returns the numbers that a text can end with: 21002, 1002 and so on for `INV21002`. */
export function numbersIn(text: string): number[] {
  const digits = /\d+$/.exec(text)?.[0].slice(-10) ?? ''
  return Array.from(digits, (_, at) => Number(digits.slice(at))).filter(
    (number) => number > 0 && number <= MAX_NUMBER_VALUE,
  )
}
