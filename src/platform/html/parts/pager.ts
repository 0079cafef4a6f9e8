import { say } from '../../i18n/say.ts'
import { html, when, type Html } from '../html.ts'

type Pager = { label: string; previous?: string | undefined; next?: string | undefined }

/** Draws links to the previous and next pages. */
export const pager = ({ label, previous, next }: Pager): Html | '' =>
  previous === undefined && next === undefined
    ? ''
    : html`
<nav class="pager" aria-label="${label}">
  ${when(previous, (previous) => html`<a class="button plain" rel="prev" href="${previous}">${say`Previous`}</a>`)}
  ${when(next, (next) => html`<a class="button plain" rel="next" href="${next}">${say`Next`}</a>`)}
</nav>`
