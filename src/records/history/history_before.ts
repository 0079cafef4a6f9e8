import { say } from '../../platform/i18n/say.ts'
import type { Changes } from '../../tools/call/outcome.ts'
import type { Locale } from '../fields/form_field.ts'
import { moment, money, shortDay } from '../format/formats.ts'
import { wordFor } from '../page/states.ts'

/** Returns up to four short values before a change; empty text for a new record. */
export function previousValuesText(changed: Changes, locale: Locale): string {
  const texts = Object.entries(changed).flatMap(([name, [before]]) => {
    const text = before === null ? undefined : FORMATTERS[name]?.(before, locale)
    return text === undefined || text === '' ? [] : [text]
  })
  return texts.length === 0 ? '' : say`Before: ${[...new Set(texts)].slice(0, 4).join(', ')}`
}

const shortText = (value: unknown): string | undefined =>
  typeof value !== 'string' ? undefined : value.length > 60 ? `${value.slice(0, 59)}…` : value

const FORMATTERS: Readonly<Record<string, (before: unknown, locale: Locale) => string | undefined>> = {
  scheduled_start: (before, { timezone }) => (typeof before === 'string' ? moment(before, timezone) : undefined),
  status: (before) => wordFor(String(before)),
  priority: (before) => wordFor(String(before)),
  title: shortText,
  name: shortText,
  display_name: shortText,
  subject: shortText,
  body: shortText,
  formatted_address: shortText,
  phone: shortText,
  email: shortText,
  due_date: (before) => (typeof before === 'string' ? shortDay(before) : undefined),
  valid_until: (before) => (typeof before === 'string' ? shortDay(before) : undefined),
  unit_price_cents: (before, { currency }) => (typeof before === 'number' ? money(before, currency) : undefined),
  total_cents: (before, { currency }) => (typeof before === 'number' ? money(before, currency) : undefined),
  assignments: (before) =>
    (Array.isArray(before) ? (before as { name?: unknown }[]) : [])
      .map(({ name }) => name)
      .filter((name) => typeof name === 'string')
      .join(', '),
}
