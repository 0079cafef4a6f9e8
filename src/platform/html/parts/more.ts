import { html, type Html } from '../html.ts'

/** Draws a menu of further actions behind one button; it opens without a script. */
export const moreMenu = (label: string, items: readonly Html[]): Html | '' =>
  items.length === 0
    ? ''
    : html`
<details class="more">
  <summary class="button quiet">${label}</summary>
  <ul>${items.map(
    (item) => html`
    <li>${item}</li>`,
  )}
  </ul>
</details>`
