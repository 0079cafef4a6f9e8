import type { Arrow } from './modules.ts'

/**
 * Describes a box, or a bend without a name where an arrow passes a layer. `x` is its middle; a wide box fills its row, so
 * that nothing is drawn toward it.
 */
export type Spot = { name: string; row: number; width: number; x: number; isBend: boolean }

/** Describes an arrow with the spots it passes, from its start to its end. */
export type Way = { from: string; to: string; spots: readonly Spot[] }

export type Layout = { rows: readonly (readonly Spot[])[]; ways: readonly Way[] }

const GAP = 18
const BEND_WIDTH = 10

/**
 * Sets boxes in rows, with a bend for each row that an arrow passes: in the order with the fewest crossings and the shortest
 * arrows that swapping finds, each as near to its neighbors as the row allows. It is the same for the same input.
 */
export function layout(
  boxes: readonly { name: string; row: number; width: number }[],
  arrows: readonly Arrow[],
  [left, right]: readonly [number, number],
): Layout {
  const spots = new Map<string, Spot>(boxes.map((box) => [box.name, { ...box, x: 0, isBend: false }]))
  const rows: Spot[][] = []
  for (const spot of spots.values()) (rows[spot.row] ??= []).push(spot)
  const ways = arrows.map(({ from, to }) => wayOf(spots.get(from)!, spots.get(to)!, rows))
  for (const row of rows) spread(row, [left, right])
  order(rows, ways, [left, right])
  for (let i = 0; i < 200; i++) for (const row of rows) settle(row, ways, [left, right])
  return { rows, ways }
}

function wayOf(from: Spot, to: Spot, rows: readonly Spot[][]): Way {
  const bends: Spot[] = []
  for (let row = from.row + 1; row < to.row; row++) {
    const bend = { name: '', row, width: BEND_WIDTH, x: 0, isBend: true }
    bends.push(bend)
    rows[row]!.push(bend)
  }
  return { from: from.name, to: to.name, spots: [from, ...bends, to] }
}

/** Sets a row evenly between the margins. */
function spread(row: readonly Spot[], [left, right]: readonly [number, number]): void {
  const free = right - left - row.reduce((sum, { width }) => sum + width, 0)
  let x = left
  for (const spot of row) {
    x += free / (row.length + 1)
    spot.x = x + spot.width / 2
    x += spot.width
  }
}

/** Moves spots within their rows, and whole arrows to the ends of theirs, as long as it makes the drawing better. */
function order(rows: Spot[][], ways: readonly Way[], margins: readonly [number, number]): void {
  let best = costOf(rows, ways)
  const isBetterAfter = (move: () => void): boolean => {
    const before = rows.map((row) => [...row])
    move()
    for (const row of rows) spread(row, margins)
    const cost = costOf(rows, ways)
    if (cost < best - 1e-9) {
      best = cost
      return true
    }
    before.forEach((row, i) => {
      rows[i] = row
    })
    for (const row of rows) spread(row, margins)
    return false
  }
  const moves = (): (() => void)[] => [
    ...rows.flatMap((row, r) =>
      row.flatMap((spot) =>
        row.map((_, j) => () => {
          rows[r] = moveSpot(rows[r]!, spot, j)
        }),
      ),
    ),
    ...ways.flatMap(({ spots }) =>
      [0, Infinity].map((end) => () => {
        for (const bend of spots.slice(1, -1)) rows[bend.row] = moveSpot(rows[bend.row]!, bend, end)
      }),
    ),
  ]
  while (moves().filter(isBetterAfter).length > 0);
}

const moveSpot = (row: readonly Spot[], spot: Spot, to: number): Spot[] =>
  row.filter((one) => one !== spot).toSpliced(to, 0, spot)

/** Counts a crossing as 1,000, a box between two of a row that are joined as 3,000, and each unit of an arrow's width as 1. */
function costOf(rows: readonly (readonly Spot[])[], ways: readonly Way[]): number {
  const steps = ways.flatMap(({ spots }) => spots.slice(1).map((to, i) => ({ from: spots[i]!, to })))
  let cost = 0
  steps.forEach(({ from, to }, i) => {
    cost += Math.abs(from.x - to.x)
    if (from.row === to.row) cost += 3_000 * (Math.abs(rows[from.row]!.indexOf(from) - rows[to.row]!.indexOf(to)) - 1)
    for (const other of steps.slice(i + 1)) {
      if (from.row === to.row || other.from.row !== from.row || other.to.row !== to.row) continue
      if ((from.x - other.from.x) * (to.x - other.to.x) < 0) cost += 1_000
    }
  })
  return cost
}

/** Draws each spot of a row toward the middle of those it is joined to, bends above all to other bends, as far as the row lets it. */
function settle(row: readonly Spot[], ways: readonly Way[], [left, right]: readonly [number, number]): void {
  const xs = row.map((spot) => {
    const joined = ways
      .flatMap(({ spots }) => spots.flatMap((one, i) => (one === spot ? [spots[i - 1], spots[i + 1]] : [])))
      .filter((one) => one !== undefined && one.row !== spot.row) as Spot[]
    const weights = joined.map(({ isBend }) => (isBend && spot.isBend ? 6 : 1))
    const sum = weights.reduce((all, weight) => all + weight, 0)
    return sum === 0 ? spot.x : joined.reduce((all, { x }, i) => all + (x * weights[i]!) / sum, 0) / 2 + spot.x / 2
  })
  const apart = (i: number): number => (row[i]!.width + row[i + 1]!.width) / 2 + GAP
  for (let i = 1; i < xs.length; i++) {
    const overlap = xs[i - 1]! + apart(i - 1) - xs[i]!
    if (overlap <= 0) continue
    xs[i - 1]! -= overlap / 2
    xs[i]! += overlap / 2
  }
  for (let i = 0; i < xs.length; i++)
    xs[i] = Math.max(xs[i]!, i === 0 ? left + row[0]!.width / 2 : xs[i - 1]! + apart(i - 1))
  for (let i = xs.length - 1; i >= 0; i--)
    xs[i] = Math.min(xs[i]!, i === xs.length - 1 ? right - row[i]!.width / 2 : xs[i + 1]! - apart(i))
  row.forEach((spot, i) => {
    spot.x = xs[i]!
  })
}
