import { attribute, html, when, type Html } from '../html.ts'

export type Notice = { kind: 'info' | 'good' | 'warning' | 'error'; title: string; body?: Html | string }

/** Draws a notice. Screen readers announce an error as soon as the page loads. */
export const notice = ({ kind, title, body }: Notice): Html => html`
<div class="notice ${kind}"${attribute('role', kind === 'error', 'alert')}>
  <p class="notice-title">${title}</p>${when(
    body,
    (body) => html`
  <p>${body}</p>`,
  )}
</div>`
