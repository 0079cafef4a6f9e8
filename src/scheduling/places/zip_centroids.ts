import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Coordinates } from './coordinates.ts'

/** Table units per degree (scripts/zip_centroids.ts). */
const SCALE = 10_000

/** Latitude and longitude by ZIP code, in ten-thousandths of a degree; loaded at the first lookup. */
let centroids: Map<number, readonly [latitude: number, longitude: number]> | undefined

/** Returns the center of a US ZIP code (Census, 2021), by its first five digits. */
export function zipCentroid(postalCode: string): Coordinates | undefined {
  const [, digits] = /^\s*(\d{5})(?:\s*-\s*\d{4})?\s*$/.exec(postalCode) ?? []
  if (digits === undefined) return undefined
  const point = (centroids ??= readCentroids()).get(Number(digits))
  return point && { latitude: point[0] / SCALE, longitude: point[1] / SCALE }
}

function readCentroids(): Map<number, readonly [number, number]> {
  const bytes = gunzipSync(readFileSync(new URL('zip_centroids.gz', import.meta.url)))
  const points = new Map<number, readonly [number, number]>()
  let position = 0
  const next = (): number => {
    let [value, factor] = [0, 1]
    for (let byte = 128; byte > 127; factor *= 128) {
      byte = bytes[position++] ?? 0
      value += (byte & 127) * factor
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
  for (let [zip, latitude, longitude] = [0, 0, 0]; position < bytes.length;) {
    zip += next()
    latitude += next()
    longitude += next()
    points.set(zip, [latitude, longitude])
  }
  return points
}
