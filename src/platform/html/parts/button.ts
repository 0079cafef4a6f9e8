import { html, when, type Html } from '../html.ts'

type Kind = 'main' | 'plain' | 'danger' | 'quiet'

type Button = { label: string; kind?: Kind; name?: string; value?: string }

/** Draws a submit button; its name and value identify it among several. */
export const button = ({ label, kind = 'plain', name, value = '' }: Button): Html =>
  html`<button class="button ${kind}"${when(name, (name) => html` name="${name}" value="${value}"`)}>${label}</button>`

/** Draws a link that looks like a button, for navigation only. */
export const linkButton = (label: string | Html, href: string, kind: Kind = 'plain'): Html =>
  html`<a class="button ${kind}" href="${href}">${label}</a>`
