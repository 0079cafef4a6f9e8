import { html, type Html } from '../../html/html.ts'
import { localeNow } from '../../language/reader.ts'
import { say } from '../../language/say.ts'
import { MAX_SPANS, WEEKDAYS, clockText, type TypedSpan, type WorkWeek } from '../../scheduling/week.ts'

/** Returns the pairs of times that a form has of a day. */
export const typedDay = (sent: URLSearchParams, name: string): TypedSpan[] =>
  Array.from(
    { length: MAX_SPANS },
    (_, i) => [(sent.get(`${name}.${i}.from`) ?? '').trim(), (sent.get(`${name}.${i}.to`) ?? '').trim()] as const,
  )

/** Draws a week: each day with its times and space for one more; what was typed stands over what is saved. */
export const weekFields = (week: WorkWeek, typed: URLSearchParams | undefined): Html => html`
<div class="week-hours">${WEEKDAYS.map((name, i) => {
  const saved = week[i]!.map(({ from, to }): TypedSpan => [clockText(from), clockText(to)])
  const spans = typed === undefined ? saved : typedDay(typed, name).filter(([from, to]) => from + to !== '')
  const shown = Math.min(MAX_SPANS, Math.max(2, spans.length + 1))
  return html`
  <fieldset class="day-hours"><legend>${dayName(i)}</legend>${Array.from({ length: shown }, (_, at) => {
    const [from = '', to = ''] = spans[at] ?? []
    return html`
    <span class="span-hours"><input type="time" name="${name}.${at}.from" value="${from}" aria-label="${say`${dayName(i)}, start ${at + 1}`}"><span aria-hidden="true">–</span><input type="time" name="${name}.${at}.to" value="${to}" aria-label="${say`${dayName(i)}, end ${at + 1}`}"></span>`
  })}
  </fieldset>`
})}
</div>`

/** Returns a weekday, counted from Monday, in the reader's language; the first week of 2024 began on a Monday. */
const dayName = (weekday: number): string =>
  new Date(Date.UTC(2024, 0, 1 + weekday)).toLocaleDateString(localeNow(), { timeZone: 'UTC', weekday: 'long' })
