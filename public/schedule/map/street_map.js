// @ts-check
// Draws streets behind the stops of a day, from the operator's tiles (src/web/schedule/map/streets.ts). The drawing
// beside it stays, keeps its place and is copied over the streets: it is what is seen without WebGL, without an archive,
// where nothing of the day is inside of the archive, and until the streets are there.

import { legBetween, spread } from './street_routes.js'
import { styleOf } from './street_style.js'

/** @typedef {typeof import('maplibre-gl')} Library */
/** @typedef {import('./street_style.js').Area} Area */
/** @typedef {import('./street_routes.js').Point} Point */

const SVG = 'http://www.w3.org/2000/svg'
/** Room around the stops, in pixels; the buttons are at the right. */
const MARGIN = { top: 48, bottom: 48, left: 48, right: 72 }
/** Zooms beyond those of the archive, which are drawn from its last one. */
const EXTRA_ZOOM = 3
/** Zoom of a day whose stops are all at one place. */
const MAX_FIT = 15
/** Pixels from its place from which on a pin has a line to it. */
const MIN_LEADER_LENGTH = 6

const dark = matchMedia('(prefers-color-scheme: dark)')
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
const touch = matchMedia('(pointer: coarse)')

class StreetMap extends HTMLElement {
  /** @type {import('maplibre-gl').Map | null} */
  map = null
  overlay = document.createElementNS(SVG, 'svg')
  /** What the drawing was when it was copied, and whatever else ends with the map. */
  copiedHtml = ''
  controller = new AbortController()
  /** Offsets of the pins from their places at a zoom. @type {{ zoom: number, by: Point[] }} */
  moved = { zoom: NaN, by: [] }

  connectedCallback() {
    this.controller = new AbortController()
    this.open().catch(() => this.close())
  }

  disconnectedCallback() {
    this.close()
  }

  close() {
    this.controller.abort()
    this.map?.remove()
    this.map = null
    this.copiedHtml = ''
    this.classList.remove('on')
    this.replaceChildren()
  }

  async open() {
    const { area: address = '', library: code = '', worker = '', look = '' } = this.dataset
    const drawing = this.parentElement?.querySelector('svg.map')
    if (!drawing || !hasWebGl()) return
    const response = await fetch(address, { signal: this.controller.signal })
    if (!response.ok) return
    /** @type {Area} */
    const area = await response.json()
    const places = placesOf(drawing)
    if (!places.some((place) => isWithin(place, area))) return
    const [library] = await Promise.all([loadLibrary(code), loadStyles(look), document.fonts.ready])
    if (this.controller.signal.aborted) return
    if (library.getWorkerUrl() !== worker) library.setWorkerUrl(worker)
    this.draw(library, area, drawing, places)
  }

  /**
   * @param {Library} library
   * @param {Area} area
   * @param {Element} drawing
   * @param {readonly [number, number][]} places
   */
  draw(library, area, drawing, places) {
    const { area: address = '', title = '', fingers = '' } = this.dataset
    const mapElement = document.createElement('div')
    this.overlay.setAttribute('class', 'map')
    this.overlay.setAttribute('aria-hidden', 'true')
    this.replaceChildren(mapElement, this.overlay, this.zoomButtons(), attributionOf(area))
    const bounds = places.reduce((all, place) => all.extend(place), new library.LngLatBounds())
    const map = new library.Map({
      container: mapElement,
      style: styleOf(area, address, dark.matches),
      bounds,
      fitBoundsOptions: { padding: MARGIN, maxZoom: MAX_FIT },
      maxZoom: area.max_zoom + EXTRA_ZOOM,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      cooperativeGestures: touch.matches,
      fadeDuration: reducedMotion.matches ? 0 : 150,
      locale: { 'Map.Title': title, 'CooperativeGesturesHandler.MobileHelpText': fingers },
    })
    this.map = map
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    this.copy(drawing)
    map.on('move', () => this.position())
    map.on('resize', () => this.position())
    // A tile that can't be read leaves its part empty.
    map.on('error', () => {})
    void map.once('load', () => this.classList.add('on'))
    map.on('webglcontextlost', () => this.classList.remove('on'))
    map.on('webglcontextrestored', () => this.classList.add('on'))
    const { signal } = this.controller
    dark.addEventListener('change', () => map.setStyle(styleOf(area, address, dark.matches)), { signal })
    const watch = new MutationObserver(() => this.copy(drawing))
    watch.observe(drawing, { attributes: true, childList: true, subtree: true, characterData: true })
    signal.addEventListener('abort', () => watch.disconnect())
  }

  /** Copies routes and pins of the drawing, where they aren't the same already. @param {Element} drawing */
  copy(drawing) {
    const html = drawing.innerHTML.replaceAll(' lit', '')
    if (html === this.copiedHtml) return
    this.copiedHtml = html
    this.moved.zoom = NaN
    const leaders = ['map-leader', 'map-place'].map((name) => {
      const path = document.createElementNS(SVG, 'path')
      path.setAttribute('class', name)
      return path
    })
    const copies = [...drawing.querySelectorAll(':scope > g')].map((part) => part.cloneNode(true))
    const routes = copies.filter((part) => part instanceof Element && part.matches('.route'))
    this.overlay.replaceChildren(...routes, ...leaders, ...copies.filter((part) => !routes.includes(part)))
    this.position()
  }

