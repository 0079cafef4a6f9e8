// @ts-check
// Places pins and routes as the drawing on the server does (src/web/schedule/map/projection.ts, map_svg.ts).

/** @typedef {{ x: number, y: number }} Point */

/** Distance of pins, in pixels. */
const MIN_DISTANCE = 34
const MAX_ROUNDS = 60
/** Angle between pins at the same place, so that they don't line up. */
const GOLDEN_ANGLE = 2.4
/** Share of a leg's length that it bends by, to its right. */
const BEND = 0.12

/** Moves points apart until none covers another; the same every time. @param {readonly Point[]} points */
export function spread(points) {
  const moved = points.map(({ x, y }) => ({ x, y }))
  for (let round = 0, isMoving = true; isMoving && round < MAX_ROUNDS; round++) {
    isMoving = false
    for (const [i, a] of moved.entries())
      for (const [j, b] of moved.slice(i + 1).entries()) {
        const distance = Math.hypot(b.x - a.x, b.y - a.y)
        if (distance >= MIN_DISTANCE) continue
        isMoving = true
        const angle = distance < 0.01 ? (i + j) * GOLDEN_ANGLE : Math.atan2(b.y - a.y, b.x - a.x)
        const push = (MIN_DISTANCE - distance) / 2 + 0.1
        a.x -= push * Math.cos(angle)
        a.y -= push * Math.sin(angle)
        b.x += push * Math.cos(angle)
        b.y += push * Math.sin(angle)
      }
  }
  return moved
}

/** Returns the bent line from a stop to the next, and where its arrow stands. @param {Point} from @param {Point} to */
export function legBetween(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const control = { x: (from.x + to.x) / 2 - dy * BEND, y: (from.y + to.y) / 2 + dx * BEND }
  const middle = { x: (from.x + to.x) / 4 + control.x / 2, y: (from.y + to.y) / 4 + control.y / 2 }
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI
  return {
    path: `M${from.x} ${from.y}Q${control.x} ${control.y} ${to.x} ${to.y}`,
    arrow: `translate(${middle.x} ${middle.y}) rotate(${angle})`,
  }
}
