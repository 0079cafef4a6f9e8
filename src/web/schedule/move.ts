import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { day as longDay, moment } from '../../records/format/formats.ts'
import { changesIn, loadForm } from '../../records/form/form.ts'
import { fillForm, type FormValues } from '../../records/fields/form_field.ts'
import { NO_PROBLEMS, endSentence, problemsOf } from '../../records/form/problems.ts'
import type { MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { notFoundRefusal, notFoundPage } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { addressOf, readScheduleView, type ScheduleView } from './schedule_view.ts'
import { requireSchedule } from './board/board.ts'
import { wallDay } from './clock.ts'
import { crewAfter } from '../../records/jobs/index.ts'
import { moveFields, movePage, type MovableJob } from './move_page.ts'
import { refusals } from '../refusals.ts'

type MoveContext = { context: MemberContext; scheduleView: ScheduleView; job: MovableJob }

/** Shows the form that moves a visit. It can do everything that dragging does. */
export async function showMove(site: Site, request: PageRequest): Promise<Response> {
  const { context, scheduleView, job } = await openMove(site, request)
  if (job.status === 'cancelled') return notFoundPage()
  const form = await loadForm(context, moveFields(), 'update', new URLSearchParams())
  const values = fillForm(moveFields(), job, context.company)
  if (job.scheduled_start === null) values.set('scheduled_start', `${scheduleView.day.toString()}T09:00`)
  return pageResponse(movePage({ context, scheduleView, job, form, values, problems: NO_PROBLEMS }))
}

/** Moves a visit. Redirects to it for the form, answers JSON for the script. */
export async function moveVisit(site: Site, request: PageRequest): Promise<Response> {
  const moveContext = await openMove(site, request)
  const values = await readFormFields(request.req.raw)
  return isScript(request) ? moveByScript(request, moveContext, values) : moveByForm(moveContext, values)
}

const isScript = ({ req }: PageRequest): boolean => req.header('accept')?.includes('application/json') ?? false

export async function openMove(site: Site, request: PageRequest): Promise<MoveContext> {
  const context = await requireSchedule(site, request)
  if (!context.may('write:jobs')) throw notFoundRefusal()
  const job = await context.call('jobs_get', { id: request.req.param('job') })
  return { context, job, scheduleView: readScheduleView(context, new URL(request.req.url).searchParams) }
}

async function moveByForm({ context, scheduleView, job }: MoveContext, values: FormValues): Promise<Response> {
  const form = await loadForm(context, moveFields(), 'update', values)
  const expected = values.get('expected_updated_at') ?? job.updated_at
  const page = { context, scheduleView, form, values }
  if (expected !== job.updated_at)
    return pageResponse(movePage({ ...page, job, problems: NO_PROBLEMS, isStale: true }), { status: 409 })
  try {
    const changes = values.has('back')
      ? readUndo(values)
      : values.has('unschedule')
        ? { status: 'unscheduled' }
        : changesIn(form, values, job)
    if (Object.keys(changes).length === 0) return redirect(addressOf(context, scheduleView))
    const moved = await context.call('jobs_update', { id: job.id, expected_updated_at: expected, ...changes })
    const targetView = { ...scheduleView, day: dayOf(moved, context.company.timezone) ?? scheduleView.day }
    return redirectWithMessage(addressOf(context, targetView), {
      sentence: moveMessage(context, moved),
      notes: moved.warnings,
      ...(values.has('back')
        ? {}
        : {
            undo: {
              action: addressOf(context, scheduleView, 'move', job.id),
              fields: undoFields(job, moved.updated_at),
            },
          }),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const current = await context.call('jobs_get', { id: job.id })
    if (current.updated_at !== expected)
      return pageResponse(movePage({ ...page, job: current, problems: NO_PROBLEMS, isStale: true }), { status: 409 })
    return pageResponse(movePage({ ...page, job, problems: problemsOf(error, moveFields()) }), {
      status: statusOf(error),
    })
  }
}

/**
 * Returns the form that restores a visit's earlier time and crew. It is refused if the visit changed after the move.
 */
const undoFields = (
  { scheduled_start, duration_minutes, all_day, status, assignments }: MovableJob,
  expected_updated_at: string,
): Record<string, string> => ({
  back: 'yes',
  expected_updated_at,
  status,
  scheduled_start: scheduled_start ?? '',
  duration_minutes: String(duration_minutes),
  all_day: all_day ? 'yes' : 'no',
  crew: assignments.map(({ user_id }) => user_id).join(),
})

/** Reads the undo form. */
function readUndo(values: FormValues): Record<string, unknown> {
  const crew = values.get('crew') ?? ''
  const start = values.get('scheduled_start') ?? ''
  const minutes = values.get('duration_minutes') ?? ''
  return {
    status: start === '' ? 'unscheduled' : (values.get('status') ?? 'scheduled'),
    assignees: crew === '' ? [] : crew.split(','),
    ...(start === '' ? {} : { scheduled_start: start, all_day: values.get('all_day') === 'yes' }),
    duration_minutes: /^\d{1,6}$/.test(minutes) ? Number(minutes) : minutes,
  }
}

function moveMessage(context: MemberContext, { title, scheduled_start, all_day }: MovableJob): string {
  const { timezone } = context.company
  if (scheduled_start === null) return say`Moved ${title}: unscheduled`
  return all_day
    ? say`Moved ${title}: ${longDay(wallDay(scheduled_start, timezone).toString())}, any time`
    : say`Moved ${title}: ${moment(scheduled_start, timezone)}`
}

const dayOf = ({ scheduled_start }: MovableJob, zone: string): Temporal.PlainDate | undefined =>
  scheduled_start === null ? undefined : wallDay(scheduled_start, zone)

async function moveByScript(
  request: PageRequest,
  { context, job }: MoveContext,
  values: FormValues,
): Promise<Response> {
  const expected = values.get('expected_updated_at')
  try {
    if (expected === null) throw invalidField('expected_updated_at', refusals.noVersion())
    const {
      id,
      updated_at,
      warnings = [],
    } = await context.call('jobs_update', {
      id: job.id,
      expected_updated_at: expected,
      ...(values.has('back') ? readUndo(values) : readScriptMove(values, job)),
    })
    const undo = values.has('back') ? {} : { undo: undoFields(job, updated_at) }
    return request.json({ id, updated_at, warnings, ...undo }, 200, NO_STORE)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message =
      error.code === 'conflict' && (await isChanged(context, job.id, expected))
        ? conflictMessage()
        : problemsText(error)
    return request.json(
      { error: error.code, error_description: message },
      { status: statusOf(error) as 409, headers: NO_STORE },
    )
  }
}

export const NO_STORE = { 'Cache-Control': 'no-store' }
const conflictMessage = (): string => say`Someone else changed this visit. This is the current version.`

const isChanged = async (context: MemberContext, id: string, expected: string | null): Promise<boolean> =>
  (await context.call('jobs_get', { id })).updated_at !== expected

/** Reads only the values that the script changes: start, duration, all day or timed, and the lanes it moves between. */
export function readScriptMove(values: FormValues, job: MovableJob): Record<string, unknown> {
  if (values.has('unschedule')) return { status: 'unscheduled' }
  const minutes = values.get('duration_minutes')
  return {
    ...(values.has('scheduled_start') ? { scheduled_start: values.get('scheduled_start') } : {}),
    ...(minutes === null ? {} : { duration_minutes: /^\d{1,6}$/.test(minutes) ? Number(minutes) : minutes }),
    ...(values.has('all_day') ? { all_day: values.get('all_day') === 'yes' } : {}),
    ...(values.has('to')
      ? {
          assignees: crewAfter(
            job.assignments.map(({ user_id }) => user_id),
            values.get('from'),
            values.get('to')!,
          ),
        }
      : {}),
  }
}

/** Returns a refusal's sentences with the fields named by their labels. */
function problemsText(error: Refusal): string {
  const { fields, general } = problemsOf(error, moveFields())
  return [...fields.values(), ...general.map(endSentence)].join(' ')
}
