import { html, when, type Html } from '../html.ts'

export type Fact = { label: string; value: Html | string; says?: Html | string | undefined }

/** Draws labeled values in ruled boxes, as on a work order. */
export const facts = (list: readonly Fact[]): Html => html`
<dl class="facts">${list.map(
  ({ label, value, says }) => html`
  <div><dt>${label}</dt><dd>${value}${when(says, (says) => html`<span class="help">${says}</span>`)}</dd></div>`,
)}
</dl>`
