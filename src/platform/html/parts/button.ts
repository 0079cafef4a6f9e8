import { html, when, type Html } from '../html.ts'

type Kind = 'main' | 'plain' | 'danger' | 'quiet'

type Button = { label: string; kind?: Kind; name?: string; value?: string }

/** Draws a button that sends its form; with a name, it says which of several was pressed. */
export const button = ({ label, kind = 'plain', name, value = '' }: Button): Html =>
  html`<button class="button ${kind}"${when(name, (name) => html` name="${name}" value="${value}"`)}>${label}</button>`

/** Draws a link that looks like a button: it goes somewhere and changes nothing. */
export const linkButton = (label: string | Html, href: string, kind: Kind = 'plain'): Html =>
  html`<a class="button ${kind}" href="${href}">${label}</a>`
