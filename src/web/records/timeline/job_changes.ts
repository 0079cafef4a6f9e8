import { html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { authorityText } from '../../../records/history/history.ts'
import type { HistoryEntry } from '../../../tools/call/history.ts'
import type { MemberContext } from '../../member_context.ts'
import { changeEvent } from './change_event.ts'
import type { TimelineEvent } from './timeline.ts'

/** Tools whose changes a job's story shows as messages. */
const MESSAGE_TOOLS: ReadonlySet<string> = new Set(['messages.send', 'jobs.on_my_way'])

/** Maximum milliseconds between uploads by one person that count as one event. */
const MAX_UPLOAD_GAP_MS = 30 * 60_000

/** Returns the events of a job's changes. Files that someone added together are one event. */
export const jobChangeEvents = (
  context: MemberContext,
  changes: readonly HistoryEntry[],
  job: string,
): TimelineEvent[] =>
  groupUploads(changes.filter(({ tool }) => !MESSAGE_TOOLS.has(tool))).map((group) =>
    group.length > 1 || isUpload(group[0])
      ? uploadEvent(context, job, group)
      : changeEvent(context, group[0], context.path('jobs', job)),
  )

type Group = readonly [newest: HistoryEntry, ...older: HistoryEntry[]]

const isUpload = ({ tool }: HistoryEntry): boolean => tool === 'jobs.add_media'

/** Groups uploads that belong together. Every other entry is alone. Entries are newest first. */
function groupUploads(changes: readonly HistoryEntry[]): Group[] {
  const groups: [HistoryEntry, ...HistoryEntry[]][] = []
  for (const change of changes) {
    const last = groups.at(-1)
    if (last !== undefined && isSameUpload(last[0], change)) last.push(change)
    else groups.push([change])
  }
  return groups
}

const isSameUpload = (newest: HistoryEntry, older: HistoryEntry): boolean =>
  isUpload(newest) &&
  isUpload(older) &&
  newest.user_id === older.user_id &&
  Date.parse(newest.at) - Date.parse(older.at) < MAX_UPLOAD_GAP_MS

/** Returns the event of an upload. The photos are on the same page. */
function uploadEvent(context: MemberContext, job: string, [newest, ...older]: Group): TimelineEvent {
  const one = changeEvent(context, newest, context.path('jobs', job))
  if (older.length === 0) return { ...one, icon: 'camera' }
  const who = newest.user_name ?? say`Callout`
  return {
    ...one,
    icon: 'camera',
    head: () =>
      html`<a href="#media">${sayCount(
        older.length + 1,
        '{1} added one file',
        '{1} added {0} files',
        who,
      )}</a>${authorityText(newest)}`,
  }
}
