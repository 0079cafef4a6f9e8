import { layout, type Spot, type Way } from './layout.ts'
import { importsBetweenModules, readModules, withoutShortcuts, type Arrow, type Module } from './modules.ts'

const WIDTH = 1190
const MARGINS = [122, 1162] as const
const [ROW, BOX, BOX_WIDTH] = [112, 54, 126]
const TOP = 34

const STYLE = `
    svg { --paper: #fbfaf7; --band: #f1eee7; --box: #ffffff; --line: #b9b1a1; --ink: #23201a; --soft: #6d6558; --arrow: #7d8a99 }
    @media (prefers-color-scheme: dark) { svg { --paper: #16181b; --band: #1d2024; --box: #272b31; --line: #4a515b; --ink: #eceae5; --soft: #a29d93; --arrow: #7f8c9c } }
    .paper { fill: var(--paper) } .band { fill: var(--band) } .box { fill: var(--box); stroke: var(--line) }
    .arrow { fill: none; stroke: var(--arrow); stroke-width: 1.4 } #head path { fill: var(--arrow) }
    text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink) }
    .layer { font-size: 13px; font-weight: 600; letter-spacing: .04em; fill: var(--soft) } .name { font-size: 14px; font-weight: 600; text-anchor: middle }
    .caption { font-size: 10.5px; text-anchor: middle; fill: var(--soft) }`

/** Draws the modules of docs/contributing/architecture.md by layer, and the imports between them that others don't imply. */
export async function picture(): Promise<string> {
  const modules = await readModules()
  return draw(modules, withoutShortcuts(await importsBetweenModules(modules)))
}

function draw(modules: readonly Module[], arrows: readonly Arrow[]): string {
  const layers = [...new Set(modules.map(({ layer }) => layer))]
  const boxes = modules.map(({ name, layer }) => ({ name, row: layers.indexOf(layer), width: BOX_WIDTH }))
  const { ways } = layout(boxes, arrows.filter(isNotBackward), MARGINS)
  const spots = new Map(
    ways.flatMap((way) => way.spots.filter(({ isBend }) => !isBend)).map((spot) => [spot.name, spot]),
  )
  const isMutual = (way: Way): boolean => arrows.some(({ from, to }) => from === way.to && to === way.from)
  const height = TOP * 2 + layers.length * ROW - (ROW - BOX)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">`,
    `  <title id="title">The modules of src/ by layer; an arrow leads from a module to one that it imports</title>`,
    `  <style>${STYLE}\n  </style>`,
    '  <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0.8 L8 4 L0 7.2 Z"/></marker></defs>',
    `  <rect class="paper" width="${WIDTH}" height="${height}" rx="12"/>`,
    ...layers.map(
      (layer, row) =>
        `  <rect class="band" x="14" y="${topOf(row) - 15}" width="${WIDTH - 28}" height="${BOX + 30}" rx="10"/><text class="layer" x="34" y="${topOf(row) + BOX / 2 + 5}">${layer}</text>`,
    ),
    ...ways.map(
      (way) =>
        `  <path class="arrow" d="${pathOf(way, ways)}" marker-end="url(#head)"${isMutual(way) ? ' marker-start="url(#head)"' : ''}/>`,
    ),
    ...modules.map((module) => boxOf(module, spots.get(module.name)!)),
    '</svg>',
    '',
  ].join('\n')

  /** Keeps one arrow, with two heads, of two modules that import each other. */
  function isNotBackward({ from, to }: Arrow): boolean {
    return from < to || !arrows.some((other) => other.from === to && other.to === from)
  }
}

const topOf = (row: number): number => TOP + row * ROW

function boxOf({ name, caption }: Module, { x, row, width }: Spot): string {
  const [left, top] = [round(x - width / 2), topOf(row)]
  return [
    `  <rect class="box" x="${left}" y="${top}" width="${width}" height="${BOX}" rx="7"/>`,
    `<text class="name" x="${round(x)}" y="${top + 24}">${name}</text><text class="caption" x="${round(x)}" y="${top + 41}">${caption}</text>`,
  ].join('')
}

/**
 * Returns a curve from the lower edge of a box, past its bends, to the upper edge of another; in one row a line from side
 * to side.
 */
function pathOf({ spots }: Way, ways: readonly Way[]): string {
  const [first, last] = [spots[0]!, spots.at(-1)!]
  if (first.row === last.row) {
    const side = Math.sign(last.x - first.x)
    const y = topOf(first.row) + BOX / 2
    return `M${round(first.x + (side * first.width) / 2)} ${y} H${round(last.x - side * (last.width / 2 + 1))}`
  }
  let [x, y] = [portOf(first, spots[1]!, ways), topOf(first.row) + BOX]
  let path = `M${round(x)} ${y}`
  for (const [i, spot] of spots.slice(1).entries()) {
    const [nextX, nextY] =
      spot === last ? [portOf(last, spots[i]!, ways), topOf(spot.row) - 2] : [spot.x, topOf(spot.row)]
    const half = (nextY - y) / 2
    path += ` C${round(x)} ${round(y + half)} ${round(nextX)} ${round(nextY - half)} ${round(nextX)} ${nextY}`
    if (spot !== last) path += ` V${nextY + BOX}`
    ;[x, y] = [nextX, nextY + (spot === last ? 0 : BOX)]
  }
  return path
}

/**
 * Returns where on the edge of a box the arrow from or to a neighbor ends: they lie side by side in the order of where they
 * come from.
 */
function portOf(box: Spot, neighbor: Spot, ways: readonly Way[]): number {
  const joined = ways
    .flatMap(({ spots }) => (spots[0] === box ? [spots[1]!] : spots.at(-1) === box ? [spots.at(-2)!] : []))
    .filter((one) => Math.sign(one.row - box.row) === Math.sign(neighbor.row - box.row))
    .sort((a, b) => a.x - b.x)
  const step = Math.min(16, (box.width - 24) / Math.max(1, joined.length - 1))
  return box.x + (joined.indexOf(neighbor) - (joined.length - 1) / 2) * step
}

const round = (value: number): number => Math.round(value * 10) / 10
