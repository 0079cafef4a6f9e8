import type { Coordinates } from '../../../scheduling/places/coordinates.ts'

/** Point of a drawing. y grows to the south. */
export type MapPoint = { x: number; y: number }

/** Size of a drawing, and the free margin around its places. */
export type MapFrame = { width: number; height: number; margin: number }

/** Kilometers per degree of latitude. */
const DEGREE_KM = 111.32
/** Minimum width and height of the area, in kilometers, so that two houses on one street don't fill it. */
const MIN_KM = 3

/** Projects places onto a drawing that fits them all, north up. Returns the points and the scales. */
export function projectPlaces(
  places: readonly Coordinates[],
  { width, height, margin }: MapFrame,
): { points: MapPoint[]; unitsPerKm: number; unitsPerDegree: MapPoint } {
  const [first] = places
  if (first === undefined) return { points: [], unitsPerKm: 1, unitsPerDegree: { x: 1, y: 1 } }
  const latitudes = places.map(({ latitude }) => latitude)
  const middle = (Math.min(...latitudes) + Math.max(...latitudes)) / 2
  const eastKm = DEGREE_KM * Math.max(0.01, Math.cos((middle * Math.PI) / 180))
  const flat = places.map(({ latitude, longitude }) => ({
    x: wrapDegrees(longitude - first.longitude) * eastKm,
    y: -latitude * DEGREE_KM,
  }))
  const [x, y] = [spanOf(flat.map((point) => point.x)), spanOf(flat.map((point) => point.y))]
  const unitsPerKm = Math.min(
    (width - 2 * margin) / Math.max(x.size, MIN_KM),
    (height - 2 * margin) / Math.max(y.size, MIN_KM),
  )
  return {
    points: flat.map((point) => ({
      x: width / 2 + (point.x - x.middle) * unitsPerKm,
      y: height / 2 + (point.y - y.middle) * unitsPerKm,
    })),
    unitsPerKm,
    unitsPerDegree: { x: eastKm * unitsPerKm, y: DEGREE_KM * unitsPerKm },
  }
}

/** Returns a longitude difference the short way around the globe. */
const wrapDegrees = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180

function spanOf(values: readonly number[]): { size: number; middle: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return { size: high - low, middle: (low + high) / 2 }
}

const MAX_ROUNDS = 120
/** Angle between successive pushes of points at the same place, so that they don't line up. */
const GOLDEN_ANGLE = 2.4

/** Moves points apart to a minimum distance, as far as there is space. Deterministic. */
export function spreadPoints(points: readonly MapPoint[], distance: number, frame: MapFrame): MapPoint[] {
  const moved = points.map((point) => ({ ...point }))
  for (let round = 0, isMoving = true; isMoving && round < MAX_ROUNDS; round++) {
    isMoving = false
    for (const [i, a] of moved.entries())
      for (let j = i + 1; j < moved.length; j++) {
        const b = moved[j] ?? a
        if (Math.abs(b.x - a.x) >= distance || Math.abs(b.y - a.y) >= distance) continue
        const gap = Math.hypot(b.x - a.x, b.y - a.y)
        if (gap >= distance) continue
        isMoving = true
        const angle = gap < 0.01 ? (j - 1) * GOLDEN_ANGLE : Math.atan2(b.y - a.y, b.x - a.x)
        const push = (distance - gap) / 2 + 0.1
        shift(a, -push, angle)
        shift(b, push, angle)
      }
    for (const point of moved) keepInside(point, frame)
  }
  return moved
}

function shift(point: MapPoint, distance: number, angle: number): void {
  point.x += distance * Math.cos(angle)
  point.y += distance * Math.sin(angle)
}

function keepInside(point: MapPoint, { width, height, margin }: MapFrame): void {
  const edge = margin / 2
  point.x = Math.min(Math.max(point.x, edge), width - edge)
  point.y = Math.min(Math.max(point.y, edge), height - edge)
}
