import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Coordinates, Position } from '../../../scheduling/places/coordinates.ts'
import { positionsOf, recentPlaces, type NamedPlace } from '../../../scheduling/places/positions.ts'
import { kilometers } from '../../../scheduling/travel/estimate.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { MILE_COUNTRIES } from './day_map.ts'
import { FRAME, gridHtml, pairOf, scaleHtml, townHtml } from './map_svg.ts'
import { projectPlaces, type MapPoint } from './projection.ts'
import { streetMapHtml } from './streets.ts'

/** Extra content of a form besides its fields. */
export type FormPart = {
  html: Html | ''
  files: { styles: string[]; scripts: string[] }
  answer?: { hasWorker: boolean }
}

const MAX_NEAR = 6
/** Maximum distance of a nearby place. A farther one doesn't help, and makes the map too coarse to drag on. */
const MAX_KM = 6
/** Space that a label needs, in drawing units. */
const LABEL = { width: 150, height: 22 }
/** Pin of 44 units, with its tip at the location. */
const PIN = html`<path d="M22 43C13 31 10 26 10 19a12 12 0 1 1 24 0c0 7-3 12-12 24z"/><circle cx="22" cy="19" r="4.5"/>`

/**
 * Draws a location among nearby places, with a pin that fills in the form's fields (public/schedule/map/pin_map.js).
 * Draws nothing if there is no known position to center on.
 */
export async function pinPart(site: Site, context: MemberContext, id: string): Promise<FormPart> {
  const [positions, others] = await context.read((db) => Promise.all([positionsOf(db, [id]), recentPlaces(db, id)]))
  const position = positions.get(id)
  const at = position ?? others[0]?.position
  const scripts = at === undefined ? [] : ['pin_map.js', ...(site.streets === null ? [] : ['street_map.js'])]
  return {
    html: when(at, (at) => mapHtml(site, context, { at, position, others })),
    files: { styles: ['records.css', 'forms.css', 'schedule_pins.css', 'pin_map.css'], scripts },
    answer: { hasWorker: site.streets !== null },
  }
}

type PinMap = { at: Coordinates; position: Position | undefined; others: readonly NamedPlace[] }

function mapHtml(site: Site, context: MemberContext, { at, position, others }: PinMap): Html {
  const nearby = nearestPlaces(at, others)
  const places = nearby.map(({ position }) => position)
  // Each place is mirrored, so that the pin is in the middle.
  const mirrored = places.map(({ latitude, longitude }) => ({
    latitude: 2 * at.latitude - latitude,
    longitude: 2 * at.longitude - longitude,
  }))
  const { points, unitsPerKm, unitsPerDegree } = projectPlaces([at, ...places, ...mirrored], FRAME)
  const title = say`Map with the pin of this location`
  return html`
<div class="pin-map">
  <figure class="map-room" data-degree="${unitsPerDegree.x} ${unitsPerDegree.y}">
    <svg class="map" viewBox="0 0 ${FRAME.width} ${FRAME.height}" aria-hidden="true">
    ${gridHtml(unitsPerKm)}${nearbyHtml(nearby, points)}
    <g transform="translate(${pairOf(points[0] ?? { x: 0, y: 0 })})" data-at="${at.longitude} ${at.latitude}"><g
      class="pin-saved" transform="translate(-22 -43)">${PIN}</g></g>
    ${scaleHtml(unitsPerKm, MILE_COUNTRIES.has(context.company.country))}</svg>${streetMapHtml(site, context, title)}
    <div class="pin-handle" role="application" tabindex="0" aria-label="${say`Pin: move it with the arrow keys`}"
      aria-describedby="pin-help pin-at" hidden><svg viewBox="0 0 44 44" aria-hidden="true">${PIN}</svg></div>
  </figure>
  <p class="help" id="pin-help" hidden>${say`Drag the pin, or use the arrow keys. Shift moves it farther.`}</p>
  <p class="help">${say`On the map`}: <output id="pin-at" for="latitude longitude">${
    position === undefined ? say`place unknown` : `${position.latitude}, ${position.longitude}`
  }</output></p>
</div>`
}

/** Returns the nearest places, with one per ZIP code if only the center of the ZIP code is known. */
const nearestPlaces = (at: Coordinates, others: readonly NamedPlace[]): NamedPlace[] =>
  [...new Map(others.map((one) => [`${one.position.latitude} ${one.position.longitude}`, one])).values()]
    .map((one) => ({ one, km: kilometers(at, one.position) }))
    .filter(({ km }) => km > 0 && km <= MAX_KM)
    .sort((a, b) => a.km - b.km)
    .slice(0, MAX_NEAR)
    .map(({ one }) => one)

/** Draws places with their street, or their town if only the center of the ZIP code is known. */
function nearbyHtml(nearby: readonly NamedPlace[], [pin, ...points]: readonly MapPoint[]): Html[] {
  const labels = pin === undefined ? [] : [pin]
  return nearby.map(({ street, town, position: { precision } }, i) => {
    const at = points[i] ?? { x: 0, y: 0 }
    const hasRoom = labels.every(({ x, y }) => Math.abs(x - at.x) > LABEL.width || Math.abs(y - at.y) > LABEL.height)
    if (hasRoom) labels.push(at)
    if (precision === 'zip') return html`${when(hasRoom && town, (town) => townHtml(town, at))}`
    return html`<circle class="map-place" cx="${at.x}" cy="${at.y}" r="4"/>${when(
      hasRoom,
      () => html`<text class="near-street" x="${at.x}" y="${at.y - 9}">${street.slice(0, 24)}</text>`,
    )}`
  })
}
