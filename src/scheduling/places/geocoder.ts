import { z } from 'zod'
import type { GeocoderConfig } from '../../platform/config/config.ts'
import { fetchJson } from './fetch_json.ts'
import { areCoordinates, type Coordinates } from './coordinates.ts'

/** Lookup of an address by its street; null if there is none. Throws if the server fails or its data is invalid. */
export type Geocoder = {
  source: GeocoderConfig['kind']
  find(address: string, country: string): Promise<Coordinates | null>
}

/** Minimum rank of streets in Nominatim. Lower ranks are towns and regions, and a ZIP code is better than those. */
const MIN_STREET_RANK = 26

/** Number, or a number as text. */
const number = z.union([
  z.number(),
  z
    .string()
    .max(30)
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])

const NOMINATIM = z.array(z.object({ lat: number, lon: number, place_rank: z.number() })).max(50)
const PELIAS = z.object({
  features: z
    .array(
      z.object({
        geometry: z.object({ coordinates: z.tuple([z.number(), z.number()]) }),
        properties: z.object({ layer: z.string() }),
      }),
    )
    .max(50),
})
const CENSUS = z.object({
  result: z.object({ addressMatches: z.array(z.object({ coordinates: z.object({ x: number, y: number }) })).max(50) }),
})

const STREET_LAYERS: ReadonlySet<string> = new Set(['address', 'street', 'venue', 'intersection'])

type GeocoderApi = {
  path: string
  query(address: string, country: string): Record<string, string>
  read(answer: unknown): Coordinates | null
}

const GEOCODER_APIS: Readonly<Record<GeocoderConfig['kind'], GeocoderApi>> = {
  nominatim: {
    path: '/search',
    query: (q, country) => ({ q, countrycodes: country.toLowerCase(), format: 'jsonv2', limit: '1' }),
    read: (answer) => {
      const [place] = NOMINATIM.parse(answer)
      return place === undefined || place.place_rank < MIN_STREET_RANK ? null : toCoordinates(place.lat, place.lon)
    },
  },
  pelias: {
    path: '/v1/search',
    query: (text, country) => ({ text, 'boundary.country': country, size: '1' }),
    read: (answer) => {
      const [place] = PELIAS.parse(answer).features
      if (place === undefined || !STREET_LAYERS.has(place.properties.layer)) return null
      const [longitude, latitude] = place.geometry.coordinates
      return toCoordinates(latitude, longitude)
    },
  },
  census: {
    path: '/geocoder/locations/onelineaddress',
    query: (address) => ({ address, benchmark: 'Public_AR_Current', format: 'json' }),
    read: (answer) => {
      const [place] = CENSUS.parse(answer).result.addressMatches
      return place === undefined ? null : toCoordinates(place.coordinates.y, place.coordinates.x)
    },
  },
}

/** Returns the configured geocoder. `processes` share its rate limit. */
export function openGeocoder({ kind, url, perSecond }: GeocoderConfig, processes: number): Geocoder {
  const { path, query, read } = GEOCODER_APIS[kind]
  const waitForTurn = newRateLimiter((1000 * processes) / perSecond)
  return {
    source: kind,
    find: async (address, country) => {
      await waitForTurn()
      return read(await fetchJson(`${url}${path}?${new URLSearchParams(query(address, country)).toString()}`))
    },
  }
}

function toCoordinates(latitude: number, longitude: number): Coordinates {
  if (!areCoordinates(latitude, longitude)) throw new Error('The coordinates are out of range')
  return { latitude, longitude }
}

/** Returns a function that waits for its turn, one every `milliseconds`. */
function newRateLimiter(milliseconds: number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    const startTime = Math.max(now, next)
    next = startTime + milliseconds
    if (startTime > now) await new Promise((resolve) => setTimeout(resolve, startTime - now))
  }
}
