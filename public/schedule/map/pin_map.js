// @ts-check
// A pin that is dragged to a location's place (src/web/schedule/map/pin_map.ts) and fills the fields of the form. It
// stands over the drawing, or over the streets where they are drawn (street_map.js).

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {readonly [longitude: number, latitude: number]} Coordinates*/

const METERS_OF_DEGREE = 111_320
const [STEP, LONG_STEP] = [10, 100]
/** Zoom at which houses can be told from each other. */
const CLOSE_ZOOM = 16
/** @type {Record<string, Coordinates>} */
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] }

const container = /** @type {HTMLElement} */ (document.querySelector('.pin-map .map-room'))
const drawing = /** @type {SVGSVGElement} */ (container.querySelector('svg.map'))
const handle = /** @type {HTMLElement} */ (container.querySelector('.pin-handle'))
const streets = /** @type {(HTMLElement & { map?: import('maplibre-gl').Map | null }) | null} */ (
  container.querySelector('street-map')
)
const output = /** @type {HTMLOutputElement} */ (document.getElementById('pin-at'))
const fields = ['longitude', 'latitude'].map((id) => /** @type {HTMLInputElement} */ (document.getElementById(id)))
const [perLongitude = 1, perLatitude = 1] = (container.dataset['degree'] ?? '').split(' ').map(Number)
const [east = 0, north = 0] = (drawing.querySelector('[data-at]')?.getAttribute('data-at') ?? '').split(' ').map(Number)

/** @type {Coordinates} */
let at = typedCoordinates() ?? [east, north]
/** Where the pointer holds the pin, from its tip. @type {Point | null} */
let grabOffset = null

/** Returns the place that the fields name. @returns {Coordinates| null} */
function typedCoordinates() {
  const [longitude = NaN, latitude = NaN] = fields.map(({ value }) => (value.trim() === '' ? NaN : Number(value)))
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null
}

/** Returns the map of the streets while they are shown. */
const visibleMap = () => (streets?.classList.contains('on') ? (streets.map ?? null) : null)

/** Returns where a place is, in pixels of the map. @param {Coordinates} place @returns {Point} */
function toPoint([longitude, latitude]) {
  const map = visibleMap()
  if (map !== null) return map.project([longitude, latitude])
  const { width, height } = drawing.getBoundingClientRect()
  const scale = width / drawing.viewBox.baseVal.width
  return {
    x: width / 2 + (longitude - east) * perLongitude * scale,
    y: height / 2 - (latitude - north) * perLatitude * scale,
  }
}

/** @param {Point} point @returns {Coordinates} */
function toCoordinates({ x, y }) {
  const map = visibleMap()
  if (map !== null) {
    const { lng, lat } = map.unproject([x, y])
    return [lng, lat]
  }
  const { width, height } = drawing.getBoundingClientRect()
  const scale = width / drawing.viewBox.baseVal.width
  return [east + (x - width / 2) / (perLongitude * scale), north - (y - height / 2) / (perLatitude * scale)]
}

/** Keeps a point on the map. @param {Point} point @returns {Point} */
const clampToMap = ({ x, y }) => ({
  x: Math.min(Math.max(x, 0), container.clientWidth),
  y: Math.min(Math.max(y, 0), container.clientHeight),
})

function draw() {
  const { x, y } = toPoint(at)
  handle.style.left = `${x}px`
  handle.style.top = `${y}px`
  container.classList.toggle('pin-moved', at[0] !== east || at[1] !== north)
}

/** Moves the pin, and the fields with it. @param {Coordinates} place */
function move([longitude, latitude]) {
  at = [round(((((longitude + 180) % 360) + 360) % 360) - 180), round(Math.min(Math.max(latitude, -90), 90))]
  fields.forEach((field, i) => {
    field.value = String(at[i])
  })
  for (const field of fields) field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Five digits are a meter. @param {number} degrees */
const round = (degrees) => Number(degrees.toFixed(5))

function announce() {
  output.textContent = `${at[1]}, ${at[0]}`
}

handle.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return
  event.preventDefault()
  handle.focus({ preventScroll: true })
  handle.setPointerCapture(event.pointerId)
  const { x, y } = toPoint(at)
  grabOffset = { x: event.clientX - x, y: event.clientY - y }
})
handle.addEventListener('pointermove', ({ clientX, clientY }) => {
  if (grabOffset !== null) move(toCoordinates(clampToMap({ x: clientX - grabOffset.x, y: clientY - grabOffset.y })))
})
for (const end of ['pointerup', 'pointercancel'])
  handle.addEventListener(end, () => {
    if (grabOffset !== null) announce()
    grabOffset = null
  })

handle.addEventListener('keydown', (event) => {
  const arrow = ARROWS[event.key]
  if (arrow === undefined || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  const step = (event.shiftKey ? LONG_STEP : STEP) / METERS_OF_DEGREE
  const longitudeScale = Math.max(0.01, Math.cos((at[1] * Math.PI) / 180))
  /** @type {Coordinates} */
  const next = [at[0] + (arrow[0] * step) / longitudeScale, at[1] + arrow[1] * step]
  const [point, map] = [toPoint(next), visibleMap()]
  const clamped = clampToMap(point)
  const isOutside = clamped.x !== point.x || clamped.y !== point.y
  move(isOutside && map === null ? toCoordinates(clamped) : next)
  if (isOutside) map?.setCenter([at[0], at[1]])
  announce()
})

for (const field of fields)
  field.addEventListener('input', () => {
    at = typedCoordinates() ?? [east, north]
    draw()
  })
for (const field of fields) field.addEventListener('change', announce)

if (streets !== null) {
  /** @type {unknown} */
  let followedMap = null
  new MutationObserver(() => {
    const map = visibleMap()
    if (map !== null && map !== followedMap) {
      followedMap = map
      map.on('move', draw)
      map.jumpTo({ center: [at[0], at[1]], zoom: CLOSE_ZOOM })
    }
    draw()
  }).observe(streets, { attributeFilter: ['class'] })
}

new ResizeObserver(draw).observe(container)
handle.hidden = false
const help = document.getElementById('pin-help')
if (help !== null) help.hidden = false
draw()
