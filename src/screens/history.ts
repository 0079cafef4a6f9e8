import { html, when, type Html } from '../html/html.ts'
import type { HistoryEntry } from '../tools/history.ts'
import { differences } from './differences.ts'
import { moment, words } from './formats.ts'
import type { Locale } from './fields/form_field.ts'

/** Draws what happened to a record, newest first: when, what, who, with what, and the fields that changed. */
export const historyHtml = (entries: readonly HistoryEntry[], locale: Locale): Html => html`
<section class="part">
  <h2>History</h2>${
    entries.length === 0
      ? html`
  <p class="help">No changes are recorded yet.</p>`
      : html`
  <ol class="timeline">${entries.map(
    (entry) => html`
    <li>
      <p><b>${act(entry.tool)}</b> by ${who(entry)} <time datetime="${entry.at}">${moment(entry.at, locale.timezone)}</time></p>${changes(entry, locale)}
    </li>`,
  )}
  </ol>`
  }
</section>`

const PAST: Readonly<Record<string, string>> = {
  create: 'Made',
  update: 'Changed',
  archive: 'Archived',
  delete: 'Deleted',
  cancel: 'Cancelled',
  end: 'Ended',
  void: 'Voided',
  pin: 'Pin changed',
  tag: 'Tags changed',
  merge: 'Merged',
  take_over: 'Taken over',
  ask_deposit: 'Deposit changed',
  record_payment: 'Payment recorded',
  take_back_payment: 'Payment taken back',
  book: 'Booked',
  add_line: 'Line added',
  add_media: 'File added',
  remove_media: 'File removed',
  link_messages: 'Messages linked',
}

/** Names an act: `jobs.update` is Changed; what happens by itself keeps its name, such as Payment received. */
function act(tool: string): string {
  const verb = tool.slice(tool.indexOf('.') + 1)
  return PAST[verb] ?? words(verb)
}

function who({ user_name, credential_kind, credential_name, client }: HistoryEntry): string {
  switch (credential_kind) {
    case 'browser':
      return `${user_name ?? 'somebody'}, here`
    case 'oauth':
      return `${user_name ?? 'somebody'} through ${named(credential_name, client)}`
    case 'user_key':
      return `${user_name ?? 'somebody'} with the key ${named(credential_name, client)}`
    case 'tenant_key':
      return `the company's key ${named(credential_name, client)}`
    default:
      return user_name ?? client ?? 'Callout itself'
  }
}

const named = (name: string | null, client: string | null): string =>
  client === null || client === name ? (name ?? 'of no name') : `${name ?? 'of no name'} (${client})`

function changes({ tool, changed }: HistoryEntry, locale: Locale): Html | '' {
  const rows = tool.endsWith('.create') || tool.endsWith('.book') ? [] : differences(changed, locale)
  return when(
    rows.length > 0,
    () => html`
      <dl class="changes">${rows.map(
        ({ label, before, after }) => html`
        <div><dt>${label}</dt><dd>${before === after ? 'changed inside' : html`${before} → ${after}`}</dd></div>`,
      )}
      </dl>`,
  )
}
