import { html, type Html } from '../html.ts'

type Kind = 'plain' | 'active' | 'good' | 'warning' | 'error' | 'ended'

/** Draws a record's state as a dot and a word; the color only repeats the word. */
export const status = (label: string, kind: Kind = 'plain'): Html => html`<span class="status ${kind}">${label}</span>`
