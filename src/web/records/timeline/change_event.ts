import { html, type Html } from '../../../platform/html/html.ts'
import { authorityText, undoLink } from '../../../records/history/history.ts'
import type { CustomerChange } from '../../../records/history/customer_changes.ts'
import { sentencesOf } from '../../../records/history/history_sentences.ts'
import { recordLink } from '../../../records/page/links.ts'
import { screens } from '../../../records/screens.ts'
import type { HistoryEntry } from '../../../tools/call/history.ts'
import { undoOfEntry } from '../../activity/addresses.ts'
import type { MemberContext } from '../../member_context.ts'
import type { TimelineEvent } from './timeline.ts'

type Change = HistoryEntry & Partial<Pick<CustomerChange, 'record_type' | 'record_id' | 'record_name'>>

/** Returns a change as sentences with its undo. `back` is the page that shows the undo. */
export function changeEvent(context: MemberContext, change: Change, back: string): TimelineEvent {
  const screen = screens.find(({ entity }) => entity.singular === (change.record_type ?? ''))
  const fields = screens.find(({ entity }) => change.tool.startsWith(`${entity.name}.`))?.entity.record.fields
  const isByProgram = change.credential_kind !== null && change.credential_kind !== 'browser'
  const recordName = (): Html | '' =>
    screen !== undefined && change.record_id !== undefined && change.record_name != null
      ? html`${recordLink(context, screen.entity.name, change.record_id, change.record_name)}: `
      : ''
  return {
    id: change.id,
    at: change.at,
    icon: isByProgram ? 'assistant' : 'settings',
    look: 'quiet',
    head: () =>
      html`${recordName()}${sentencesOf(change, context.company, fields).join('. ')}${authorityText(
        change,
      )}${undoLink(change, undoOfEntry(context, back)(change), context.company)}`,
  }
}

/** Returns the creator of each record made with a key or an app, by record id. */
export const creatorsOf = (changes: readonly CustomerChange[]): Map<string, string> =>
  new Map(
    changes
      .filter(isCreation)
      .map((change) => [change.record_id, `${change.user_name ?? ''}${authorityText(change)}`.replace(/^, /, '')]),
  )

const isCreation = ({ tool }: CustomerChange): boolean => tool.endsWith('.create')

/** Returns the changes, except those already shown by an event about the same record at the same time. */
export const changeEvents = (
  context: MemberContext,
  changes: readonly CustomerChange[],
  events: readonly TimelineEvent[],
  back: string,
): TimelineEvent[] =>
  changes
    .filter(
      (change) =>
        !hasOwnEvent(change) ||
        events.every(
          ({ id, about = id, at }) =>
            about !== change.record_id || Math.abs(Date.parse(at) - Date.parse(change.at)) > MAX_AUDIT_GAP_MS,
        ),
    )
    .map((change) => changeEvent(context, change, back))

/** Checks whether an event shows the change too: a creation, a status change or a payment. */
const hasOwnEvent = ({ tool, changed }: CustomerChange): boolean => !tool.endsWith('.update') || 'status' in changed

/** Maximum milliseconds between an event and its audit entry. */
const MAX_AUDIT_GAP_MS = 2_000
