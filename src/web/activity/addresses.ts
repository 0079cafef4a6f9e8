import type { PageContext } from '../../records/page/page_context.ts'
import { JOURNAL_DAYS } from '../../undo/journal.ts'
import { isByCustomer } from '../../undo/rights.ts'
import type { Span } from '../../undo/activity.ts'

type Paths = Pick<PageContext, 'path'>

/** Returns the path of a day's activity, of all connections or only of `connection`. */
export const activityPath = ({ path }: Paths, query: { of?: string; day?: string } = {}): string =>
  withQuery(path('activity'), query)

/** Returns the path for undoing a change; `back` is the page to return to. */
export const undoChangePath = ({ path }: Paths, change: string, back?: string): string =>
  withQuery(path('undo'), { change, ...(back === undefined ? {} : { back }) })

/** Returns the path for undoing everything a connection did in a time span. */
export const undoSpanPath = ({ path }: Paths, connection: string, { from, until }: Span): string =>
  withQuery(path('undo'), { of: connection, from, until })

function withQuery(path: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Returns the start and end of a day in a time zone. */
export function daySpan(day: Temporal.PlainDate, timezone: string): Span {
  const instantAt = (one: Temporal.PlainDate): string =>
    one.toZonedDateTime(timezone).toInstant().toString({ smallestUnit: 'millisecond' })
  return { from: instantAt(day), until: instantAt(day.add({ days: 1 })) }
}

/** Returns how this user can undo a history entry; undefined if it isn't theirs or is too old. */
export const undoOfEntry =
  ({ path, caller }: Pick<PageContext, 'path' | 'caller'>, back: string) =>
  ({
    change_id,
    is_undone,
    user_id,
    tool,
    at,
  }: {
    change_id: string | null
    is_undone: boolean
    user_id: string | null
    tool: string
    at: string
  }): string | undefined => {
    const isRetained = Date.now() - Date.parse(at) < JOURNAL_DAYS * 24 * 3_600_000
    const mayUndo =
      caller.role === 'owner' || user_id === caller.user || (caller.role === 'office' && isByCustomer(tool))
    return change_id !== null && !is_undone && isRetained && mayUndo
      ? undoChangePath({ path }, change_id, back)
      : undefined
  }
