import { say } from '../../../platform/i18n/say.ts'
import { day, moment, time } from '../../format/formats.ts'
import { isAllDay, type Timing } from './timing.ts'

/** Formats an occurrence in the series' time zone: `Tue, Mar 2, 9:00 AM`, or the day alone. */
export const formatOccurrence = (instant: string, timing: Timing): string =>
  isAllDay(timing)
    ? day(Temporal.Instant.from(instant).toZonedDateTimeISO(timing.timezone).toPlainDate().toString())
    : moment(instant, timing.timezone)

/** Formats the start time of a series' visits: `9:00 AM`. */
export const formatStartTime = (timing: Timing): string =>
  isAllDay(timing) ? say`Any time of the day` : time(`${timing.dtstart.slice(0, 16)}Z`, 'UTC')
