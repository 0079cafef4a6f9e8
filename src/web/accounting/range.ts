import type { DayRange } from '../../records/invoices/index.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'

/** Maximum years of a report. */
const MAX_YEARS = 10

/** Requested date range, or the problem with it and a default range instead. */
export type RequestedRange = DayRange & { problem?: string }

/** Reads a date range from a URL, in the company's time zone. Returns the preset if the URL has none. */
export function readRange(
  query: URLSearchParams,
  zone: string,
  preset: 'this_year' | 'this_month' = 'this_year',
): RequestedRange {
  const defaultRange = presetsOf(zone).find(({ name }) => name === preset)!
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (from === '' && to === '') return { from: defaultRange.from, to: defaultRange.to }
  const [first, last] = [parseDay(from, 1000, 2999), parseDay(to, 1000, 2999)]
  if (first === undefined || last === undefined)
    return { ...defaultRange, problem: say`Choose a first and a last day.` }
  if (Temporal.PlainDate.compare(first, last) > 0)
    return { ...defaultRange, problem: say`The last day must not be before the first.` }
  if (first.add({ years: MAX_YEARS }).since(last).sign <= 0)
    return { ...defaultRange, problem: say`Choose at most ten years.` }
  return { from: first.toString(), to: last.toString() }
}

type Preset = DayRange & { name: string; label: string }

/** Returns the common date ranges around today. */
function presetsOf(zone: string): Preset[] {
  const today = todayIn(zone)
  const month = today.with({ day: 1 })
  const quarter = month.subtract({ months: (month.month - 1) % 3 })
  const year = month.with({ month: 1 })
  const span = (name: string, label: string, from: Temporal.PlainDate, months: number): Preset => ({
    name,
    label,
    from: from.toString(),
    to: from.add({ months }).subtract({ days: 1 }).toString(),
  })
  return [
    span('this_month', say`This month`, month, 1),
    span('last_month', say`Last month`, month.subtract({ months: 1 }), 1),
    span('this_quarter', say`This quarter`, quarter, 3),
    span('this_year', say`This year`, year, 12),
    span('last_year', say`Last year`, year.subtract({ years: 1 }), 12),
  ]
}

export const thisMonth = (zone: string): DayRange => presetsOf(zone)[0]!

/** Options of the date picker: query parameters to keep, further form fields, and the problem with the range. */
type RangeOptions = { params?: Record<string, string>; fields?: Html; isOpen?: boolean; problem?: string | undefined }

/** Draws the date picker: common ranges as links, and a form for others, which is collapsed while it isn't needed. */
export function rangeHtml(
  path: string,
  { from, to }: DayRange,
  zone: string,
  { params = {}, fields, isOpen = false, problem }: RangeOptions = {},
): Html {
  const presets = presetsOf(zone)
  const isCurrent = (preset: Preset): boolean => preset.from === from && preset.to === to
  const open = isOpen || !presets.some(isCurrent)
  return html`
<div class="range">
<nav class="views" aria-label="${say`Dates`}">${presets.map(
    (preset) => html`
  <a class="button quiet"
    href="${addressOf(path, preset, params)}"${when(
      isCurrent(preset),
      () => html` aria-current="true"`,
    )}>${preset.label}</a>`,
  )}
</nav>
<details${when(open, () => html` open`)}><summary class="button quiet">${
    fields === undefined ? say`Other dates` : say`Filter`
  }</summary>
<form class="filters" method="get" action="${path}">${Object.entries(fields === undefined ? params : {}).map(
    ([name, value]) => hidden(name, value),
  )}
  ${field({ name: 'from', label: say`First day`, type: 'date', value: from })}
  ${field({ name: 'to', label: say`Last day`, type: 'date', value: to })}
  ${fields ?? ''}${button({ label: say`Show` })}
</form>
</details>
</div>${when(problem, (body) => notice({ kind: 'error', title: say`These dates can't be shown`, body }))}`
}

/** Returns the URL of a report for a date range. */
export const addressOf = (path: string, { from, to }: DayRange, more: Record<string, string> = {}): string =>
  `${path}?${new URLSearchParams({ ...more, from, to }).toString()}`
