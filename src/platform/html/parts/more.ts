import { html, type Html } from '../html.ts'

/** Draws further things to do behind one button, in their order; it opens without script. */
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
