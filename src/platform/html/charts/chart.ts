import { max, sum } from 'd3-array'
import { say } from '../../i18n/say.ts'
import { html, when, type Html } from '../html.ts'
import { heightOf, type ValueScale } from './scale.ts'

/** Column of a chart: a span of time, or a name. */
type ChartPoint = {
  label: string
  /** Shorter text for the axis. */
  short?: string
  /** One value per series; null if it has none. */
  values: readonly (number | null)[]
  /** Page with the records that the values come from. */
  href?: string
}

export type Chart = {
  title: string
  /** Heading of the table's first column. */
  head: string
  /** Names of the series, four at most. */
  series: readonly string[]
  points: readonly ChartPoint[]
  format(value: number): string
  /** Shorter form of a value for the axis. */
  formatTick(value: number): string
  /** Whether the table's footer has totals. False for series of different periods or units. */
  hasTotal?: boolean
}

/** Characters that fit below a chart on a desktop and on a phone, and the gap between labels. */
const [WIDTH_IN_CHARS, PHONE_WIDTH_IN_CHARS, GAP_IN_CHARS] = [76, 40, 2]

/**
 * Draws the frame of a chart: legend, axis, a tooltip per column for hover and keyboard, and a table of the values. The
 * shapes stretch with the page; all text is HTML, so that it keeps its size.
 */
export function chartFigure(chart: Chart, scale: ValueScale, shapes: Html): Html {
  const columns = chart.points.map((point) => ({
    ...point,
    texts: chart.series.map((_, s) => valueText(chart, point.values[s])),
  }))
  const longest = max(columns, ({ label, short = label }) => short.length) ?? 1
  return html`
<figure class="chart">
  <figcaption class="unseen">${chart.title}</figcaption>${legend(chart)}
  <div class="chart-plot">
    <ol class="chart-ticks" aria-hidden="true">${scale.ticks
      .toReversed()
      .map((tick) => html`<li>${chart.formatTick(tick)}</li>`)}</ol>
    <svg viewBox="0 0 ${scale.width} ${scale.height}" preserveAspectRatio="none" aria-hidden="true">${scale.ticks.map(
      (tick) => html`<path class="grid${tick === 0 ? ' zero' : ''}" d="M0 ${heightOf(scale, tick)}H${scale.width}"/>`,
    )}${shapes}</svg>
    <ol class="chart-points">${columns.map((column, i) => columnHtml(chart, column, longest, i))}</ol>
  </div>
  ${chartTable(chart, columns)}
</figure>`
}

/** Column with its formatted values, for its tooltip and its row in the table. */
type Column = ChartPoint & { texts: readonly string[] }

const legend = ({ series }: Chart): Html | '' =>
  when(
    series.length > 1,
    () => html`
  <ul class="chart-legend">${series.map((name, i) => html`<li class="c${i + 1}">${name}</li>`)}</ul>`,
  )

function columnHtml(
  { series, points }: Chart,
  { label, short = label, href, texts }: Column,
  longest: number,
  i: number,
): Html {
  const count = points.length
  const text = html`<span class="chart-tip"><b>${label}</b>${texts.map(
    (value, s) => html`<span>${when(series.length > 1, () => html`${series[s] ?? ''}: `)}${value}</span>`,
  )}</span><span class="${labelClass(count, i, longest)}" aria-hidden="true">${short}</span>`
  return html`<li${when(i >= count / 2, () => html` class="late"`)}>${
    href === undefined
      ? html`<span class="chart-point" tabindex="0">${text}</span>`
      : html`<a class="chart-point" href="${href}">${text}</a>`
  }</li>`
}

/** Returns the CSS classes of a column's label: the last column always shows one, and every nth before it. */
function labelClass(count: number, i: number, longest: number): string {
  const isShown = (chars: number): boolean =>
    (count - 1 - i) % Math.ceil(count / Math.max(1, Math.floor(chars / (longest + GAP_IN_CHARS)))) === 0
  return ['chart-label', isShown(WIDTH_IN_CHARS) ? '' : 'off', isShown(PHONE_WIDTH_IN_CHARS) ? '' : 'off-phone']
    .filter((name) => name !== '')
    .join(' ')
}

/** Draws the values of a chart as a table, collapsed on the screen and open in print. */
function chartTable(
  { title, head, series, points, format, hasTotal = false }: Chart,
  columns: readonly Column[],
): Html {
  return html`
  <details class="chart-table"><summary>${say`Table`}</summary>
  <div role="region" aria-label="${title}" tabindex="0"><table>
    <caption class="unseen">${title}</caption>
    <thead><tr><th scope="col">${head}</th>${series.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${columns.map(
      ({ label, texts }) => html`
      <tr><th scope="row">${label}</th>${texts.map((text) => html`<td>${text}</td>`)}</tr>`,
    )}</tbody>${when(
      hasTotal,
      () => html`
    <tfoot><tr><th scope="row">${say`Total`}</th>${series.map(
      (_, s) => html`<td>${format(sum(points, ({ values }) => values[s]))}</td>`,
    )}</tr></tfoot>`,
    )}
  </table></div></details>`
}

const valueText = ({ format }: Chart, value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : format(value)
