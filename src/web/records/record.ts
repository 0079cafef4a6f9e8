import { screens } from '../../records/screens.ts'
import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { assetAddress } from '../../platform/http/assets.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, ifRefused } from '../../platform/errors/refusal.ts'
import { formHtml, loadForm, readForm, type Form } from '../../records/form/form.ts'
import { fillForm, type FormValues } from '../../records/fields/form_field.ts'
import { historyHtml } from '../../records/history/history.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../records/form/problems.ts'
import type { Action, Screen } from '../../records/page/screen.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import { wordFor } from '../../records/page/states.ts'
import { newId } from '../../platform/validation/id.ts'
import { historyOf } from '../../tools/call/history.ts'
import { undoOfEntry } from '../activity/addresses.ts'
import { relatedHtml } from './related.ts'
import { LINES_FIELD } from '../../records/fields/lines/line.ts'
import { filesOf } from './list/totals.ts'
import { creationMessage } from './creating.ts'
import { requireWriteAccess, requireReadAccess } from './list/lists.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { hasConfirmation, actionSegment, stepsHtml } from './steps.ts'
import { notFoundPage } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { prepareStep, type Finish } from '../visit_records/finishing.ts'
import type { Site } from '../site.ts'
import { customerTimeline } from './timeline/customer_timeline.ts'
import { jobTimeline } from './timeline/job_timeline.ts'
import { readTimelineQuery } from './timeline/timeline.ts'
import { undoForm } from './undoing.ts'
import { refusalNotice } from '../refusal_notice.ts'

const MAX_ENTRIES = 50

/** Shows a record: its facts, actions, related records and history. */
export async function showRecord(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  try {
    const query = new URL(request.req.url).searchParams
    return pageResponse(await recordPage(context, screen, await requireRecord(context, screen, request), { query }))
  } catch (error) {
    const successor =
      error instanceof Refusal && error.code === 'not_found'
        ? await screen.findSuccessor?.(context, request.req.param('id')!)
        : undefined
    if (successor === undefined) throw error
    return redirect(context.path(screen.entity.name, successor))
  }
}

