import { HttpRefusal, jsonAnswer } from '../../../platform/errors/http_refusal.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { assetAddress } from '../../../platform/http/assets.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { TooManyTiles } from '../../../platform/map_tiles/map_tiles.ts'
import { newId } from '../../../platform/validation/id.ts'
import { disconnectSignal } from '../../../identity/deadline.ts'
import type { MemberContext } from '../../member_context.ts'
import { NO_STORE_HEADERS, requireFieldMember } from '../../mobile/member.ts'
import type { Site } from '../../site.ts'

/** Draws the element in which a script shows streets behind the stops of the map; nothing without street data. */
export const streetMapHtml = (
  { streets }: Pick<Site, 'streets'>,
  context: MemberContext,
  title = say`Map of the day. The list has the same stops.`,
): Html | '' =>
  when(
    streets,
    ({ library }) => html`
    <street-map id="streets" data-own data-area="${context.path('schedule', 'tiles')}"
      data-library="${library.library}" data-worker="${library.worker}" data-look="${assetAddress('street_map.css')}"
      data-title="${title}"
      data-fingers="${say`Use two fingers to move the map`}" data-closer="${say`Zoom in`}"
      data-farther="${say`Zoom out`}"></street-map>`,
  )

/** Draws the same with a button that loads the streets, since a phone may be on a metered plan. */
export const phoneStreetsHtml = (site: Pick<Site, 'streets'>, context: MemberContext): Html | '' =>
  when(
    site.streets,
    () => html`${streetMapHtml(site, context)}<button class="button plain" type="button" id="do-streets"
      data-do="streets" data-value="${assetAddress('street_map.js')}">${say`Show streets`}</button>`,
  )

/** Answers the archive's metadata for a map: its area, zoom levels and attribution. */
export async function showTileArea(site: Site, request: PageRequest): Promise<Response> {
  const { tiles } = await requireStreets(site, request)
  try {
    const { layers: _, ...area } = await tiles.describe()
    return request.json(area, 200, { ...NO_STORE_HEADERS, 'Cache-Control': 'private, max-age=60' })
  } catch (error) {
    throw unreadableRefusal(site, error)
  }
}

/** Sends a tile as stored in the archive. Its URL changes with the archive (`v`). */
export async function showTile(site: Site, request: PageRequest): Promise<Response> {
  const { tiles } = await requireStreets(site, request)
  const [z = 0, x = 0, y = 0] = [request.req.param('z'), request.req.param('x'), request.req.param('y')].map(Number)
  if (z > MAX_ZOOM || x >= 2 ** z || y >= 2 ** z)
    throw refusal(404, 'no_such_tile', 'There is no map tile for this location')
  const signal = disconnectSignal(request.env.outgoing)
  try {
    const tile = await tiles.readTile({ z, x, y }, signal)
    const headers = { ...NO_STORE_HEADERS, 'Cache-Control': 'private, max-age=604800' }
    if (tile === undefined) return new Response(null, { status: 204, headers })
    return new Response(tile.bytes, {
      headers: {
        ...headers,
        'Content-Type': 'application/vnd.mapbox-vector-tile',
        'Content-Length': String(tile.bytes.length),
        ...(tile.isGzip ? { 'Content-Encoding': 'gzip' } : {}),
      },
    })
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 204, headers: NO_STORE_HEADERS })
    if (error instanceof TooManyTiles) throw refusal(503, 'busy', 'Too many map tiles at once', { 'Retry-After': '1' })
    throw unreadableRefusal(site, error)
  }
}

/** Maximum zoom of an archive. Streets have at most 15. */
const MAX_ZOOM = 22

/** Returns the streets for a member who may see jobs. Answers 404 to others, or without street data. */
async function requireStreets(site: Site, request: PageRequest): Promise<NonNullable<Site['streets']>> {
  const context = await requireFieldMember(site, request)
  if (!context.may('read:jobs') || site.streets === null)
    throw refusal(404, 'not_found', 'There is nothing at this address')
  return site.streets
}

const refusal = (status: number, error: string, error_description: string, headers: object = {}): HttpRefusal =>
  new HttpRefusal(jsonAnswer(status, { error, error_description }, { ...NO_STORE_HEADERS, ...headers }))

function unreadableRefusal(site: Site, error: unknown): HttpRefusal {
  const reference = newId()
  site.report(reference, error)
  return refusal(503, 'unreadable', `The archive of map tiles can't be read. Reference: ${reference}`)
}
