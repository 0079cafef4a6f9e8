/** A span of time; `to` is outside of it and after `from`. */
export type Interval = { from: number; to: number }

/** Where a span is drawn beside those it overlaps: in which of how many columns, and how many of them it fills. */
export type ColumnSpan = { column: number; columns: number; span: number }

/**
 * Puts overlapping spans side by side, in the order given. Those connected by overlaps make a cluster, which has as
 * many columns as overlap at once; one without a neighbor to its right fills the free columns.
 */
export function packIntervals(intervals: readonly Interval[]): ColumnSpan[] {
  const places = new Map<Interval, ColumnSpan>()
  const each = intervals.map(({ from, to }) => ({ from, to }))
  for (const cluster of clusters(each)) {
    const columns = columnsOf(cluster)
    columns.forEach((ones, column) =>
      ones.forEach((one) => places.set(one, { column, columns: columns.length, span: spanOf(one, column, columns) })),
    )
  }
  return each.map((one) => places.get(one)!)
}

/** Checks whether both are under way at some moment. */
export const overlap = (a: Interval, b: Interval): boolean => a.from < b.to && b.from < a.to

/** Sorts by start, the longer first. */
const inOrder = (intervals: readonly Interval[]): Interval[] =>
  [...intervals].sort((a, b) => a.from - b.from || b.to - a.to)

function clusters(intervals: readonly Interval[]): Interval[][] {
  const groups: Interval[][] = []
  let end = -Infinity
  for (const one of inOrder(intervals)) {
    if (one.from >= end) groups.push([])
    groups.at(-1)!.push(one)
    end = Math.max(end, one.to)
  }
  return groups
}

/** Puts each in the first column that is free when it starts. */
function columnsOf(cluster: readonly Interval[]): Interval[][] {
  const columns: Interval[][] = []
  for (const one of cluster) {
    const free = columns.find((ones) => ones.at(-1)!.to <= one.from)
    if (free === undefined) columns.push([one])
    else free.push(one)
  }
  return columns
}

function spanOf(one: Interval, column: number, columns: readonly Interval[][]): number {
  const next = columns.findIndex((ones, at) => at > column && ones.some((other) => overlap(one, other)))
  return (next < 0 ? columns.length : next) - column
}
