import { field } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import { currentLocale } from '../../platform/i18n/reader.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { instantIn, utc, wallAt } from '../../platform/validation/formats/instants.ts'
import { refusals } from '../refusals.ts'

/** Returns an instant as a field of date and time takes it, on the clocks of a zone. */
export const toDateTimeField = (instant: string, zone: string): string =>
  wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' })

/** Reads what a field of date and time sends, on the clocks of a zone. */
export function parseDateTimeField(text: string, zone: string, name: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text))
    try {
      return utc(instantIn(zone, text))
    } catch {
      // It is refused below, with those that are no time at first sight.
    }
  throw invalidField(name, refusals.noDateTime({ text: text.slice(0, 30) }))
}

/** Draws the two ends of an entry. */
export const endsFields = (started: string, ended: string): Html[] => [
  field({ name: 'started_at', label: say`Started`, type: 'datetime-local', value: started, isRequired: true }),
  field({ name: 'ended_at', label: sayFor('time')`Ended`, type: 'datetime-local', value: ended, isRequired: true }),
]

/** Writes seconds as hours and minutes: `7:30`. */
export function formatHours(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** Returns the name of a day in a head of a table: `Mon 2`. */
export const dayHead = (day: Temporal.PlainDate): string =>
  new Date(`${day.toString()}T00:00:00Z`).toLocaleDateString(currentLocale(), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
  })
