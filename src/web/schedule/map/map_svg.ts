import { html, when, type Html } from '../../../platform/html/html.ts'
import type { Coordinates } from '../../../scheduling/places/coordinates.ts'
import { projectPlaces, spreadPoints, type MapFrame, type MapPoint } from './projection.ts'

/** Stop of a route: its visit, the text on its pin, and its tooltip. */
export type MapStop = { job: string; label: string; title: string; at: Coordinates; isDone: boolean }

/** Technician's stops in order. `color` is an index into the palette, null for unassigned visits. */
export type MapRoute = { color: number | null; isRoute: boolean; stops: readonly MapStop[] }

type DayMap = {
  routes: readonly MapRoute[]
  /** Towns by name, each with the positions in it. */
  towns: ReadonlyMap<string, readonly Coordinates[]>
  /** True for a scale in miles. */
  isInMiles: boolean
  /** Prefix of the ids of list items that pins link to. Without it, pins aren't links. */
  target?: string | undefined
  /** True to leave out towns and scale, if there is no space for text. */
  isSmall?: boolean
  /** True to add positions for a script that draws the stops over streets (public/schedule/map/street_map.js). */
  hasPlaces?: boolean
}

export const FRAME: MapFrame = { width: 580, height: 480, margin: 46 }
/** Number of technician colors, shapes and lines. The colors are in public/schedule/schedule.css. */
const MAP_COLORS = 8
const PIN_DISTANCE = 34
/** Four pin shapes, so that technicians differ even without color. */
const SHAPES = [
  'M-13 0a13 13 0 1 0 26 0a13 13 0 1 0-26 0z',
  'M-12-12h24v24h-24z',
  'M0-17 17 0 0 17-17 0z',
  'M-8-14h16L16 0 8 14H-8L-16 0z',
]
const KM_PER_MILE = 1.609344

export const shapeOf = (color: number | null): string => SHAPES[(color ?? 0) % SHAPES.length] ?? ''

/** Draws a day's stops and routes, north up. The list beside it serves keyboards and screen readers. */
export function mapSvg({ routes, towns, isInMiles, target, isSmall = false, hasPlaces = false }: DayMap): Html {
  const stops = routes.flatMap(({ stops }) => stops)
  const labels = isSmall ? [] : [...towns]
  const places = [...stops.map(({ at }) => at), ...labels.map(([, inTown]) => centerOf(inTown))]
  const { points, unitsPerKm } = projectPlaces(places, FRAME)
  const pins = spreadPoints(points.slice(0, stops.length), PIN_DISTANCE, FRAME)
  let next = 0
  const drawnRoutes = routes.map((route) => {
    const from = next
    next += route.stops.length
    return { route, places: points.slice(from, next), pins: pins.slice(from, next) }
  })
  return html`<svg class="map" viewBox="0 0 ${FRAME.width} ${FRAME.height}" aria-hidden="true">
  ${when(!isSmall, () => gridHtml(unitsPerKm))}${labels.map(([name], i) => townHtml(name, points[stops.length + i]))}${drawnRoutes.map(
    ({ route, pins }, index) =>
      when(route.isRoute && pins.length > 1, () => routeHtml(route, pins, !isSmall, hasPlaces ? index : undefined)),
  )}${drawnRoutes.map(({ route, places, pins }, index) =>
    route.stops.map((stop, i) =>
      pinHtml(route, stop, places[i], pins[i], { target, isSmall, route: hasPlaces ? index : undefined }),
    ),
  )}
  ${when(!isSmall, () => scaleHtml(unitsPerKm, isInMiles))}</svg>`
}

function centerOf(places: readonly Coordinates[]): Coordinates {
  const mean = (select: (one: Coordinates) => number): number =>
    places.reduce((sum, one) => sum + select(one), 0) / places.length
  return { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) }
}

/** Draws a fine grid with steps of round kilometers. */
export function gridHtml(unitsPerKm: number): Html {
  const step = niceLength(100 / unitsPerKm) * unitsPerKm
  const lines = (size: number): number[] =>
    Array.from({ length: Math.floor(size / step) + 1 }, (_, i) => round((size % step) / 2 + i * step))
  return html`<path class="map-grid" d="${lines(FRAME.width)
    .map((x) => `M${x} 0V${FRAME.height}`)
    .join('')}${lines(FRAME.height)
    .map((y) => `M0 ${y}H${FRAME.width}`)
    .join('')}"/>`
}

/** Returns the largest of 1, 2, 5, 10, … that doesn't exceed a length. */
function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length))
  return ([5, 2, 1].find((one) => one * power <= length) ?? 1) * power
}

