import { line } from 'd3-shape'
import { html, type Html } from '../html.ts'
import { chartFigure, type Chart } from './chart.ts'
import { columnsOf, heightOf, valueScale } from './scale.ts'

/** Draws a line per series over the same columns, the first one on top, with gaps for missing values. */
export function lineChart(chart: Chart): Html {
  const scale = valueScale(chart.points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const columns = columnsOf(chart.points.length)
  const lines = chart.series.map((_, s) => {
    const toPath = line<Chart['points'][number]>()
      .defined(({ values }) => values[s] !== null)
      .x((_, i) => columns.middleOf(i))
      .y(({ values }) => heightOf(scale, values[s] ?? 0))
    return html`<path class="line c${s + 1}" d="${toPath([...chart.points]) ?? ''}"/>`
  })
  return chartFigure(chart, scale, html`${lines.toReversed()}`)
}
