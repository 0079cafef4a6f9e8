import { html, type Html } from './html.ts'

export type Notice = { kind: 'info' | 'good' | 'warning' | 'error'; title: string; body?: Html | string }

/** Draws something to know before going on; an error is announced as soon as the page is there. */
export const notice = ({ kind, title, body }: Notice): Html => html`
<div class="notice ${kind}"${kind === 'error' ? html` role="alert"` : ''}>
  <p class="notice-title">${title}</p>${body === undefined ? '' : html`
  <p>${body}</p>`}
</div>`