export const townHtml = (name: string, point: MapPoint | undefined): Html | '' =>
  when(
    point,
    ({ x, y }) => html`
  <text class="map-town" x="${round(x)}" y="${round(y) - 24}">${name}</text>`,
  )

/** Draws a route as curves from stop to stop, each with an arrow in the middle if there is space. */
function routeHtml({ color }: MapRoute, pins: readonly MapPoint[], hasArrows: boolean, index?: number): Html {
  const legs = pins.slice(1).flatMap((to, i) => {
    const from = pins[i]
    return from === undefined ? [] : [legOf(from, to)]
  })
  const line = legs.map(({ path }) => path).join('')
  return html`
  <g class="route ${colorClass(color)}"${when(index, (at) => html` data-route="${at}"`)}><path class="casing" d="${line}"/><path class="line" d="${line}"/>${(hasArrows
    ? legs
    : []
  ).map(
    ({ middle, angle }) =>
      html`<path class="arrow" d="M-5-5 4 0-5 5z"
      transform="translate(${pairOf(middle)}) rotate(${Math.round(angle)})"/>`,
  )}</g>`
}

/** Curvature of a leg to its right, as a fraction of its length. */
const CURVATURE = 0.12

function legOf(from: MapPoint, to: MapPoint): { path: string; middle: MapPoint; angle: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const control = { x: (from.x + to.x) / 2 - dy * CURVATURE, y: (from.y + to.y) / 2 + dx * CURVATURE }
  const middle = { x: (from.x + to.x) / 4 + control.x / 2, y: (from.y + to.y) / 4 + control.y / 2 }
  return {
    path: `M${pairOf(from)}Q${pairOf(control)} ${pairOf(to)}`,
    middle,
    angle: (Math.atan2(dy, dx) * 180) / Math.PI,
  }
}

/** Distance between a pin and its place above which a line connects them. */
const MIN_LEADER_LENGTH = 6

function pinHtml(
  { color }: MapRoute,
  { job, label, title, isDone, at }: MapStop,
  point: MapPoint | undefined,
  pin: MapPoint | undefined,
  { target, isSmall, route }: { target: string | undefined; isSmall: boolean; route: number | undefined },
): Html | '' {
  if (point === undefined || pin === undefined) return ''
  const isFar = Math.hypot(point.x - pin.x, point.y - pin.y) > MIN_LEADER_LENGTH
  const pinShape = html`${when(!isSmall, () => html`<title>${title}</title>`)}<path d="${shapeOf(color)}"/>${when(
    !isSmall,
    () => html`<text y="5">${label}</text>`,
  )}`
  return html`${when(
    isFar,
    () =>
      html`<path class="map-leader" d="M${pairOf(point)}L${pairOf(pin)}"/><circle
      class="map-place" cx="${round(point.x)}" cy="${round(point.y)}" r="2.5"/>`,
  )}
  <g transform="translate(${pairOf(pin)})"${when(
    route,
    (route) => html` data-route="${route}" data-at="${at.longitude} ${at.latitude}"`,
  )}>${
    target === undefined
      ? html`<g class="pin ${colorClass(color)}${isDone ? ' done' : ''}" data-job="${job}">${pinShape}</g>`
      : html`<a class="pin ${colorClass(color)}${isDone ? ' done' : ''}" href="#${target}${job}" tabindex="-1"
    data-job="${job}">${pinShape}</a>`
  }</g>`
}

/** Draws the scale bar in miles or kilometers, and the north arrow. */
export function scaleHtml(unitsPerKm: number, isInMiles: boolean): Html {
  const unit = isInMiles ? KM_PER_MILE : 1
  const length = niceLength(120 / (unitsPerKm * unit))
  const width = round(length * unit * unitsPerKm)
  const [x, y] = [20, FRAME.height - 18]
  return html`<path class="map-scale" d="M${x} ${y - 6}V${y}H${x + width}V${y - 6}"/>
  <text class="map-unit" x="${x + width + 8}" y="${y}">${length} ${isInMiles ? 'mi' : 'km'}</text>
  <path class="map-north" d="M${FRAME.width - 26} 44l8-22 8 22-8-5z"/>`
}

/** Returns the class of a technician's color and line style. */
export const colorClass = (color: number | null): string => (color === null ? 'nobody' : `p${color % MAP_COLORS}`)

export const pairOf = ({ x, y }: MapPoint): string => `${round(x)} ${round(y)}`

const round = (value: number): number => Math.round(value * 10) / 10
