import type { Coordinates } from '../places/coordinates.ts'

const EARTH_KM = 6371
/** Ratio of the road's length to the straight line. */
const DETOUR_FACTOR = 1.35
/** Segments of a drive by road: the first in town, the last on the highway. */
const ROAD_SEGMENTS: readonly { upToKm: number; kmPerHour: number }[] = [
  { upToKm: 5, kmPerHour: 28 },
  { upToKm: 30, kmPerHour: 55 },
  { upToKm: Infinity, kmPerHour: 90 },
]

/**
 * Returns the minutes of a drive, estimated from the straight line. It is the same both ways, never shorter for a
 * longer line, and no detour is shorter than the direct route.
 */
export function estimateMinutes(from: Coordinates, to: Coordinates): number {
  const road = DETOUR_FACTOR * kilometers(from, to)
  let [minutes, start] = [0, 0]
  for (const { upToKm, kmPerHour } of ROAD_SEGMENTS) {
    minutes += (60 * Math.max(0, Math.min(road, upToKm) - start)) / kmPerHour
    start = upToKm
  }
  return Math.max(0, Math.ceil(minutes - 1e-9))
}

/** Returns the great-circle distance between two places (haversine). */
export function kilometers(from: Coordinates, to: Coordinates): number {
  const radians = Math.PI / 180
  const height = Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2
  const width = Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2
  const share = height + Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * width
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, share)))
}
