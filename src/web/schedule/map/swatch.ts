import { html, type Html } from '../../../platform/html/html.ts'
import { colorClass, shapeOf } from './map_svg.ts'

/** Draws a technician's pin as a legend symbol. */
export const swatchHtml = (color: number | null): Html =>
  html`<svg class="swatch pin ${colorClass(color)}" viewBox="-18 -18 36 36" aria-hidden="true"><path
    d="${shapeOf(color)}"/></svg>`
