import { z } from 'zod'
import type { RefusalDetail } from '../errors/refusal_text.ts'
import { refuse, ruleText } from '../errors/rule_text.ts'
import { isId } from './id.ts'
import { isRecord } from './is_record.ts'
import { refusals } from './refusals.ts'
import { HAS_OFFSET } from './formats/instants.ts'
import { lengthOf, normalizeText, nonEmptyText, text } from './text/text.ts'

/** Checks a record's ID and lower-cases it. */
export const id = () =>
  z
    .string()
    .refine((text) => isId(normalizeId(text)), ruleText(refusals.id()))
    .overwrite((text) => normalizeId(text))

function normalizeId(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > ID_LENGTH ? trimmed : trimmed.toLowerCase()
}

const ID_LENGTH = 36

export const flag = () => z.boolean()

/** Checks a whole number within bounds. `refusal` is for values that people type differently, such as an amount. */
export function wholeNumber(min: number, max: number, refusal: typeof refusals.wholeNumber = refusals.wholeNumber) {
  const rule = ruleText(refusal({ min: String(min), max: String(max) }))
  return z
    .number({ error: rule })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, rule)
    .meta({ type: 'integer' })
}

/** Checks one of a few names. */
export const choice = <const Names extends readonly [string, ...string[]]>(...names: Names) => z.enum(names)

/** Checks one of a few names. Names that aren't `open` are refused with `rule`, the reason they can't be set. */
export const settableChoice = <const Names extends readonly [string, ...string[]]>(
  names: Names,
  open: readonly Names[number][],
  rule: string,
) =>
  z
    .enum(names, { error: ruleText(refusals.oneOf({ names: open.join(', ') })) })
    .refine((name) => open.includes(name), rule)
    .meta({ enum: open })

/** Checks one name or several. */
export const choices = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  choicesWithHints(names, {})

/** Checks one name or several. `hints` has the hints for other names. */
export const choicesWithHints = <const Names extends readonly [string, ...string[]]>(
  names: Names,
  hints: Readonly<Record<string, string>>,
) =>
  z.preprocess(
    (input) => (Array.isArray(input) || input == null ? input : [input]),
    z
      .array(z.enum(names, { error: ({ input }) => hintFor(hints, input, names) }))
      .min(1)
      .max(names.length),
  )

const hintFor = (hints: Readonly<Record<string, string>>, input: unknown, names: readonly string[]) =>
  typeof input === 'string' && Object.hasOwn(hints, input)
    ? `must be one of ${names.join(', ')}; ${hints[input]}`
    : undefined

/**
 * Makes a field optional: null clears it, and so does a blank, for clients whose schemas have no null
 * (docs/spec/records.md#clearing).
 */
export const optional = <Field extends z.ZodType>(field: Field) =>
  z
    .preprocess((input) => (typeof input === 'string' && input.trim() === '' ? null : input), field.nullable())
    .optional()

/** Makes an object optional: null clears it, and so does an empty one. */
export const optionalObject = <Field extends z.ZodType>(field: Field) =>
  z.preprocess((input) => (isEmptyObject(input) ? null : input), field.nullable()).optional()

const isEmptyObject = (input: unknown): boolean => isRecord(input) && Object.keys(input).length === 0

const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?$/

const isDate = (text: string): boolean =>
  DATE.test(text) && isYearInRange(text) && isReadable(() => Temporal.PlainDate.from(text, { overflow: 'reject' }))

/** Checks whether a text is an RFC 3339 instant, with or without an offset. */
export const isInstant = (text: string): boolean =>
  INSTANT.test(text) &&
  isYearInRange(text) &&
  isReadable(() =>
    HAS_OFFSET.test(text) ? Temporal.Instant.from(text) : Temporal.PlainDateTime.from(text, { overflow: 'reject' }),
  )

/** Checks whether the year has four digits in UTC too, in any zone. */
const isYearInRange = (text: string): boolean => text >= '0002' && text < '9999'

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** Checks a calendar date, `YYYY-MM-DD`. */
export const date = () => z.string().refine(isDate, ruleText(refusals.date())).meta({ format: 'date' })

/**
 * Checks an RFC 3339 instant. Without an offset, which no JSON Schema format allows, it is local time in the tenant's
 * zone.
 */
export const instant = () => z.string().refine(isInstant, ruleText(refusals.instant()))

/** Checks a bound of a filter: a local day or an instant. */
export const dateOrInstant = () =>
  z.string().refine((text) => isDate(text) || isInstant(text), ruleText(refusals.dateOrInstant()))