/** Runs an action, or first asks for confirmation on its own page. Shows a refusal with the record. */
export async function runAction(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const record = await requireRecord(context, screen, request)
  const action = screen.actions(context, record).find((action) => actionSegment(action) === request.req.param('action'))
  if (action === undefined) return notFoundPage()
  if (action.creates === undefined) requireWriteAccess(context, screen)
  const values =
    request.req.method === 'POST'
      ? await readFormFields(request.req.raw, formBytesOf(screen, action))
      : fillForm(action.startsAs === 'record' ? (action.fields ?? []) : [], record, context.company)
  const form = await loadForm(context, action.fields ?? [], 'update', values)
  if (request.req.method !== 'POST' || values.has('more'))
    return pageResponse(confirmationPage(context, screen, record, { action, form, values, problems: NO_PROBLEMS }))
  const finish = await finishOf(context, screen, record, action, values)
  if (finish !== undefined && 'page' in finish) return finish.page
  try {
    if (action.creates !== undefined)
      return await createFromRecord(context, action.creates, values.get('idempotency_key') ?? newId())
    const done = await context.call(action.wire, { id: record.id, ...action.input, ...readForm(form, values) })
    await finish?.close()
    const stillExists = await recordExists(context, screen, record.id)
    const there = stillExists
      ? context.path(screen.entity.name, 'id' in done && typeof done.id === 'string' ? done.id : record.id)
      : (screen.parentPath?.(context, record) ?? context.path(screen.entity.name))
    return redirectWithMessage(there, {
      sentence: action.notice ?? actionMessage(screen.nameOf(record), action),
      notes: (done as RecordView).warnings,
      undo: stillExists ? await undoForm(context, screen, done as RecordView) : undefined,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = statusOf(error)
    if (hasConfirmation(action))
      return pageResponse(
        confirmationPage(context, screen, record, { action, form, values, problems: problemsOf(error, form.fields) }),
        { status },
      )
    return pageResponse(await recordPage(context, screen, record, { banner: refusalNotice(error) }), { status })
  }
}

/** Returns the maximum bytes of an action's form; undefined for one without lines. */
const formBytesOf = ({ entity: { name, tools, pageActions } }: Screen, { wire }: Action): number | undefined =>
  [...tools, ...pageActions].find(({ verb }) => wire === `${name}_${verb}`)?.inputLimits.formBytes

/** Returns what is still needed for a visit's status change; undefined for every other action. */
async function finishOf(
  context: MemberContext,
  screen: Screen,
  { id }: RecordView,
  action: Action,
  values: FormValues,
): Promise<Finish | undefined> {
  if (action.wire !== 'jobs_update') return undefined
  const address = `${context.path(screen.entity.name, id)}/do/${actionSegment(action)}`
  return prepareStep(context, action.input?.['status'], values, { jobs: [id], action: address, fields: [] })
}

/** Returns the message for a completed action. */
function actionMessage(name: string, { wire, input = {} }: Action): string {
  const { status } = input
  if (typeof status === 'string') return say`${name}: ${wordFor(status)}`
  if (wire.endsWith('_archive')) return say`Archived ${name}`
  if (wire.endsWith('_delete')) return say`Deleted ${name}`
  if (wire.endsWith('_cancel')) return say`Canceled ${name}`
  if (wire.endsWith('_void')) return say`Voided ${name}`
  if (wire.endsWith('_end')) return say`Ended ${name}`
  return say`Saved ${name}`
}

/** Creates the other record and goes to its page. The idempotency key prevents a second one. */
async function createFromRecord(
  context: MemberContext,
  { of, from, first, nextPage }: NonNullable<Action['creates']>,
  idempotency_key: string,
): Promise<Response> {
  await first?.(context)
  const record = await context.call(`${of}_create`, { ...(await from(idempotency_key)), idempotency_key })
  const there = context.path(of, record.id, ...(nextPage === undefined ? [] : [nextPage]))
  const screen = screens.find(({ entity }) => entity.name === of)
  return screen === undefined
    ? redirect(there)
    : redirectWithMessage(there, { sentence: creationMessage(screen, record), notes: record.warnings })
}

const requireRecord = (context: MemberContext, { entity }: Screen, request: PageRequest): Promise<RecordView> =>
  context.callOf(entity, 'get', { id: request.req.param('id') })

const recordExists = (context: MemberContext, { entity }: Screen, id: string): Promise<boolean> =>
  context
    .callOf(entity, 'get', { id })
    .then(() => true)
    .catch(ifRefused(false))

type RecordPage = { query?: URLSearchParams; banner?: Html | '' }

async function recordPage(
  context: MemberContext,
  screen: Screen,
  record: RecordView,
  { query = new URLSearchParams(), banner = '' }: RecordPage = {},
): Promise<Html> {
  const { body, menu, styles } = await (screen.aside === undefined
    ? plainBody(context, screen, record)
    : timelineBody(context, screen, record, query))
  const name = screen.nameOf(record)
  return frame(context, {
    title: name,
    here: context.path(screen.entity.name),
    styles: ['records.css', ...styles],
    scripts: screen.aside === undefined ? [] : ['in_place.js'],
    body: html`
<header class="page-head record-head">
  <div><p class="eyebrow">${screen.singular}</p>
  <h1>${name} ${screen.stateOf?.(record) ?? ''}</h1></div>
  ${stepsHtml(context, screen, record, menu)}
</header>
${banner}
${body}`,
  })
}

/** Activity stories, by entity name. */
const TIMELINES: Readonly<Record<string, typeof customerTimeline>> = { customers: customerTimeline, jobs: jobTimeline }

type RecordBody = { body: Html; menu: readonly Html[]; styles: readonly string[] }

/** Draws a record's facts, its related records, and its history below. */
async function plainBody(context: MemberContext, screen: Screen, record: RecordView): Promise<RecordBody> {
  const [body, more, entries] = await Promise.all([
    screen.sheet(context, record),
    relatedHtml(context, screen, record.id),
    context.read((db) => historyOf(db, context.caller, record.id, MAX_ENTRIES)),
  ])
  const undoOf = undoOfEntry(context, context.path(screen.entity.name, record.id))
  return {
    body: html`${body}${more}${historyHtml(entries, context.company, screen.entity.record, undoOf)}`,
    menu: [],
    styles: ['forms.css'],
  }
}

/** Draws the next steps on top, then the work and activity, with the facts at the side. */
async function timelineBody(
  context: MemberContext,
  screen: Screen,
  record: RecordView,
  query: URLSearchParams,
): Promise<RecordBody> {
  const [recordTimeline, sheet, facts] = await Promise.all([
    TIMELINES[screen.entity.name]?.(context, record.id, readTimelineQuery(query)),
    screen.sheet(context, record),
    screen.aside?.(context, record),
  ])
  return {
    body: html`${recordTimeline?.top ?? ''}
<div class="record-columns" data-styles="${assetAddress('in_place.css')}">
<div class="column">${sheet}${recordTimeline?.timeline ?? ''}</div>
<aside class="column" aria-label="${say`Details`}">${facts ?? ''}${recordTimeline?.aside ?? ''}</aside>
</div>`,
    menu: recordTimeline?.menu ?? [],
    styles: ['story.css'],
  }
}

type ActionForm = { action: Action; form: Form; values: FormValues; problems: Problems }

function confirmationPage(
  context: MemberContext,
  screen: Screen,
  record: RecordView,
  { action, form, values, problems }: ActionForm,
): Html {
  const there = context.path(screen.entity.name, record.id)
  return frame(context, {
    title: action.label,
    here: context.path(screen.entity.name),
    ...(form.fields.some(({ name }) => name === LINES_FIELD)
      ? { width: 'wide', ...filesOf(form) }
      : { width: 'narrow' }),
    body: html`
<section class="ticket">
  <p class="eyebrow">${screen.nameOf(record)}</p>
  <h1>${action.label}${action.warning === undefined ? '' : '?'}</h1>${when(
    action.warning,
    (warns) => html`
  <p class="lead">${warns}</p>`,
  )}
  ${formHtml({
    form,
    values,
    problems,
    action: `${there}/do/${actionSegment(action)}`,
    hiddenInputs: action.creates === undefined ? {} : { idempotency_key: newId() },
    actions: html`${button({ label: action.label, kind: action.kind === 'danger' ? 'danger' : 'main' })}${linkButton(
      action.kind === 'danger' ? say`Go back` : say`Cancel`,
      there,
      'quiet',
    )}`,
  })}
</section>`,
  })
}
