import { createHash } from 'node:crypto'
import { pageResponse, ownPath } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { invalid, notFound } from '../../platform/errors/refusal.ts'
import { day, moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { isId } from '../../platform/validation/id.ts'
import { MAX_RECORDS, type UndoScope } from '../../undo/changes.ts'
import { listConnections, type Connection } from '../../undo/connections.ts'
import { findNames } from '../../undo/names.ts'
import { previewUndo, undoWithin, type UndoReport } from '../../undo/undo.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { activityItemHtml } from './activity_item.ts'
import { activityPath, daySpan, undoChangePath } from './addresses.ts'
import { skipReasonText } from './reasons.ts'

/** Shows what an undo would restore and what it would leave, before it runs. */
export async function showUndo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const undoRequest = await readUndoRequest(context, new URL(request.req.url).searchParams)
  return page(context, undoRequest, await previewOf(site, context, undoRequest.scope))
}

/** Undoes what was shown. If the result would differ by now, shows the new preview instead. */
export async function undoChanges(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const sent = await readFormFields(request.req.raw)
  const undoRequest = await readUndoRequest(context, sent)
  try {
    const report = await context.write(async (db) => {
      const result = await undoWithin(db, { caller: context.caller, baseUrl: site.baseUrl }, undoRequest.scope)
      requirePresent(undoRequest.scope, result)
      if (result === undefined || result.undone.length === 0 || reportHash(result) !== sent.get('seen'))
        throw new UndoChanged(result)
      return result
    })
    return redirectWithMessage(undoRequest.back, {
      sentence: sayCount(report.undone.length, 'One change is undone', '{0} changes are undone'),
      notes:
        report.skipped.length === 0
          ? []
          : [sayCount(report.skipped.length, 'One stays as it is.', '{0} stay as they are.')],
      next: { label: say`Undo this`, href: undoChangePath(context, report.change!, undoRequest.back) },
    })
  } catch (error) {
    if (!(error instanceof UndoChanged)) throw error
    return page(context, undoRequest, error.report, sent.has('seen'))
  }
}

/** Aborts an undo whose result would differ from what the user saw. */
class UndoChanged extends Error {
  readonly report: UndoReport | undefined
  constructor(report: UndoReport | undefined) {
    super('It would do something else than was shown')
    this.report = report
  }
}

/** Returns the preview of an undo; throws `not_found` if the change isn't the company's or nothing is left to undo. */
async function previewOf(site: Site, context: MemberContext, scope: UndoScope): Promise<UndoReport | undefined> {
  const report = await previewUndo(context.write, () => ({ caller: context.caller, baseUrl: site.baseUrl }), scope)
  return requirePresent(scope, report)
}

function requirePresent(scope: UndoScope, report: UndoReport | undefined): UndoReport | undefined {
  if (scope.kind === 'change' && report?.undone.length === 0 && report.skipped.length === 0) throw notFound('change')
  return report
}

/** Returns the fingerprint of a report: the changes to undo, and those to leave with their reasons. */
const reportHash = ({ undone: put, skipped }: UndoReport): string =>
  hashValues([
    put.map(({ change }) => change),
    skipped.map(({ change, reason }) => [change.change ?? change.entries[0]!.id, reason.kind]),
  ])

