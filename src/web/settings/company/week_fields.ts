import { html, when, type Html } from '../../../platform/html/html.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { MAX_SPANS, WEEKDAYS, clockText, type SpanInput, type WorkWeek } from '../../../scheduling/week.ts'

/** Reads a day's time spans from a form. */
export const readDaySpans = (sent: URLSearchParams, name: string): SpanInput[] =>
  Array.from(
    { length: MAX_SPANS },
    (_, i) => [(sent.get(`${name}.${i}.from`) ?? '').trim(), (sent.get(`${name}.${i}.to`) ?? '').trim()] as const,
  )

/** Draws a week: each day's hours, plus a collapsed empty span. Typed values replace saved ones. */
export const weekFields = (week: WorkWeek, form: URLSearchParams | undefined): Html => html`
<div class="week-hours">${WEEKDAYS.map((name, i) => {
  const saved = week[i]!.map(({ from, to }): SpanInput => [clockText(from), clockText(to)])
  const spans = form === undefined ? saved : readDaySpans(form, name).filter(([from, to]) => from + to !== '')
  const count = Math.max(1, spans.length)
  const pair = (at: number): Html => spanFields({ name, day: dayName(i), at }, spans[at])
  return html`
  <fieldset class="day-hours"><legend>${dayName(i)}</legend>${Array.from({ length: count }, (_, at) => pair(at))}${when(
    count < MAX_SPANS,
    () => html`
    <details class="more-hours"><summary>${say`Add hours`}<span class="unseen"> ${dayName(
      i,
    )}</span></summary>${pair(count)}</details>`,
  )}
  </fieldset>`
})}
</div>`

type SpanPosition = { name: string; day: string; at: number }

const spanFields = ({ name, day, at }: SpanPosition, [from, to]: SpanInput = ['', '']): Html => html`
    <span class="span-hours"><input type="time" name="${name}.${at}.from" value="${from}"
      aria-label="${say`${day}, start ${at + 1}`}"><span aria-hidden="true">–</span><input type="time" name="${name}.${at}.to" value="${to}" aria-label="${say`${day}, end ${at + 1}`}"></span>`

/** Returns a weekday's name in the reader's language, counted from Monday. January 1, 2024 was a Monday. */
const dayName = (weekday: number): string =>
  new Date(Date.UTC(2024, 0, 1 + weekday)).toLocaleDateString(currentLocale(), { timeZone: 'UTC', weekday: 'long' })
