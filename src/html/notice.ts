import { html } from './html.ts'
import type { Html } from './html.ts'

export type Notice = { kind: 'info' | 'good' | 'warning' | 'error'; title: string; says?: Html | string }

/** Something to know before going on; an error is announced as soon as the page is there. */
export const notice = ({ kind, title, says }: Notice): Html => html`
<div class="notice ${kind}"${kind === 'error' ? html` role="alert"` : ''}>
  <p class="notice-title">${title}</p>${says === undefined ? '' : html`
  <p>${says}</p>`}
</div>`