  /** Puts routes and pins where their places are on the map. */
  position() {
    const { map, overlay } = this
    if (map === null) return
    overlay.setAttribute('viewBox', `0 0 ${overlay.clientWidth} ${overlay.clientHeight}`)
    const groups = [...overlay.querySelectorAll(':scope > g[data-at]')]
    const places = placesOf(overlay).map((place) => map.project(place))
    if (this.moved.zoom !== map.getZoom()) this.moved = { zoom: map.getZoom(), by: offsets(places) }
    const pins = places.map(({ x, y }, i) => ({ x: x + (this.moved.by[i]?.x ?? 0), y: y + (this.moved.by[i]?.y ?? 0) }))
    groups.forEach((group, i) => group.setAttribute('transform', `translate(${pins[i]?.x} ${pins[i]?.y})`))
    for (const route of overlay.querySelectorAll('.route')) {
      const name = route.getAttribute('data-route')
      drawRoute(
        route,
        pins.filter((_, i) => groups[i]?.getAttribute('data-route') === name),
      )
    }
    const farPins = pins.flatMap((pin, i) => {
      const at = places[i]
      return at === undefined || Math.hypot(at.x - pin.x, at.y - pin.y) <= MIN_LEADER_LENGTH ? [] : [{ at, pin }]
    })
    const [leader, dots] = overlay.querySelectorAll(':scope > path')
    leader?.setAttribute('d', farPins.map(({ at, pin }) => `M${at.x} ${at.y}L${pin.x} ${pin.y}`).join(''))
    dots?.setAttribute(
      'd',
      farPins.map(({ at }) => `M${at.x - 2.5} ${at.y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0`).join(''),
    )
  }

  zoomButtons() {
    const { closer = '', farther = '' } = this.dataset
    const group = document.createElement('div')
    group.className = 'streets-zoom'
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ by) => {
      const zoomButton = document.createElement('button')
      zoomButton.type = 'button'
      zoomButton.textContent = sign
      zoomButton.setAttribute('aria-label', label)
      zoomButton.addEventListener('click', () => this.map?.zoomTo(this.map.getZoom() + by))
      return zoomButton
    }
    group.append(button('+', closer, 1), button('−', farther, -1))
    return group
  }
}

/** @param {Element} route @param {readonly Point[]} pins */
function drawRoute(route, pins) {
  const legs = pins.slice(1).flatMap((to, i) => {
    const from = pins[i]
    return from === undefined ? [] : [legBetween(from, to)]
  })
  for (const path of route.querySelectorAll('.casing, .line'))
    path.setAttribute('d', legs.map(({ path }) => path).join(''))
  route.querySelectorAll('.arrow').forEach((arrow, i) => arrow.setAttribute('transform', legs[i]?.arrow ?? ''))
}

/** @param {readonly Point[]} places */
const offsets = (places) =>
  spread(places).map(({ x, y }, i) => ({ x: x - (places[i]?.x ?? x), y: y - (places[i]?.y ?? y) }))

/** Returns the longitude and latitude of each stop. @param {Element} drawing @returns {[number, number][]} */
const placesOf = (drawing) =>
  [...drawing.querySelectorAll(':scope > g[data-at]')].map((group) => {
    const [longitude = NaN, latitude = NaN] = (group.getAttribute('data-at') ?? '').split(' ').map(Number)
    return [longitude, latitude]
  })

/** @param {readonly [number, number]} place @param {Area} area */
const isWithin = ([longitude, latitude], { bounds: [west, south, east, north] }) =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

/** @returns {boolean} */
function hasWebGl() {
  const canvas = document.createElement('canvas')
  return (canvas.getContext('webgl2') ?? canvas.getContext('webgl')) !== null
}

/** Loads the styles, once. @param {string} address */
async function loadStyles(address) {
  if (document.querySelector(`link[href="${address}"]`) !== null) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  await loadElement(link)
}

/** Loads the library, once. @param {string} address @returns {Promise<Library>} */
async function loadLibrary(address) {
  const scope = /** @type {{ maplibregl?: Library }} */ (globalThis)
  if (scope.maplibregl === undefined) {
    const script = document.createElement('script')
    script.src = address
    await loadElement(script)
  }
  if (scope.maplibregl === undefined) throw new Error('The library did not load')
  return scope.maplibregl
}

/** Loads what an element of the head names. @param {HTMLElement} element */
const loadElement = (element) =>
  new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', reject)
    document.head.append(element)
  })

/** Draws whose data it is. @param {Area} area */
function attributionOf({ attribution }) {
  const line = document.createElement(attribution.includes('OpenStreetMap') ? 'a' : 'span')
  line.className = 'streets-by'
  line.textContent = attribution
  if (line instanceof HTMLAnchorElement) {
    line.href = 'https://www.openstreetmap.org/copyright'
    line.rel = 'noreferrer'
    line.target = '_blank'
  }
  return line
}

customElements.define('street-map', StreetMap)
