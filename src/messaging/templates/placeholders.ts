import { invalidField } from '../../platform/errors/refusal.ts'
import { nearestName } from '../../platform/validation/text/nearest.ts'
import type { Placeholder } from './kinds.ts'
import { refusals } from './refusals.ts'

/** Values that replace the placeholders of a message. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>

const BRACED = /\{([a-z_]{1,40})\}/g
const MAX_USED = 40
const MAX_VALUE_LENGTH = 300

/**
 * Requires a valid template: only allowed placeholders, at most 40 of them, and no other braces
 * (docs/spec/sending.md#placeholders).
 */
export function requireFillable(text: string, allowed: readonly Placeholder[], field: string): void {
  const used = [...text.matchAll(BRACED)].map(([, name = '']) => name)
  if (used.length > MAX_USED)
    throw invalidField(field, refusals.tooManyPlaceholders({ max: MAX_USED, count: used.length }))
  const unknown = used.find((name) => !allowed.some((placeholder) => placeholder === name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, allowed)
    const placeholder = formatPlaceholder(unknown)
    throw invalidField(
      field,
      nearest === undefined
        ? refusals.unknownPlaceholder({ placeholder, known: allowed.map(formatPlaceholder).join(', ') })
        : refusals.similarPlaceholder({ placeholder, similar: formatPlaceholder(nearest) }),
    )
  }
  if (/[{}]/.test(text.replaceAll(BRACED, '')))
    throw invalidField(field, refusals.brace({ example: formatPlaceholder(allowed[0] ?? 'company') }))
}

/** Replaces placeholders in one pass; values are single lines without braces and are not expanded again. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(BRACED, (whole, name: string) =>
    Object.hasOwn(values, name) ? asLine(values[name as Placeholder] ?? '') : whole,
  )

export const hasPlaceholder = (text: string, name: Placeholder): boolean => text.includes(formatPlaceholder(name))

export const formatPlaceholder = (name: string): string => `{${name}}`

/** Returns a value as one line of bounded length that can't be mistaken for a placeholder. */
const asLine = (value: string): string =>
  value
    .slice(0, MAX_VALUE_LENGTH)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .trim()
