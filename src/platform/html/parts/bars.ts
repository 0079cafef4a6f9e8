import { html, when, type Html } from '../html.ts'

type Bar = { label: string; value: number; says: string }

const [WIDTH, HEIGHT, FOOT] = [360, 190, 26]

/** Maximum number of labeled bars. With a label below each, the text would be too small to read on a phone. */
const LABELED = 3

/** Draws upright bars with their values in words; people who don't see them get a table of the same. */
export function bars(title: string, list: readonly Bar[]): Html {
  const most = Math.max(1, ...list.map(({ value }) => value))
  const highest = list.findIndex(({ value }) => value === most)
  const step = WIDTH / Math.max(1, list.length)
  const heightOf = (value: number): number => Math.round((value / most) * (HEIGHT - FOOT - 22))
  return html`
<figure class="chart">
  <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${list.map(
    ({ label, value, says }, i) => html`
    <g><title>${label}: ${says}</title>
      <rect x="${Math.round(i * step + step * 0.16)}" y="${
        HEIGHT - FOOT - heightOf(value)
      }" width="${Math.round(step * 0.68)}" height="${heightOf(value)}" rx="3"/>${when(
        i === highest,
        () => html`
      <text x="${inside((i + 0.5) * step, 38)}" y="${HEIGHT - FOOT - heightOf(value) - 7}">${says}</text>`,
      )}${when(
        (list.length - 1 - i) % LABELED === 0,
        () => html`
      <text class="chart-foot" x="${inside((i + 0.5) * step, 22)}" y="${HEIGHT - 6}">${label}</text>`,
      )}</g>`,
  )}
    <path d="M0 ${HEIGHT - FOOT + 0.5}H${WIDTH}"/>
  </svg>
  ${barTable(title, list)}
</figure>`
}

/** Returns the middle of a text of some width so that neither end is cut off. */
const inside = (middle: number, half: number): number => Math.round(Math.min(Math.max(middle, half), WIDTH - half))

/** Draws parts of a whole as horizontal bars, each with its name and its number. */
export function shareBars(title: string, list: readonly Bar[]): Html {
  const most = Math.max(1, ...list.map(({ value }) => value))
  return html`
<dl class="shares" aria-label="${title}">${list.map(
    ({ label, value, says }) => html`
  <div><dt>${label}</dt><dd>${barSvg(Math.max(1, Math.round((value / most) * 100)))}<span>${says}</span></dd></div>`,
  )}
</dl>`
}

const barSvg = (width: number): Html =>
  html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="10"
  rx="2"/></svg>`

/** Draws the same as a table, in an element that can be hidden, which a table itself can't be. */
const barTable = (title: string, list: readonly Bar[]): Html => html`
  <div class="unseen"><table><caption>${title}</caption><tbody>${list.map(
    ({ label, says }) => html`<tr><th scope="row">${label}</th><td>${says}</td></tr>`,
  )}</tbody></table></div>`
