import { attribute, html, when, type Html } from '../html.ts'

export type Notice = { kind: 'info' | 'good' | 'warning' | 'error'; title: string; body?: Html | string }

/** Draws something to know before going on; an error is announced as soon as the page is there. */
export const notice = ({ kind, title, body }: Notice): Html => html`
<div class="notice ${kind}"${attribute('role', kind === 'error', 'alert')}>
  <p class="notice-title">${title}</p>${when(
    body,
    (body) => html`
  <p>${body}</p>`,
  )}
</div>`