const hashValues = (values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url')

/** Returns the form that undoes a change in one step; if only part of it can be undone, the page shows which. */
export const undoForm = ({ path }: Pick<MemberContext, 'path'>, change: string, back: string) => ({
  action: path('undo'),
  fields: { change, back, seen: hashValues([[change], []]) },
})

type UndoRequest = {
  scope: UndoScope
  back: string
  connection: Connection | undefined
  fields: Readonly<Record<string, string>>
}

async function readUndoRequest(context: MemberContext, query: URLSearchParams): Promise<UndoRequest> {
  const change = query.get('change')
  const back = ownPath(query.get('back') ?? '', activityPath(context))
  const isInCompany = back === context.path() || back.startsWith(`${context.path()}/`)
  const returnPath = isInCompany ? back : activityPath(context)
  if (change !== null) {
    if (!isId(change)) throw notFound('change')
    return {
      scope: { kind: 'change', change },
      back: returnPath,
      connection: undefined,
      fields: { change, back: returnPath },
    }
  }
  const [of, from, until] = [query.get('of') ?? '', query.get('from') ?? '', query.get('until') ?? '']
  if (!isId(of)) throw notFound('connection')
  if (!isInstant(from) || !isInstant(until) || from >= until)
    throw invalid(say`Choose a start and an end. The start must come first.`)
  const [connection] = await context.read((db) => listConnections(db, context.caller, of))
  if (connection === undefined) throw notFound('connection')
  return {
    scope: { kind: 'span', credentials: connection.credentials, from, until },
    back: returnPath,
    connection,
    fields: { of, from, until, back: returnPath },
  }
}

const isInstant = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

async function page(
  context: MemberContext,
  undoRequest: UndoRequest,
  report: UndoReport | undefined,
  hasChanged = false,
): Promise<Response> {
  const changes = report === undefined ? [] : [...report.undone, ...report.skipped.map(({ change }) => change)]
  const names = await context.read((db) =>
    findNames(
      db,
      changes.flatMap(({ entries }) => entries),
    ),
  )
  const title =
    undoRequest.connection === undefined
      ? say`Undo this change`
      : say`Undo what ${connectionName(undoRequest.connection)} did`
  return pageResponse(
    frame(context, {
      title,
      here: context.path('activity'),
      width: 'wide',
      styles: ['activity.css'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow">${spanText(context, undoRequest.scope)}</p><h1>${title}?</h1></div>
</header>
${when(hasChanged, () =>
  notice({
    kind: 'warning',
    title: say`Something changed since you opened this page`,
    body: say`Nothing was undone yet. This is what an undo does now.`,
  }),
)}
${report === undefined ? tooManyHtml(context, undoRequest) : reportHtml(context, undoRequest, report, names)}`,
    }),
    { status: hasChanged ? 409 : 200 },
  )
}

const connectionName = ({ kind, name, user_name }: Connection): string =>
  kind === 'browser' ? (user_name ?? name) : name

/** Returns the text of a time span; a whole day by its date. */
function spanText({ company: { timezone } }: MemberContext, scope: UndoScope): string {
  if (scope.kind === 'change') return ''
  const first = Temporal.Instant.from(scope.from).toZonedDateTimeISO(timezone).toPlainDate()
  const wholeDay = daySpan(first, timezone)
  return wholeDay.from === scope.from && wholeDay.until === scope.until
    ? day(first.toString())
    : say`${moment(scope.from, timezone)} to ${moment(scope.until, timezone)}`
}

/** Asks for a shorter time span, offering the two halves of the one that was too long. */
function tooManyHtml(context: MemberContext, { fields, scope, back }: UndoRequest): Html {
  if (scope.kind === 'change')
    return html`<p class="lead">${say`More than ${MAX_RECORDS} records changed at once. That is too many to undo here.`}</p>`
  const middle = new Date((Date.parse(scope.from) + Date.parse(scope.until)) / 2).toISOString()
  const halfLink = (from: string, until: string): Html =>
    linkButton(
      say`${moment(from, context.company.timezone)} to ${moment(until, context.company.timezone)}`,
      `${context.path('undo')}?${new URLSearchParams({ of: fields['of']!, from, until, back }).toString()}`,
    )
  return html`
<p class="lead">${say`More than ${MAX_RECORDS} records changed in this time. Choose a shorter one:`}</p>
<p class="actions">${halfLink(middle, scope.until)}${halfLink(scope.from, middle)}</p>`
}

/** Maximum changes of each kind to list; all of them are undone. */
const MAX_LISTED = 40

const moreHtml = (count: number): Html | '' =>
  when(
    count > MAX_LISTED,
    () => html`<p class="help">${sayCount(count - MAX_LISTED, 'and one more change', 'and {0} more changes')}</p>`,
  )

function reportHtml(
  context: MemberContext,
  { fields, back }: UndoRequest,
  report: UndoReport,
  names: ReadonlyMap<string, string>,
): Html {
  const { undone, skipped } = report
  if (undone.length + skipped.length === 0)
    return html`<p class="empty">${say`Nothing was changed, or all of it is undone already.`}</p>
      <p class="actions">${linkButton(say`Back`, back, 'quiet')}</p>`
  return html`${when(
    undone.length > 0,
    () => html`
<form class="undo" method="post" action="${context.path('undo')}">${Object.entries({
      ...fields,
      seen: reportHash(report),
    }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
  <p class="lead">
    ${say`Records go back to how they were. New records are removed, and their numbers aren’t used again.`}
  </p>
  <p class="actions">
    ${button({ label: sayCount(undone.length, 'Undo one change', 'Undo {0} changes'), kind: 'main' })}
    ${linkButton(say`Cancel`, back, 'quiet')}
  </p>
</form>`,
  )}${when(skipped.length > 0, () =>
    part(
      sayCount(skipped.length, 'One change stays', '{0} changes stay'),
      html`<ol class="timeline stays">${skipped
        .slice(0, MAX_LISTED)
        .map(({ change, reason }) =>
          activityItemHtml(context, change, names, { reason: skipReasonText(reason, context.company.timezone) }),
        )}</ol>${moreHtml(skipped.length)}`,
    ),
  )}${when(undone.length > 0, () =>
    part(
      sayCount(undone.length, 'One change is put back', '{0} changes are put back'),
      html`<ol class="timeline">${undone
        .slice(0, MAX_LISTED)
        .map((auditedChange) => activityItemHtml(context, auditedChange, names))}</ol>${moreHtml(undone.length)}`,
    ),
  )}${when(undone.length === 0, () => html`<p class="actions">${linkButton(say`Back`, back, 'quiet')}</p>`)}`
}
