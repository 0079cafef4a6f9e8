import { encodeQR } from 'qr'
import { html, type Html } from '../html.ts'

/** Maximum number of characters, so that a phone's camera can still read the code. */
const MAX_CHARS = 400

/** Draws a text as a QR code (ISO/IEC 18004), black on white even in dark mode; `label` is its accessible name. */
export function qrCode(text: string, label: string): Html {
  const { size, path } = qrPath(text)
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"
  shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`
}

/** Returns the dark modules of a QR code as SVG path data, and the side of the square including its border. */
export function qrPath(text: string): { size: number; path: string } {
  if (text.length > MAX_CHARS) throw new Error('This is too long for a QR code')
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('')
  return { size: rows.length, path }
}

/** Returns the start and the length of each dark run. */
function runsOf(row: readonly boolean[]): [x: number, length: number][] {
  const runs: [number, number][] = []
  let run: [number, number] | undefined
  row.forEach((isDark, x) => {
    if (!isDark) run = undefined
    else if (run === undefined) runs.push((run = [x, 1]))
    else run[1]++
  })
  return runs
}
