import { extent } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'

/** Vertical scale of a chart, with the ticks of its axis. */
export type ValueScale = {
  width: number
  height: number
  /** Evenly spaced, from the lowest value to the highest. */
  ticks: readonly number[]
  toY(value: number): number
}

const [WIDTH, HEIGHT, TICKS] = [1000, 240, 4]

/** Share of a column that stays empty, and the maximum width of a column. */
const [PADDING, MAX_COLUMN] = [0.36, 110]

/** Returns a scale that includes all values and 0, with round numbers at its ends. */
export function valueScale(values: readonly number[]): ValueScale {
  const [low = 0, high = 0] = extent(values)
  const y = scaleLinear()
    .domain([Math.min(0, low), Math.max(0, high, low < 0 ? 0 : 1)])
    .nice(TICKS)
    .range([HEIGHT, 0])
  return { width: WIDTH, height: HEIGHT, ticks: y.ticks(TICKS), toY: y }
}

/** Returns a value's distance from the top, to a tenth. */
export const heightOf = ({ toY }: ValueScale, value: number): number => round(toY(value))

/** Columns of a chart: their positions and their width. */
type Columns = { startOf(i: number): number; middleOf(i: number): number; width: number }

/** Returns columns that share the width evenly, as the texts above them do. */
export function columnsOf(count: number): Columns {
  const x = scaleBand(
    Array.from({ length: count }, (_, i) => i),
    [0, WIDTH],
  )
    .paddingInner(PADDING)
    .paddingOuter(PADDING / 2)
  const width = Math.min(x.bandwidth(), MAX_COLUMN)
  const middleOf = (i: number): number => (x(i) ?? 0) + x.bandwidth() / 2
  return { startOf: (i) => round(middleOf(i) - width / 2), middleOf: (i) => round(middleOf(i)), width }
}

export const round = (value: number): number => Math.round(value * 10) / 10
