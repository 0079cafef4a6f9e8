import { html, type Html } from '../../platform/html/html.ts'

type Tag = { name: string; color: string | null }

/** Renders a tag: its name beside its color. */
const tagChip = ({ name, color }: Tag): Html =>
  html`<span class="tag">${color === null ? '' : swatch(color)}${name}</span>`

/** Renders tags, or a dash for none. */
export const tagChips = (tags: readonly Tag[] | undefined): Html =>
  tags === undefined || tags.length === 0 ? html`–` : html`<span class="tags">${tags.map(tagChip)}</span>`

/** Renders a color, `#RRGGBB`, as an SVG attribute, because the content security policy allows no style attribute. */
export const swatch = (color: string): Html =>
  html`<svg class="swatch" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false"><rect
    width="10" height="10" rx="2" fill="${color}"/></svg>`
