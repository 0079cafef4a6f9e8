import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { pager } from '../../platform/html/parts/pager.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { day as dayText, time } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { isId } from '../../platform/validation/id.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { findActivity, groupWorkSessions, type DayActivity, type WorkSession } from '../../undo/activity.ts'
import { listConnections, type Connection } from '../../undo/connections.ts'
import { findNames } from '../../undo/names.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { activityItemHtml, undoLink } from './activity_item.ts'
import { activityPath, daySpan, undoChangePath, undoSpanPath } from './addresses.ts'

/** Maximum record changes to list per connection: among others, and on its own. */
const [MAX_PER_CONNECTION, MAX_ALONE] = [12, 100]

/** Shows what API keys and apps did on a day, in sentences. Owners see all connections, others their own. */
export async function showActivity(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const searchParams = new URL(request.req.url).searchParams
  const connectionId = searchParams.get('of')
  const today = todayIn(context.company.timezone)
  const day = dayIn(searchParams.get('day'), today)
  const span = daySpan(day, context.company.timezone)
  if (connectionId !== null && !isId(connectionId)) throw notFound('connection')
  const connections = await context.read((db) => listConnections(db, context.caller, connectionId))
  if (connectionId !== null && connections.length === 0) throw notFound('connection')
  const activity = await context.read((db) =>
    findActivity(db, connections, day.toString(), span, connectionId === null ? MAX_PER_CONNECTION : MAX_ALONE),
  )
  const entries = [...activity.values()].flatMap(({ changes }) =>
    changes.flatMap((auditedChange) => auditedChange.entries),
  )
  const names = await context.read((db) => findNames(db, entries))
  const dayPath = (other: Temporal.PlainDate): string =>
    activityPath(context, { ...(connectionId === null ? {} : { of: connectionId }), day: other.toString() })
  return pageResponse(
    frame(context, {
      title: titleOf(connectionId === null ? undefined : connections[0]),
      here: context.path('activity'),
      styles: ['activity.css'],
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow">${dayText(day.toString())}</p>
    <h1>${titleOf(connectionId === null ? undefined : connections[0])}</h1>
  </div>
  ${when(
    connectionId !== null,
    () =>
      html`<p class="actions">${linkButton(
        say`All connections`,
        activityPath(context, { day: day.toString() }),
        'quiet',
      )}</p>`,
  )}
</header>
${[...activity].map(([connection, dayActivity]) =>
  connectionPart(context, connection, dayActivity, { names, day, isAlone: connectionId !== null }),
)}${when(activity.size === 0, () => html`<p class="empty">${emptyText(connections)}</p>`)}
${pager({
  label: say`Days`,
  previous: dayPath(day.subtract({ days: 1 })),
  next: Temporal.PlainDate.compare(day, today) < 0 ? dayPath(day.add({ days: 1 })) : undefined,
})}`,
    }),
  )
}

const titleOf = (connection: Connection | undefined): string => {
  if (connection === undefined) return say`Assistant activity`
  return connection.kind === 'browser'
    ? say`What ${connection.user_name ?? ''} did here`
    : say`What ${connection.name} did`
}

const emptyText = (connections: readonly Connection[]): string =>
  connections.length === 0 ? say`No assistant is connected yet.` : say`No activity on this day.`

/** Parses a day; returns today for invalid text and future days. */
function dayIn(text: string | null, today: Temporal.PlainDate): Temporal.PlainDate {
  const day = parseDay(text ?? '')
  return day === undefined || Temporal.PlainDate.compare(day, today) > 0 ? today : day
}

type ActivityPage = { names: ReadonlyMap<string, string>; day: Temporal.PlainDate; isAlone: boolean }

function connectionPart(
  context: MemberContext,
  connection: Connection,
  dayActivity: DayActivity,
  { names, day, isAlone }: ActivityPage,
): Html {
  const { id, kind, name, user_name } = connection
  const ownerText =
    kind === 'tenant_key'
      ? say`Key of the company`
      : kind === 'user_key'
        ? say`Key of ${user_name ?? ''}`
        : kind === 'oauth'
          ? say`Connected by ${user_name ?? ''}`
          : kind === 'assistant'
            ? say`For ${user_name ?? ''}`
            : ''
  return part(
    isAlone && kind === 'browser' ? say`In the browser` : name,
    html`
  <p class="lead">${summaryOf(dayActivity).join(' · ')}</p>${when(ownerText, (ownerText) => html`<p class="help">${ownerText}</p>`)}${when(
    dayActivity.changes.length > 0,
    () => sessionsHtml(context, connection, groupWorkSessions(dayActivity.changes), names),
  )}${when(dayActivity.hasMore, () =>
    isAlone
      ? html`<p class="help">${say`Only the newest are listed.`}</p>`
      : html`<p>${linkButton(say`All of this day`, activityPath(context, { of: id, day: day.toString() }))}</p>`,
  )}`,
    when(dayActivity.changes.some(isUndoable), () =>
      linkButton(say`Undo this day`, undoSpanPath(context, id, daySpan(day, context.company.timezone))),
    ),
  )
}

/** Renders changes grouped by work session; if there are several, each can be undone separately. */
const sessionsHtml = (
  context: MemberContext,
  { id }: Connection,
  sessions: readonly WorkSession[],
  names: ReadonlyMap<string, string>,
): Html =>
  html`${sessions.map(
    ({ changes, span }) => html`${when(
      sessions.length > 1,
      () => html`
  <h3>${spanText(context, changes)}${when(
    changes.some(isUndoable),
    () =>
      html` <a class="help"
        href="${undoSpanPath(context, id, span)}">${say`Undo these`}<span class="unseen">: ${spanText(
          context,
          changes,
        )}</span></a>`,
  )}</h3>`,
    )}
  <ol class="timeline">${changes.map((auditedChange) => activityItemHtml(context, auditedChange, names, { actions: undoHtml(context, auditedChange) }))}
  </ol>`,
  )}`

function spanText({ company: { timezone } }: MemberContext, changes: WorkSession['changes']): string {
  const [first, last] = [time(changes.at(-1)!.at, timezone), time(changes[0]!.at, timezone)]
  return first === last ? first : `${first} – ${last}`
}

const isUndoable = ({ change, isUndone }: DayActivity['changes'][number]): boolean => change !== null && !isUndone

const undoHtml = (context: MemberContext, auditedChange: DayActivity['changes'][number]): Html | string => {
  if (auditedChange.isUndone) return say`, undone`
  return auditedChange.change === null
    ? ''
    : undoLink(context, undoChangePath(context, auditedChange.change), auditedChange)
}

/** Summarizes activity in counts, proposals for approval included. */
function summaryOf({ reads, proposals, changed, refusals }: DayActivity): string[] {
  const counts = [
    [reads, () => sayCount(reads, 'Read once', 'Read {0} times')],
    [proposals, () => sayCount(proposals, 'Proposed one change', 'Proposed {0} changes')],
    [changed, () => sayCount(changed, 'Changed one record', 'Changed {0} records')],
    [refusals, () => sayCount(refusals, 'Was refused once', 'Was refused {0} times')],
  ] as const
  return counts.flatMap(([count, text]) => (count === 0 ? [] : [text()]))
}
