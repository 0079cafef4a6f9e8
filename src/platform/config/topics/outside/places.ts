import { address, oneOf, wholeNumber } from '../../parsers.ts'
import { setting, topic } from '../../setting.ts'

const GEOCODERS = ['nominatim', 'pelias', 'census'] as const
const ROUTERS = ['osrm', 'valhalla'] as const

/** Server that finds addresses, and how many a second it is asked for. */
export type GeocoderConfig = { kind: (typeof GEOCODERS)[number]; url: string; perSecond: number }

/** Server that computes driving times. */
export type RouterConfig = { kind: (typeof ROUTERS)[number]; url: string }

export const places = topic(
  'Places and driving',
  {
    geocoderUrl: setting('GEOCODER_URL', {
      parse: address,
      default: null,
      about: 'Server that finds the coordinates of addresses, in the background.',
      more:
        'Customers’ addresses are sent there, so run your own or check its terms. ' +
        'Without it, visits are at the center of their ZIP code until somebody sets a pin.',
    }),
    geocoder: setting('GEOCODER', {
      parse: oneOf(...GEOCODERS),
      default: 'nominatim',
      ignoredWithout: 'GEOCODER_URL',
      about: `Kind of that server: ${GEOCODERS.map((kind) => `\`${kind}\``).join(', ')}.`,
    }),
    perSecond: setting('GEOCODER_PER_SECOND', {
      parse: wholeNumber(1, 100),
      default: 1,
      ignoredWithout: 'GEOCODER_URL',
      about: 'Maximum addresses a second that it is asked for.',
      more: 'Public Nominatim servers allow 1.',
    }),
    routingUrl: setting('ROUTING_URL', {
      parse: address,
      default: null,
      about: 'Server that computes driving times, in the background.',
      more: 'Pairs of rounded coordinates are sent there. Without it, driving times are estimates.',
    }),
    routing: setting('ROUTING', {
      parse: oneOf(...ROUTERS),
      default: 'osrm',
      ignoredWithout: 'ROUTING_URL',
      about: `Kind of that server: ${ROUTERS.map((kind) => `\`${kind}\``).join(', ')}.`,
    }),
  },
  ({
    geocoderUrl,
    geocoder,
    perSecond,
    routingUrl,
    routing,
  }): { geocoder: GeocoderConfig | null; router: RouterConfig | null } => ({
    geocoder: geocoderUrl === null ? null : { kind: geocoder, url: geocoderUrl, perSecond },
    router: routingUrl === null ? null : { kind: routing, url: routingUrl },
  }),
)
