import { stack, stackOffsetDiverging } from 'd3-shape'
import { html, type Html } from '../html.ts'
import { chartFigure, type Chart } from './chart.ts'
import { columnsOf, heightOf, round, valueScale, type ValueScale } from './scale.ts'

/** Draws vertical bars, with several series side by side. */
export function barChart(chart: Chart): Html {
  const scale = valueScale(chart.points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const columns = columnsOf(chart.points.length)
  const width = columns.width / chart.series.length
  const bars = chart.points.flatMap(({ values }, i) =>
    values.map((value, s) => barHtml(scale, s, { x: columns.startOf(i) + s * width, width, from: 0, to: value ?? 0 })),
  )
  return chartFigure(chart, scale, html`${bars}`)
}

/** Draws vertical bars, with several series stacked. */
export function stackChart(chart: Chart): Html {
  const columns = columnsOf(chart.points.length)
  const stacks = stack<Chart['points'][number], number>()
    .keys(chart.series.keys())
    .value(({ values }, s) => values[s] ?? 0)
    .offset(stackOffsetDiverging)([...chart.points])
  const scale = valueScale(stacks.flat(2))
  const bars = stacks.flatMap((layer, s) =>
    layer.map(([from, to], i) => barHtml(scale, s, { x: columns.startOf(i), width: columns.width, from, to })),
  )
  return chartFigure(chart, scale, html`${bars}`)
}

type Bar = { x: number; width: number; from: number; to: number }

function barHtml(scale: ValueScale, series: number, { x, width, from, to }: Bar): Html | '' {
  const [a, b] = [heightOf(scale, from), heightOf(scale, to)]
  return a === b
    ? ''
    : html`<rect class="c${series + 1}" x="${round(x)}" y="${Math.min(a, b)}"
        width="${round(width)}" height="${round(Math.abs(a - b))}"/>`
}
