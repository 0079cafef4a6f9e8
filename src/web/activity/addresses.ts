import type { PageContext } from '../../records/page/page_context.ts'
import { JOURNAL_DAYS } from '../../undo/journal.ts'
import { isCustomersOwn } from '../../undo/rights.ts'
import type { Span } from '../../undo/activity.ts'

type Paths = Pick<PageContext, 'path'>

/** Returns the address of what connections did on a day, of one of them alone with `of`. */
export const activityPath = ({ path }: Paths, query: { of?: string; day?: string } = {}): string =>
  withQuery(path('activity'), query)

/** Returns the address at which a change is undone; `back` is where it was asked for. */
export const undoChangePath = ({ path }: Paths, change: string, back?: string): string =>
  withQuery(path('undo'), { change, ...(back === undefined ? {} : { back }) })

/** Returns the address at which what a connection did in a span is undone. */
export const undoSpanPath = ({ path }: Paths, of: string, { from, until }: Span): string =>
  withQuery(path('undo'), { of, from, until })

function withQuery(path: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Returns the instants between which a day of a zone lies. */
export function spanOf(day: Temporal.PlainDate, timezone: string): Span {
  const at = (one: Temporal.PlainDate): string =>
    one.toZonedDateTime(timezone).toInstant().toString({ smallestUnit: 'millisecond' })
  return { from: at(day), until: at(day.add({ days: 1 })) }
}

/** Returns how an entry of a record's history is undone by this person; undefined where it isn't theirs, or too old. */
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
    const isKept = Date.now() - Date.parse(at) < JOURNAL_DAYS * 24 * 3_600_000
    const isTheirs =
      caller.role === 'owner' || user_id === caller.user || (caller.role === 'office' && isCustomersOwn(tool))
    return change_id !== null && !is_undone && isKept && isTheirs
      ? undoChangePath({ path }, change_id, back)
      : undefined
  }
