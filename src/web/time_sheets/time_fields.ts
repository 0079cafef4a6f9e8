import { field } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import { currentLocale } from '../../platform/i18n/reader.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { instantIn, utc, wallAt } from '../../platform/validation/formats/instants.ts'
import { refusals } from '../refusals.ts'

/** Converts an instant to the value of a datetime-local field, in a time zone. */
export const toDateTimeField = (instant: string, zone: string): string =>
  wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' })

/** Parses the value of a datetime-local field, in a time zone. */
export function parseDateTimeField(text: string, zone: string, name: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text))
    try {
      return utc(instantIn(zone, text))
    } catch {
      // Refused below, like malformed values.
    }
  throw invalidField(name, refusals.noDateTime({ text: text.slice(0, 30) }))
}

/** Renders the start and end fields of an entry. */
export const timeRangeFields = (started: string, ended: string): Html[] => [
  field({ name: 'started_at', label: say`Started`, type: 'datetime-local', value: started, isRequired: true }),
  field({ name: 'ended_at', label: sayFor('time')`Ended`, type: 'datetime-local', value: ended, isRequired: true }),
]

/** Formats seconds as hours and minutes: `7:30`. */
export function formatHours(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** Returns the heading of a day in a table: `Mon 2`. */
export const dayHeading = (day: Temporal.PlainDate): string =>
  new Date(`${day.toString()}T00:00:00Z`).toLocaleDateString(currentLocale(), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
  })
