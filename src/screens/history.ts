import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { Entry } from '../tools/history.ts'
import { moment, words } from './formats.ts'

/** What happened to a record, newest first: when, what, who, with what, and the fields that changed. */
export const historyHtml = (entries: readonly Entry[], zone: string): Html => html`
<section class="part">
  <h2>History</h2>${entries.length === 0 ? html`
  <p class="empty">Nothing is written down yet.</p>` : html`
  <ol class="timeline">${entries.map((entry) => html`
    <li>
      <p><b>${act(entry.tool)}</b> by ${who(entry)} <time datetime="${entry.at}">${moment(entry.at, zone)}</time></p>${changes(entry, zone)}
    </li>`)}
  </ol>`}
</section>`

/** `jobs.update` is Update. */
const act = (tool: string): string => words(tool.slice(tool.indexOf('.') + 1))

function who({ user_name, credential_kind, credential_name, client }: Entry): string {
  switch (credential_kind) {
    case 'browser': return `${user_name ?? 'somebody'}, here`
    case 'oauth': return `${user_name ?? 'somebody'} through ${named(credential_name, client)}`
    case 'user_key': return `${user_name ?? 'somebody'} with the key ${named(credential_name, client)}`
    case 'tenant_key': return `the company's key ${named(credential_name, client)}`
    default: return user_name ?? 'Callout itself'
  }
}

const named = (name: string | null, client: string | null): string =>
  client === null || client === name ? name ?? 'of no name' : `${name ?? 'of no name'} (${client})`

function changes({ tool, changed }: Entry, zone: string): Html | '' {
  const rows = Object.entries(changed)
  if (rows.length === 0 || tool.endsWith('.create')) return ''
  return html`
      <dl class="changes">${rows.map(([name, [before, after]]) => html`
        <div><dt>${words(name)}</dt><dd>${brief(before, zone)} → ${brief(after, zone)}</dd></div>`)}
      </dl>`
}

function brief(value: unknown, zone: string): string {
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : clipped(value.map(nameIn).join(', '))
  if (typeof value !== 'string') return clipped(JSON.stringify(value))
  return INSTANT.test(value) ? moment(value, zone) : clipped(WORD.test(value) ? words(value) : value)
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const WORD = /^[a-z]+(_[a-z]+)+$/

const clipped = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

function nameIn(value: unknown): string {
  const name = (value as { name?: unknown } | null)?.name
  return typeof name === 'string' ? name : typeof value === 'string' ? value : JSON.stringify(value)
}