/** Checks a color, `#RRGGBB`, and upper-cases it. */
export const color = () =>
  z
    .string()
    .overwrite((text) => text.trim())
    .refine((text) => /^#[0-9A-Fa-f]{6}$/.test(text), { error: ruleText(refusals.color()), abort: true })
    .overwrite((text) => text.toUpperCase())

/** Checks an ISO 3166-1 alpha-2 country code and upper-cases it. */
export const country = () =>
  z
    .string()
    .overwrite((text) => text.trim())
    .refine((text) => text.length === 2 && COUNTRIES.has(text.toUpperCase()), {
      error: ruleText(refusals.country()),
      abort: true,
    })
    .overwrite((text) => text.toUpperCase())

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
/** Codes that CLDR names without a country: exceptional reservations and user-assigned ones. */
const NOT_COUNTRIES = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'XK',
  'ZZ',
])
/** Codes of all current countries. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => !NOT_COUNTRIES.has(code) && isCurrent(code)),
)

function isCurrent(code: string): boolean {
  return regions.of(code) !== undefined && new Intl.Locale('und', { region: code }).region === code
}

/** Checks an email address of 3 to 254 characters and lower-cases it. */
export const email = () =>
  z
    .string()
    .overwrite(normalizeAddress)
    .refine(
      (text) =>
        text.length <= 2 * MAX_ADDRESS &&
        lengthOf(text) <= MAX_ADDRESS &&
        text.isWellFormed() &&
        /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text),
      ruleText(refusals.email()),
    )

const MAX_ADDRESS = 254

/** Returns an email address in its normal form; empty if it is too long or has none. */
function normalizeAddress(text: string): string {
  const read = normalizeText(text.trim(), MAX_ADDRESS)
  return 'text' in read ? read.text.toLowerCase() : ''
}

/** Checks a language tag and converts it to its canonical form (BCP 47). */
export const language = () =>
  z
    .string()
    .overwrite(canonical)
    .refine(
      (tag) => tag.length <= 35 && isReadable(() => Intl.getCanonicalLocales(tag)),
      ruleText(refusals.languageTag()),
    )

/** Maximum length of a language tag; the canonical form may be shorter. */
const MAX_TAG = 100

function canonical(tag: string): string {
  const trimmed = tag.trim()
  if (trimmed.length > MAX_TAG) return trimmed
  return isReadable(() => Intl.getCanonicalLocales(trimmed))
    ? (Intl.getCanonicalLocales(trimmed)[0] ?? trimmed)
    : trimmed
}

/** Checks a number of degrees with at most six decimals. */
export const degrees = (max: number) =>
  z
    .number()
    .refine((value) => Math.abs(value) <= max, ruleText(refusals.degrees({ max: String(max) })))
    .refine((value) => Number(value.toFixed(6)) === value, ruleText(refusals.sixDecimals()))

const customValue = z.union([text(500).unwrap(), z.number(), z.boolean()], { error: ruleText(refusals.customValue()) })

const MAX_FIELDS = 50

/**
 * Checks custom fields: at most 50, with unique names of 1 to 60 characters. Clients with closed object schemas send
 * them as a list of names and values.
 */
export const customFields = () =>
  z.preprocess(
    byName,
    z
      .record(nonEmptyText(60), customValue)
      .meta({ additionalProperties: { type: 'string' }, maxProperties: MAX_FIELDS }),
  )

type Pair = { name: string; value: unknown }

/** Returns the fields as an object. Refuses names that repeat or would be lost (docs/spec/records.md#custom-fields). */
function byName(input: unknown, problems: z.RefinementCtx): unknown {
  const pairs = Array.isArray(input)
    ? input
    : isRecord(input)
      ? Object.keys(input).map((name): Pair => ({ name, value: input[name] }))
      : undefined
  if (pairs === undefined) return input
  const reject = (detail: RefusalDetail): unknown => {
    const { error: message, params } = refuse(detail)
    problems.addIssue({ code: 'custom', message, params, input: input })
    return z.NEVER
  }
  if (pairs.length > MAX_FIELDS) return reject(refusals.tooManyFields({ max: MAX_FIELDS }))
  if (!pairs.every(isPair)) return reject(refusals.fieldList())
  const names = pairs.map(({ name }) => tidyName(name))
  const reserved = pairs.find(({ name }) => RESERVED.has(tidyName(name)))
  if (reserved !== undefined) return reject(refusals.reservedName({ name: tidyName(reserved.name) }))
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) return reject(refusals.sameName({ name: duplicate.slice(0, 60) }))
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** Names that every JavaScript object already has. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns a name in its stored form; an invalid one stays unchanged. */
function tidyName(name: string): string {
  const tidied = normalizeText(name.trim(), 60)
  return 'text' in tidied ? tidied.text : name
}

const isPair = (input: unknown): input is Pair =>
  isRecord(input) &&
  typeof input['name'] === 'string' &&
  Object.hasOwn(input, 'value') &&
  Object.keys(input).length === 2
