import type { OfferedWindows } from '../../customer_portal/booking/windows.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { day, hours, time } from '../../records/format/formats.ts'

type PickerOptions = {
  zone: string
  /** Minutes of the arrival window; 0 for an exact time. */
  minutes: number
  /** Returns the path of times from a day on. */
  more: (day: string) => string
}

/** Renders windows by day, each as a submit button: one tap selects it and continues. */
export function windowPicker({ starts, next }: OfferedWindows, { zone, minutes, more }: PickerOptions): Html {
  const byDay = Map.groupBy(starts, (start) =>
    Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate().toString(),
  )
  return html`${when(
    starts.length === 0,
    () => html`
  <p class="empty">${say`No times are free on these days.`}</p>`,
  )}${[...byDay].map(
    ([date, dayStarts]) => html`
  <section class="booking-day"><h2>${day(date)}</h2>
    <div class="booking-windows">${dayStarts.map(
      (start) => html`
      <button class="button" name="start" value="${start}">${windowText(start, minutes, zone)}</button>`,
    )}
    </div>
  </section>`,
  )}${when(
    next,
    (next) => html`
  <p><a class="button quiet" href="${more(next.toString())}">${say`Later times`}</a></p>`,
  )}`
}

/** Formats an arrival time: a window, or an exact time. */
export const windowText = (start: string, minutes: number, zone: string): string =>
  minutes === 0 ? time(start, zone) : hours(start, Temporal.Instant.from(start).add({ minutes }).toString(), zone)
