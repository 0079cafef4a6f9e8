import { resolve } from 'node:path'
import { database } from '../database.ts'
import { address, oneOf, wholeNumber } from '../../parsers.ts'
import { ConfigError, setting, topic, valueOf, type Environment } from '../../setting.ts'
import { bucketUrl, type BucketConfig } from '../storage.ts'

const GEOCODERS = ['nominatim', 'pelias', 'census'] as const
const ROUTERS = ['osrm', 'valhalla'] as const

/** Geocoding server, and its maximum number of requests per second. */
export type GeocoderConfig = { kind: (typeof GEOCODERS)[number]; url: string; perSecond: number }

/** Server that computes driving times. */
export type RouterConfig = { kind: (typeof ROUTERS)[number]; url: string }

/** Archive of map tiles: a file, or an object of a bucket. */
export type MapTilesConfig = { kind: 'file'; path: string } | { kind: 'bucket'; bucket: BucketConfig; key: string }

export const places = topic(
  'Places and driving',
  {
    geocoderUrl: setting('GEOCODER_URL', {
      parse: address,
      default: null,
      about: 'Geocoding server that finds coordinates of addresses in the background.',
      more:
        'Customers’ addresses are sent there, so run your own or check its terms. ' +
        'Without it, visits are at the center of their ZIP code until someone sets a pin.',
    }),
    geocoder: setting('GEOCODER', {
      parse: oneOf(...GEOCODERS),
      default: 'nominatim',
      ignoredWithout: 'GEOCODER_URL',
      about: `Type of that server: ${GEOCODERS.map((kind) => `\`${kind}\``).join(', ')}.`,
    }),
    perSecond: setting('GEOCODER_PER_SECOND', {
      parse: wholeNumber(1, 100),
      default: 1,
      ignoredWithout: 'GEOCODER_URL',
      about: 'Maximum number of addresses to look up per second.',
      more: 'Public Nominatim servers allow 1.',
    }),
    routingUrl: setting('ROUTING_URL', {
      parse: address,
      default: null,
      about: 'Routing server that computes driving times in the background.',
      more: 'Pairs of rounded coordinates are sent there. Without it, driving times are estimates.',
    }),
    routing: setting('ROUTING', {
      parse: oneOf(...ROUTERS),
      default: 'osrm',
      ignoredWithout: 'ROUTING_URL',
      about: `Type of that server: ${ROUTERS.map((kind) => `\`${kind}\``).join(', ')}.`,
    }),
    mapTiles: setting('MAP_TILES', {
      parse: tilesLocation,
      default: null,
      about: 'Streets for the map of the day: a PMTiles file in `DATA_DIR`, or `s3://bucket/area.pmtiles`.',
      more:
        'A bucket takes the options and keys of `STORAGE_URL`. Without this setting or the package `maplibre-gl`, ' +
        'the map shows no streets: see docs/operating/providers.md#streets.',
    }),
  },
  ({
    geocoderUrl,
    geocoder,
    perSecond,
    routingUrl,
    routing,
    mapTiles,
  }): { geocoder: GeocoderConfig | null; router: RouterConfig | null; mapTiles: MapTilesConfig | null } => ({
    mapTiles,
    geocoder: geocoderUrl === null ? null : { kind: geocoder, url: geocoderUrl, perSecond },
    router: routingUrl === null ? null : { kind: routing, url: routingUrl },
  }),
)

function tilesLocation(value: string, name: string, env: Environment): MapTilesConfig {
  if (!value.startsWith('s3://')) return { kind: 'file', path: resolve(database.settings.dataDir.read(env), value) }
  const { prefix, ...location } = bucketUrl(value, name)
  const [accessKeyId, secretAccessKey] = [valueOf(env, 'AWS_ACCESS_KEY_ID'), valueOf(env, 'AWS_SECRET_ACCESS_KEY')]
  if (prefix === '') throw new ConfigError(`${name} must name a file in the bucket, such as s3://bucket/area.pmtiles`)
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(`AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set when ${name} names a bucket`)
  const region = location.region ?? valueOf(env, 'AWS_REGION') ?? 'us-east-1'
  const endpoint = location.endpoint ?? `https://s3.${region}.amazonaws.com`
  const sessionToken = valueOf(env, 'AWS_SESSION_TOKEN') ?? null
  const bucket = { ...location, prefix: '', region, endpoint, accessKeyId, secretAccessKey, sessionToken }
  return { kind: 'bucket', bucket, key: prefix }
}
