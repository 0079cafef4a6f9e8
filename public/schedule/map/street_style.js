// @ts-check
// The look of the streets: quiet, so that stops and routes stand out. Layers and kinds are those of Protomaps' basemap,
// version 4 (docs.protomaps.com/basemaps/layers). Letters are drawn from the page's typeface, so no glyphs are loaded.

/** @typedef {import('maplibre-gl').StyleSpecification} Style */
/** @typedef {import('maplibre-gl').LayerSpecification} Layer */
/** @typedef {import('maplibre-gl').ExpressionSpecification} Expression */
/** @typedef {import('maplibre-gl').FilterSpecification} Filter */
/** @typedef {{ version: string, min_zoom: number, max_zoom: number, bounds: [number, number, number, number], attribution: string }} Area */

const LIGHT = {
  land: '#eef0eb',
  green: '#dbe8d5',
  built: '#e4e5df',
  water: '#c3dbe4',
  edge: '#cfd2ca',
  street: '#ffffff',
  highway: '#f1dcb0',
  border: '#b9bdb6',
  name: '#5b6864',
  town: '#37433f',
  halo: '#ffffff',
}
/** @type {typeof LIGHT} */
const DARK = {
  land: '#161d1c',
  green: '#1c2c25',
  built: '#202a28',
  water: '#14323e',
  edge: '#0e1413',
  street: '#303c39',
  highway: '#4a4a3c',
  border: '#48534f',
  name: '#93a09b',
  town: '#c3cdc9',
  halo: '#101615',
}

const GREEN = ['park', 'national_park', 'nature_reserve', 'protected_area', 'forest', 'wood', 'golf_course', 'cemetery']

/** @param {...string} kinds @returns {Filter} */
const isKind = (...kinds) => ['match', ['get', 'kind'], kinds, true, false]

/** Widths at zooms 8, 13 and 18. @param {number} far @param {number} near @param {number} close @returns {Expression} */
const widthByZoom = (far, near, close) => ['interpolate', ['exponential', 1.6], ['zoom'], 8, far, 13, near, 18, close]

/**
 * Roads by rank: kinds, zoom from which on they are drawn, and their widths.
 * @type {readonly { id: string, kinds: string[], from: number, widths: [number, number, number], isHighway?: boolean }[]}
 */
const ROADS = [
  { id: 'path', kinds: ['path'], from: 15, widths: [0.2, 0.6, 3] },
  { id: 'minor', kinds: ['minor_road'], from: 12, widths: [0.2, 1.6, 15] },
  { id: 'major', kinds: ['major_road'], from: 7, widths: [0.6, 3, 22] },
  { id: 'highway', kinds: ['highway'], from: 4, widths: [1.2, 4.5, 28], isHighway: true },
]

/**
 * Returns the style of a map.
 * @param {Area} area
 * @param {string} tiles address of the tiles
 * @param {boolean} isDark
 * @returns {Style}
 */
export function styleOf({ version, min_zoom, max_zoom, bounds }, tiles, isDark) {
  const url = `${new URL(tiles, location.origin).href}/{z}/{x}/{y}?v=${version}`
  return {
    version: 8,
    sources: { streets: { type: 'vector', tiles: [url], minzoom: min_zoom, maxzoom: max_zoom, bounds } },
    layers: layersOf(isDark ? DARK : LIGHT),
  }
}

/** @param {typeof LIGHT} colors @returns {Layer[]} */
function layersOf(colors) {
  return [
    { id: 'land', type: 'background', paint: { 'background-color': colors.land } },
    area('green', 'landuse', colors.green, { filter: isKind(...GREEN) }),
    area('water', 'water', colors.water, { filter: ['==', ['geometry-type'], 'Polygon'] }),
    line('river', 'water', colors.water, widthByZoom(0.5, 1.2, 6), { filter: ['==', ['geometry-type'], 'LineString'] }),
    area('buildings', 'buildings', colors.built, { minzoom: 14 }),
    line('rail', 'roads', colors.border, widthByZoom(0.3, 0.8, 2), { filter: isKind('rail'), minzoom: 11 }),
    ...ROADS.map(({ id, kinds, from, widths: [far, near, close] }) =>
      line(`${id}_edge`, 'roads', colors.edge, widthByZoom(far + 0.6, near + 1.6, close + 3), {
        filter: isKind(...kinds),
        minzoom: from + 1,
      }),
    ),
    ...ROADS.map(({ id, kinds, from, widths, isHighway = false }) =>
      line(id, 'roads', isHighway ? colors.highway : colors.street, widthByZoom(...widths), {
        filter: isKind(...kinds),
        minzoom: from,
      }),
    ),
    line('borders', 'boundaries', colors.border, widthByZoom(0.8, 1.2, 1.6), { filter: isKind('country', 'region') }),
    ...names(colors),
  ]
}

/** @param {typeof LIGHT} colors @returns {Layer[]} */
const names = (colors) => [
  label('road_names', 'roads', colors.name, colors, {
    filter: isKind('highway', 'major_road', 'minor_road'),
    minzoom: 13,
    layout: { 'symbol-placement': 'line', 'text-size': widthByZoom(10, 11, 14) },
  }),
  label('water_names', 'water', colors.name, colors, {
    filter: ['==', ['geometry-type'], 'Point'],
    minzoom: 11,
    layout: { 'text-size': 11 },
  }),
  label('quarters', 'places', colors.name, colors, {
    filter: isKind('neighbourhood', 'macrohood'),
    minzoom: 12,
    layout: { 'text-size': 11, 'text-letter-spacing': 0.08, 'text-transform': 'uppercase' },
  }),
  label('towns', 'places', colors.town, colors, {
    filter: isKind('locality'),
    layout: {
      'text-size': ['interpolate', ['linear'], ['zoom'], 6, 11, 14, 17],
      'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'population_rank'], 0]],
    },
  }),
]

/** @typedef {{ filter?: Filter, minzoom?: number }} More */

/** @param {string} id @param {string} sourceLayer @param {string} color @param {More} more @returns {Layer} */
const area = (id, sourceLayer, color, more) => ({
  id,
  type: 'fill',
  source: 'streets',
  'source-layer': sourceLayer,
  paint: { 'fill-color': color },
  ...more,
})

/** @param {string} id @param {string} sourceLayer @param {string} color @param {Expression} width @param {More} more @returns {Layer} */
const line = (id, sourceLayer, color, width, more) => ({
  id,
  type: 'line',
  source: 'streets',
  'source-layer': sourceLayer,
  layout: { 'line-cap': 'round', 'line-join': 'round' },
  paint: { 'line-color': color, 'line-width': width },
  ...more,
})

/**
 * @param {string} id
 * @param {string} sourceLayer
 * @param {string} color
 * @param {typeof LIGHT} colors
 * @param {More & { layout: import('maplibre-gl').SymbolLayerSpecification['layout'] }} more
 * @returns {Layer}
 */
const label = (id, sourceLayer, color, { halo }, { layout, ...more }) => ({
  id,
  type: 'symbol',
  source: 'streets',
  'source-layer': sourceLayer,
  layout: {
    'text-field': ['coalesce', ['get', `name:${document.documentElement.lang}`], ['get', 'name']],
    'text-font': ['Inter'],
    ...layout,
  },
  paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  ...more,
})
