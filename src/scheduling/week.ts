import { invalidField } from '../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Part of a day, in local minutes since midnight; `to` is exclusive, 1440 at most. */
export type WorkSpan = { from: number; to: number }

/** Working spans of each day, from Monday. */
export type WorkWeek = readonly (readonly WorkSpan[])[]

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Maximum spans of a day. */
export const MAX_SPANS = 4

const DEFAULT_DAY: readonly WorkSpan[] = [{ from: 8 * 60, to: 17 * 60 }]

/** Week of a company that hasn't set its own: Monday to Friday from 8 to 17. */
export const DEFAULT_WEEK: WorkWeek = [DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, [], []]

/** Span as entered in a form: `08:00`, `17:00`. */
export type SpanInput = readonly [from: string, to: string]

/** Parses the spans of a day and sorts them. Empty pairs are ignored. */
export function readSpans(pairs: readonly SpanInput[], field: string): WorkSpan[] {
  const filled = pairs.filter(([from, to]) => from !== '' || to !== '')
  if (filled.length > MAX_SPANS) throw invalidField(field, refusals.tooManySpans({ max: MAX_SPANS }))
  const spans = filled.map(([from, to]) => parseSpan(from, to, field)).sort((a, b) => a.from - b.from)
  if (spans.some(({ from }, i) => from < (spans[i - 1]?.to ?? 0))) throw invalidField(field, refusals.overlap())
  return spans
}

function parseSpan(typedFrom: string, typedTo: string, field: string): WorkSpan {
  const from = parseMinute(typedFrom)
  const to = typedTo === '00:00' ? 1440 : parseMinute(typedTo)
  if (from === undefined || to === undefined)
    throw invalidField(field, refusals.spanIncomplete({ from: typedFrom, to: typedTo }))
  if (to <= from) throw invalidField(field, refusals.endBeforeStart({ from: typedFrom, to: typedTo }))
  return { from, to }
}

function parseMinute(text: string): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}

/** Formats a minute of the day for a time input: `08:00`. */
export const clockText = (minute: number): string =>
  `${String(Math.floor((minute % 1440) / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

type StoredSpans = readonly (readonly [number, number])[]

export const spansOf = (stored: StoredSpans): WorkSpan[] => stored.map(([from, to]) => ({ from, to }))

/** Returns spans as they are stored. */
export const toPairs = (spans: readonly WorkSpan[]): StoredSpans => spans.map(({ from, to }) => [from, to])
