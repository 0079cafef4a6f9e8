import { max, sum } from 'd3-array'
import { say } from '../../i18n/say.ts'
import { html, when, type Html } from '../html.ts'
import { heightOf, type ValueScale } from './scale.ts'

/** Column of a chart: a span of time, or a name. */
type ChartPoint = {
  label: string
  /** Shorter text for the axis. */
  short?: string
  /** One value for each series; null where it has none. */
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
  /** Adds up the columns in the table's foot. False for series of different periods or units. */
  hasTotal?: boolean
}

/** Characters that fit below a chart, on a desk and on a phone, with the room between labels. */
const [WIDTH_IN_CHARS, PHONE_WIDTH_IN_CHARS, GAP_IN_CHARS] = [76, 40, 2]

/**
 * Draws the frame of a chart: legend, axis, a text for each column that hover and keyboard show, and a table of the
 * same. The shapes stretch with the page; all text is HTML, so that it keeps its size.
 */
export const chartFigure = (chart: Chart, scale: ValueScale, shapes: Html): Html => html`
<figure class="chart">
  <figcaption class="unseen">${chart.title}</figcaption>${legend(chart)}
  <div class="chart-plot">
    <ol class="chart-ticks" aria-hidden="true">${scale.ticks
      .toReversed()
      .map((tick) => html`<li>${chart.formatTick(tick)}</li>`)}</ol>
    <svg viewBox="0 0 ${scale.width} ${scale.height}" preserveAspectRatio="none" aria-hidden="true">${scale.ticks.map(
      (tick) => html`<path class="grid${tick === 0 ? ' zero' : ''}" d="M0 ${heightOf(scale, tick)}H${scale.width}"/>`,
    )}${shapes}</svg>
    <ol class="chart-points">${chart.points.map((point, i) => columnHtml(chart, point, i))}</ol>
  </div>
  ${chartTable(chart)}
</figure>`

const legend = ({ series }: Chart): Html | '' =>
  when(
    series.length > 1,
    () => html`
  <ul class="chart-legend">${series.map((name, i) => html`<li class="c${i + 1}">${name}</li>`)}</ul>`,
  )

function columnHtml(chart: Chart, point: ChartPoint, i: number): Html {
  const count = chart.points.length
  const longest = max(chart.points, ({ label, short = label }) => short.length) ?? 1
  const text = html`<span class="chart-tip"><b>${point.label}</b>${chart.series.map(
    (name, s) =>
      html`<span>${when(chart.series.length > 1, () => html`${name}: `)}${valueText(chart, point.values[s])}</span>`,
  )}</span><span class="${labelClass(count, i, longest)}" aria-hidden="true">${point.short ?? point.label}</span>`
  return html`<li${when(i >= count / 2, () => html` class="late"`)}>${
    point.href === undefined
      ? html`<span class="chart-point" tabindex="0">${text}</span>`
      : html`<a class="chart-point" href="${point.href}">${text}</a>`
  }</li>`
}

/** Returns the classes of a label below a column: the last has one always, and every so many before it. */
function labelClass(count: number, i: number, longest: number): string {
  const isShown = (chars: number): boolean =>
    (count - 1 - i) % Math.ceil(count / Math.max(1, Math.floor(chars / (longest + GAP_IN_CHARS)))) === 0
  return ['chart-label', isShown(WIDTH_IN_CHARS) ? '' : 'off', isShown(PHONE_WIDTH_IN_CHARS) ? '' : 'off-phone']
    .filter((name) => name !== '')
    .join(' ')
}

/** Draws the numbers of a chart as a table, folded on the screen and open on paper. */
function chartTable(chart: Chart): Html {
  const { title, head, series, points, format, hasTotal = false } = chart
  return html`
  <details class="chart-table"><summary>${say`Table`}</summary>
  <div role="region" aria-label="${title}" tabindex="0"><table>
    <caption class="unseen">${title}</caption>
    <thead><tr><th scope="col">${head}</th>${series.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${points.map(
      ({ label, values }) => html`
      <tr><th scope="row">${label}</th>${series.map((_, s) => html`<td>${valueText(chart, values[s])}</td>`)}</tr>`,
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
