import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { HistoryEntry } from '../../tools/call/history.ts'
import type { RecordFacts } from '../../tools/declare/record_facts.ts'
import { moment } from '../format/formats.ts'
import type { Locale } from '../fields/form_field.ts'
import { sentencesOf } from './history_sentences.ts'

/** Renders a record's history, newest first: sentences about who did what, and when. */
export const historyHtml = (
  entries: readonly HistoryEntry[],
  locale: Locale,
  { fields }: RecordFacts,
  undoOf: (entry: HistoryEntry) => string | undefined,
): Html => html`
<section class="part">
  <h2>${say`History`}</h2>${
    entries.length === 0
      ? html`
  <p class="help">${say`No changes yet.`}</p>`
      : html`
  <ol class="timeline">${entries.map(
    (entry) => html`
    <li>${sentencesOf(entry, locale, fields).map(
      (sentence) => html`<p>${sentence}</p>`,
    )}<p class="help"><time datetime="${entry.at}">${moment(
      entry.at,
      locale.timezone,
    )}</time>${authorityText(entry)}${undoLink(entry, undoOf(entry), locale)}</p></li>`,
  )}
  </ol>`
  }
</section>`

/** Renders the undo link of an entry, or a note that it was undone. */
export const undoLink = (entry: HistoryEntry, href: string | undefined, { timezone }: Locale): Html | string =>
  entry.is_undone
    ? say`, undone`
    : when(
        href,
        (href) =>
          html` · <a href="${href}">${say`Undo`}<span class="unseen">: ${moment(entry.at, timezone)}</span></a>`,
      )

/** Returns the API key or app of a change and its approver; empty for a change made on the pages. */
export function authorityText({ approved_by_name, ...entry }: HistoryEntry): string {
  const clientName = clientText(entry)
  return approved_by_name == null ? clientName : say`${clientName}, approved by ${approved_by_name}`
}

function clientText({ credential_kind, credential_name, client }: HistoryEntry): string {
  const name = client === null || client === credential_name ? credential_name : `${credential_name ?? ''} (${client})`
  if (name === null || credential_kind === null || credential_kind === 'browser') return ''
  if (credential_kind === 'assistant') return say`, through the assistant`
  return credential_kind === 'oauth' ? say`, through ${name}` : say`, with the key ${name}`
}
