/** Half-open interval. `to` is exclusive and greater than `from`. */
export type Interval = { from: number; to: number }

/** Horizontal position of an interval: its column, the number of columns, and how many it fills. */
export type ColumnSpan = { column: number; columns: number; span: number }

/**
 * Places overlapping intervals side by side, in the order given. Connected intervals form a cluster with as many
 * columns as overlap at once. An interval without a neighbor on its right fills the free columns.
 */
export function packIntervals(intervals: readonly Interval[]): ColumnSpan[] {
  const placements = new Map<Interval, ColumnSpan>()
  const copies = intervals.map(({ from, to }) => ({ from, to }))
  for (const cluster of clusters(copies)) {
    const columns = columnsOf(cluster)
    columns.forEach((items, column) =>
      items.forEach((one) =>
        placements.set(one, { column, columns: columns.length, span: spanOf(one, column, columns) }),
      ),
    )
  }
  return copies.map((one) => placements.get(one)!)
}

export const overlap = (a: Interval, b: Interval): boolean => a.from < b.to && b.from < a.to

/** Sorts by start, longer intervals first. */
const sortByStart = (intervals: readonly Interval[]): Interval[] =>
  [...intervals].sort((a, b) => a.from - b.from || b.to - a.to)

function clusters(intervals: readonly Interval[]): Interval[][] {
  const groups: Interval[][] = []
  let end = -Infinity
  for (const one of sortByStart(intervals)) {
    if (one.from >= end) groups.push([])
    groups.at(-1)!.push(one)
    end = Math.max(end, one.to)
  }
  return groups
}

/** Puts each interval into the first column that is free at its start. */
function columnsOf(cluster: readonly Interval[]): Interval[][] {
  const columns: Interval[][] = []
  for (const one of cluster) {
    const free = columns.find((items) => items.at(-1)!.to <= one.from)
    if (free === undefined) columns.push([one])
    else free.push(one)
  }
  return columns
}

function spanOf(one: Interval, column: number, columns: readonly Interval[][]): number {
  const next = columns.findIndex((items, at) => at > column && items.some((other) => overlap(one, other)))
  return (next < 0 ? columns.length : next) - column
}
