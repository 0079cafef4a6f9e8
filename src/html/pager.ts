import { html, type Html } from './html.ts'

export type Pager = { label: string; previous?: string | undefined; next?: string | undefined }

/** Draws links to the pages before and after. */
export const pager = ({ label, previous, next }: Pager): Html | '' => (previous === undefined && next === undefined ? '' : html`
<nav class="pager" aria-label="${label}">
  ${previous === undefined ? '' : html`<a class="button plain" rel="prev" href="${previous}">Previous</a>`}
  ${next === undefined ? '' : html`<a class="button plain" rel="next" href="${next}">Next</a>`}
</nav>`)
