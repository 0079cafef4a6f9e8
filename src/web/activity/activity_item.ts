import { screens } from '../../records/screens.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import type { Screen } from '../../records/page/screen.ts'
import { previousValuesText } from '../../records/history/history_before.ts'
import { withSubject } from '../../platform/i18n/reader.ts'
import { sentencesOf, subjectOf } from '../../records/history/history_sentences.ts'
import { redactEntry } from '../../tools/call/history.ts'
import type { AuditedChange, ChangeEntry } from '../../undo/changes.ts'
import { maySee } from '../../undo/rights.ts'
import type { MemberContext } from '../member_context.ts'

type ActivityItemOptions = { actions?: Html | string; reason?: string }

/** Renders one change: its records, what changed in them, and when, with `actions` beside it and `reason` below. */
export const activityItemHtml = (
  context: MemberContext,
  { at, entries }: AuditedChange,
  names: ReadonlyMap<string, string>,
  { actions = '', reason }: ActivityItemOptions = {},
): Html => {
  const permitted = entries.filter((entry) => maySee(context.caller, entry) || screenOfRecord(entry) === undefined)
  const visible = permitted.slice(0, MAX_ENTRIES)
  const rest = entries.length - visible.length
  return html`
    <li>${visible.map((entry) => entryHtml(context, entry, names))}${when(
      rest > 0,
      () => html`<p class="help">${sayCount(rest, 'and one more record', 'and {0} more records')}</p>`,
    )}
      <p class="help"><time datetime="${at}">${moment(at, context.company.timezone)}</time>${actions}</p>${when(
        reason,
        (reason) => html`<p class="why">${reason}</p>`,
      )}</li>`
}

/** Maximum records of one change to show. */
const MAX_ENTRIES = 4

function entryHtml(context: MemberContext, change: ChangeEntry, names: ReadonlyMap<string, string>): Html {
  const entry = withAssistantName(redactEntry(context.caller, change))
  const previousText = withSubject(subjectOf(entry), () => previousValuesText(entry.changed, context.company))
  const sentences = sentencesOf(entry, context.company, screenOfRecord(entry)?.entity.record.fields)
  return html`<p>${recordHtml(context, entry, names)}${sentences.join('. ')}${when(
    previousText,
    (previousText) => html`<span class="help">${previousText}</span>`,
  )}</p>`
}

/** Names an assistant instead of the user it works for. */
const withAssistantName = (entry: ChangeEntry): ChangeEntry =>
  entry.credential_kind === 'browser' || entry.credential_name === null
    ? entry
    : { ...entry, user_name: entry.credential_name }

function recordHtml(context: MemberContext, entry: ChangeEntry, names: ReadonlyMap<string, string>): Html | '' {
  const screen = screenOfRecord(entry)
  if (screen === undefined) return ''
  const { record_id } = entry
  const name = names.get(record_id)
  return name === undefined
    ? html`<b>${screen.singular}</b>: `
    : html`<a href="${context.path(screen.entity.name, record_id)}"><b>${name}</b></a>: `
}

const screenOfRecord = ({ record_type }: ChangeEntry): Screen | undefined =>
  screens.find(({ entity }) => entity.singular === record_type)

/** Returns an undo link that also names its change, for screen readers. */
export const undoLink = (context: MemberContext, href: string, { at }: Pick<AuditedChange, 'at'>): Html =>
  html` · <a href="${href}">${say`Undo`}<span class="unseen">: ${moment(at, context.company.timezone)}</span></a>`
