import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { icon, type Icon } from '../../../platform/html/shell.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { formatMonth, moment } from '../../../records/format/formats.ts'
import type { StoryCursor, StoryPage } from '../../../records/history/story_cursor.ts'
import type { MemberContext } from '../../member_context.ts'

/** Something that happened, drawn once it is known to be on the page. */
export type StoryEvent = StoryCursor & {
  /** Id of the record that it is about, where it has an id of its own. */
  about?: string
  icon: Icon
  /** Class that sets it apart: money that came, an unread message. */
  look?: 'good' | 'new' | 'quiet'
  head: () => Html
  body?: () => Html | ''
}

/** Part of a story that can be read alone. */
export type StoryPart = 'visits' | 'messages' | 'money' | 'notes'

/**
 * Events of a page. Where only some changes were read, `horizon` is the oldest of them, also if another event tells of
 * it: what is older belongs to a later page.
 */
export type StoryEvents = { events: readonly StoryEvent[]; horizon: StoryCursor | undefined }

/** Which page of a story is asked for. */
export type StoryQuery = { part: StoryPart | undefined; before: StoryCursor | undefined }

const MAX_SHOWN = 25

/** Events of one record at one moment, which aren't parted. */
const MAX_AT_ONCE = 4

/** Returns how much of each kind a page needs. */
export const pageOf = ({ before }: StoryQuery): StoryPage => ({ before, limit: MAX_SHOWN + MAX_AT_ONCE })

/** Returns the oldest change that was read, if there may be older ones. */
export const horizonOf = (changes: readonly StoryCursor[], { limit }: StoryPage): StoryCursor | undefined =>
  changes.length < limit ? undefined : changes.at(-1)

/** Reads which page of a story an address asks for; the newest where it isn't clear. */
export function readStoryQuery(searchParams: URLSearchParams): StoryQuery {
  const [at = '', id = ''] = (searchParams.get('before') ?? '').slice(0, 80).split('_')
  const part = PARTS.find((one) => one === searchParams.get('show'))
  return { part, before: INSTANT.test(at) && !Number.isNaN(Date.parse(at)) && isId(id) ? { at, id } : undefined }
}

const PARTS: readonly StoryPart[] = ['visits', 'messages', 'money', 'notes']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Story = StoryEvents & {
  /** Path of the record's page. */
  path: string
  query: StoryQuery
  /** Parts that this person may see. */
  parts: readonly StoryPart[]
  /** Form for what is written in place. */
  composer: Html | ''
}

/** Draws what happened to a record, newest first, by month, with the way to what was earlier. */
export function storyHtml(context: MemberContext, { path, query, parts, events, horizon, composer }: Story): Html {
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
    ([month, some]) => html`
  <h3>${formatMonth(month)}</h3>
  <ol class="events">${some.map((event) => eventHtml(event, zone))}
  </ol>`,
  )}${when(
    earlier !== undefined || query.before !== undefined,
    () => html`
  <p class="actions">${when(
    earlier,
    ({ at, id }) =>
      html`<a class="button" rel="next" href="${storyPath(path, query.part, `${at}_${id}`)}">${say`Earlier`}</a>`,
  )}${when(
    query.before !== undefined,
    () => html`<a class="button quiet" href="${storyPath(path, query.part)}">${say`Newest`}</a>`,
  )}</p>`,
  )}
</section>`
}

/** Sorts events, cuts them behind a page, and keeps together what happened to one record at one moment. */
function firstPage({ events, horizon }: StoryEvents): {
  visible: readonly StoryEvent[]
  earlier: StoryCursor | undefined
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

const compareCursors = (a: StoryCursor, b: StoryCursor): number => compareText(a.at, b.at) || compareText(a.id, b.id)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const monthOf = (at: string, zone: string): string =>
  Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth().toString()

function storyPath(path: string, part: StoryPart | undefined, before?: string): string {
  const query = new URLSearchParams({ ...(part && { show: part }), ...(before && { before }) }).toString()
  return `${path}${query === '' ? '' : `?${query}`}#story`
}

const partLinks = (path: string, { part }: StoryQuery, parts: readonly StoryPart[]): Html => html`
  <nav class="story-parts" aria-label="${say`Activity`}">${([undefined, ...parts] as const).map(
    (one) =>
      html`<a href="${storyPath(path, one)}"${attribute('aria-current', one === part, 'true')}>${
        one === undefined ? say`Everything` : partLabel(one)
      }</a>`,
  )}</nav>`

const partLabel = (part: StoryPart): string => PART_LABELS[part]()

const PART_LABELS: Readonly<Record<StoryPart, () => string>> = {
  visits: () => say`Visits`,
  messages: () => say`Messages`,
  money: () => say`Money`,
  notes: () => say`Notes`,
}

const eventHtml = ({ at, icon: name, look, head, body }: StoryEvent, zone: string): Html => html`
    <li class="event${look === undefined ? '' : ` ${look}`}">${icon(name)}
      <div><p class="event-head"><span>${head()}</span> <time datetime="${at}">${moment(at, zone)}</time></p>${
        body?.() ?? ''
      }</div></li>`
