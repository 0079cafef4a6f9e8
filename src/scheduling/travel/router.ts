import { z } from 'zod'
import type { RouterConfig } from '../../platform/config/config.ts'
import { fetchJson } from '../places/fetch_json.ts'
import type { Coordinates } from '../places/coordinates.ts'

/** Minutes of driving between places, row by row; null without a road. */
export type DrivingMatrix = (number | null)[][]

/** Function that computes all drives between places. Throws if the server fails or responds with invalid data. */
export type Router = (places: readonly Coordinates[]) => Promise<DrivingMatrix>

/** Maximum places per request. */
export const MAX_ROUTED_PLACES = 60
const MAX_SECONDS = 86_400

const seconds = z.number().min(0).max(MAX_SECONDS).nullable()

const OSRM = z.object({ durations: z.array(z.array(seconds).max(MAX_ROUTED_PLACES)).max(MAX_ROUTED_PLACES) })
const VALHALLA = z.object({
  sources_to_targets: z.array(z.array(z.object({ time: seconds })).max(MAX_ROUTED_PLACES)).max(MAX_ROUTED_PLACES),
})

/** Returns the configured router. */
export function openRouter({ kind, url }: RouterConfig): Router {
  const fetchMatrix = kind === 'osrm' ? fetchOsrm : fetchValhalla
  return async (places) => {
    const rows = await fetchMatrix(url, places.slice(0, MAX_ROUTED_PLACES))
    if (rows.length !== places.length || rows.some((row) => row.length !== places.length))
      throw new Error('The matrix has an unexpected size')
    return rows.map((row) => row.map((time) => (time === null ? null : Math.ceil(time / 60))))
  }
}

async function fetchOsrm(url: string, places: readonly Coordinates[]): Promise<DrivingMatrix> {
  const points = places.map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';')
  return OSRM.parse(await fetchJson(`${url}/table/v1/driving/${points}?annotations=duration`)).durations
}

async function fetchValhalla(url: string, places: readonly Coordinates[]): Promise<DrivingMatrix> {
  const points = places.map(({ latitude: lat, longitude: lon }) => ({ lat, lon }))
  const body = { sources: points, targets: points, costing: 'auto' }
  return VALHALLA.parse(await fetchJson(`${url}/sources_to_targets`, body)).sources_to_targets.map((row) =>
    row.map(({ time }) => time),
  )
}
