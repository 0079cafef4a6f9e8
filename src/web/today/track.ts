import { html, when, type Html } from '../../platform/html/html.ts'
import { hourName } from '../../records/format/formats.ts'

/** Axis of a day's line: its first and last minute since midnight, the current minute, and the hour labels. */
export type DayAxis = {
  first: number
  last: number
  now: number
  hours: readonly string[]
  toMinute(at: string): number
}

type Visit = { status: string; all_day: boolean; scheduled_start?: string; scheduled_end?: string }

/** First and last hour of the axis unless a visit is outside, and maximum number of hour labels. */
const [FIRST_HOUR, LAST_HOUR, MAX_LABELS] = [8, 17, 6]

const [DAY, HEIGHT] = [1440, 20]

/** Returns the axis that covers all visits of a day, in a time zone. */
export function axisOf(
  visits: readonly Visit[],
  today: Temporal.PlainDate,
  zone: string,
  now: Temporal.Instant,
): DayAxis {
  const midnight = today.toZonedDateTime(zone).epochMilliseconds
  const clockMinute = (ms: number): number => {
    const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    const days = today.until(at.toPlainDate()).days
    return days < 0 || ms < midnight ? 0 : days > 0 ? DAY : at.hour * 60 + at.minute
  }
  const toMinute = (at: string): number => clockMinute(Date.parse(at))
  const minutes = visits
    .filter(({ all_day }) => !all_day)
    .flatMap(({ scheduled_start, scheduled_end }) => [scheduled_start, scheduled_end])
    .flatMap((at) => (at === undefined ? [] : [toMinute(at)]))
  const first = Math.floor(Math.min(FIRST_HOUR * 60, ...minutes) / 60)
  const last = Math.ceil(Math.max(LAST_HOUR * 60, ...minutes) / 60)
  const step = Math.ceil((last - first) / (MAX_LABELS - 1))
  const count = Math.ceil((last - first) / step)
  return {
    first: first * 60,
    last: (first + count * step) * 60,
    now: clockMinute(now.epochMilliseconds),
    hours: Array.from({ length: count + 1 }, (_, i) => hourName(first + i * step)),
    toMinute,
  }
}

/** Renders a technician's visits on the day's line; the list below repeats them as text. */
export function trackSvg(
  axis: DayAxis,
  visits: readonly (Visit & { title: string; late: number | undefined })[],
): Html {
  const width = axis.last - axis.first
  const isNowVisible = axis.now >= axis.first && axis.now <= axis.last
  return html`<svg class="day-track" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <rect class="base" width="${width}" height="${HEIGHT}"/>${visits.map((visit) => barHtml(axis, visit))}${when(
        isNowVisible,
        () => html`<path d="M${axis.now - axis.first} 0V${HEIGHT}"/>`,
      )}</svg>`
}

function barHtml(
  { first, toMinute }: DayAxis,
  { title, status, late, all_day, scheduled_start, scheduled_end }: Visit & { title: string; late: number | undefined },
): Html | '' {
  if (all_day || scheduled_start === undefined || scheduled_end === undefined) return ''
  const [from, to] = [toMinute(scheduled_start), toMinute(scheduled_end)]
  return html`<rect class="${status}${late === undefined ? '' : ' late'}" x="${from - first}"
        width="${Math.max(10, to - from - 3)}" height="${HEIGHT}"><title>${title}</title></rect>`
}
