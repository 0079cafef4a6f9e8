import { max } from 'd3-array'
import { html, when, type Html } from '../html.ts'

/** Bar with its name and its formatted value. `isRest` marks the sum of the rows that aren't shown. */
type ChartRow = { label: string; value: number; text: string; href?: string | undefined; isRest?: boolean }

/** Draws parts of a whole as horizontal bars, with room for long names. Negative values have no bar. */
export function rowChart(title: string, rows: readonly ChartRow[]): Html {
  const maxValue = Math.max(1, max(rows, ({ value }) => value) ?? 1)
  return html`
<dl class="chart-rows" aria-label="${title}">${rows.map(
    ({ label, value, text, href, isRest = false }) => html`
  <div><dt>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</dt><dd>${when(
    value > 0,
    () =>
      html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="c${isRest ? 4 : 1}"
        width="${Math.max(1, Math.round((value / maxValue) * 100))}" height="10"/></svg>`,
  )}<span>${text}</span></dd></div>`,
  )}
</dl>`
}
