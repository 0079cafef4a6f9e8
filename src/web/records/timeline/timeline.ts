import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { icon, type Icon } from '../../../platform/html/shell.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { formatMonth, moment } from '../../../records/format/formats.ts'
import type { HistoryCursor, HistoryPage } from '../../../records/history/history_cursor.ts'
import type { MemberContext } from '../../member_context.ts'

/** Event of a story. It is drawn only if it is on the page. */
export type TimelineEvent = HistoryCursor & {
  /** Id of the record it is about, if the event has an id of its own. */
  about?: string
  icon: Icon
  /** CSS class that sets it apart, such as for a payment or an unread message. */
  look?: 'good' | 'new' | 'quiet'
  head: () => Html
  body?: () => Html | ''
}

/** Filter of a story. */
export type TimelinePart = 'visits' | 'messages' | 'money' | 'notes'

/**
 * Events of a page. If only some changes were read, `horizon` is the oldest of them, even if another event shows it.
 * Older events belong to a later page.
 */
export type TimelineEvents = { events: readonly TimelineEvent[]; horizon: HistoryCursor | undefined }

/** Requested page of a story. */
export type TimelineQuery = { part: TimelinePart | undefined; before: HistoryCursor | undefined }

const MAX_SHOWN = 25

/** Maximum events of one record at one moment, which stay on one page. */
const MAX_AT_ONCE = 4

/** Returns how many events of each kind a page reads. */
export const pageOf = ({ before }: TimelineQuery): HistoryPage => ({ before, limit: MAX_SHOWN + MAX_AT_ONCE })

/** Returns the oldest change read, if there may be older ones. */
export const horizonOf = (changes: readonly HistoryCursor[], { limit }: HistoryPage): HistoryCursor | undefined =>
  changes.length < limit ? undefined : changes.at(-1)

/** Parses the requested page of a story from the URL. Invalid values give the newest page. */
export function readTimelineQuery(searchParams: URLSearchParams): TimelineQuery {
  const [at = '', id = ''] = (searchParams.get('before') ?? '').slice(0, 80).split('_')
  const part = PARTS.find((one) => one === searchParams.get('show'))
  return { part, before: INSTANT.test(at) && !Number.isNaN(Date.parse(at)) && isId(id) ? { at, id } : undefined }
}

const PARTS: readonly TimelinePart[] = ['visits', 'messages', 'money', 'notes']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Timeline = TimelineEvents & {
  /** Path of the record's page. */
  path: string
  query: TimelineQuery
  /** Filters this person may use. */
  parts: readonly TimelinePart[]
  /** Form to write in place. */
  composer: Html | ''
}

/** Draws a record's activity by month, newest first, with a link to earlier events. */
export function timelineHtml(
  context: MemberContext,
  { path, query, parts, events, horizon, composer }: Timeline,
): Html {
  const { visible, earlier } = firstPage({ events, horizon })
  const zone = context.company.timezone
  return html`
<section class="story" id="story" aria-labelledby="story-head">
  <header class="story-head"><h2 id="story-head">${say`Activity`}</h2>${when(parts.length > 1, () =>
    partLinks(path, query, parts),
  )}</header>${when(query.before === undefined, () => composer)}${when(
    visible.length === 0,
    () => html`
  <p class="help">${say`Nothing here yet.`}</p>`,
  )}${[...Map.groupBy(visible, ({ at }) => monthOf(at, zone))].map(
    ([month, monthEvents]) => html`
  <h3>${formatMonth(month)}</h3>
  <ol class="events">${monthEvents.map((event) => eventHtml(event, zone))}
  </ol>`,
  )}${when(
    earlier !== undefined || query.before !== undefined,
    () => html`
  <p class="actions">${when(
    earlier,
    ({ at, id }) =>
      html`<a class="button" rel="next" href="${timelinePath(path, query.part, `${at}_${id}`)}">${say`Earlier`}</a>`,
  )}${when(
    query.before !== undefined,
    () => html`<a class="button quiet" href="${timelinePath(path, query.part)}">${say`Newest`}</a>`,
  )}</p>`,
  )}
</section>`
}

/** Sorts events and cuts them after a page. Events of one record at one moment stay together. */
function firstPage({ events, horizon }: TimelineEvents): {
  visible: readonly TimelineEvent[]
  earlier: HistoryCursor | undefined
} {
  const sorted = events
    .filter((event) => horizon === undefined || compareCursors(event, horizon) >= 0)
    .toSorted((a, b) => compareCursors(b, a))
  const last = sorted[MAX_SHOWN - 1]
  if (last === undefined) return { visible: sorted, earlier: horizon }
  const end = sorted.findLastIndex(({ at, id }) => at === last.at && id === last.id) + 1
  const isLast = end === sorted.length && horizon === undefined
  return { visible: sorted.slice(0, end), earlier: isLast ? undefined : { at: last.at, id: last.id } }
}

const compareCursors = (a: HistoryCursor, b: HistoryCursor): number =>
  compareText(a.at, b.at) || compareText(a.id, b.id)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const monthOf = (at: string, zone: string): string =>
  Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth().toString()

function timelinePath(path: string, part: TimelinePart | undefined, before?: string): string {
  const query = new URLSearchParams({ ...(part && { show: part }), ...(before && { before }) }).toString()
  return `${path}${query === '' ? '' : `?${query}`}#story`
}

const partLinks = (path: string, { part }: TimelineQuery, parts: readonly TimelinePart[]): Html => html`
  <nav class="story-parts" aria-label="${say`Activity`}">${([undefined, ...parts] as const).map(
    (one) =>
      html`<a href="${timelinePath(path, one)}"${attribute('aria-current', one === part, 'true')}>${
        one === undefined ? say`Everything` : partLabel(one)
      }</a>`,
  )}</nav>`

const partLabel = (part: TimelinePart): string => PART_LABELS[part]()

const PART_LABELS: Readonly<Record<TimelinePart, () => string>> = {
  visits: () => say`Visits`,
  messages: () => say`Messages`,
  money: () => say`Money`,
  notes: () => say`Notes`,
}

const eventHtml = ({ at, icon: name, look, head, body }: TimelineEvent, zone: string): Html => html`
    <li class="event${look === undefined ? '' : ` ${look}`}">${icon(name)}
      <div><p class="event-head"><span>${head()}</span> <time datetime="${at}">${moment(at, zone)}</time></p>${
        body?.() ?? ''
      }</div></li>`
