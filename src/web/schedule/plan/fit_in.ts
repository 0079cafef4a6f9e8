import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice, type Notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isInstant } from '../../../platform/validation/fields.ts'
import { isId } from '../../../platform/validation/id.ts'
import { duration, moment } from '../../../records/format/formats.ts'
import { endSentence, problemsOf } from '../../../records/form/problems.ts'
import { recordLink } from '../../../records/page/links.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import { findFreeSlots, HORIZON_DAYS, requireFree } from '../../../scheduling/availability.ts'
import { bestSlots, type BestSlot } from '../../../scheduling/day_plan/best_slots.ts'
import { listNeededSkills } from '../../../scheduling/skills/skills.ts'
import { currentChange } from '../../../undo/changes.ts'
import { positionAt } from '../../../scheduling/places/positions.ts'
import { undoForm } from '../../activity/undo_page.ts'
import { drivingText } from '../../calls/times.ts'
import { statusOf } from '../../faults.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundPage, notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { readBookings } from '../bookings.ts'
import { wallDay } from '../clock.ts'
import { moveFields, type MovableJob } from '../move_page.ts'
import { addressOf, fitInPath, readScheduleView, type ScheduleView } from '../schedule_view.ts'
import { overlaySlots } from './overlay.ts'
import { requirePlanner } from './plan_page.ts'
import { PROPOSAL_PAGE, proposalBoard, proposalHead } from './proposal_board.ts'

/** Job to fit in, from a day on, and the person to leave out. */
type FitInRequest = { context: MemberContext; scheduleView: ScheduleView; job: MovableJob; without: string | undefined }

const MAX_SLOTS = 3
/** Maximum free times examined per person. */
const MAX_TRIED = 120

/** Shows the three best free times for a job, with the added driving of each. Changes nothing. */
export async function showFitIn(site: Site, request: PageRequest): Promise<Response> {
  const fit = await openFitIn(site, request)
  return fit.job.status === 'cancelled' ? notFoundPage() : fitPage(fit)
}

/** Books a job at a chosen time if it is still free. Otherwise shows the best times again. */
export async function fitInJob(site: Site, request: PageRequest): Promise<Response> {
  const fit = await openFitIn(site, request)
  const { context, job } = fit
  const form = await readFormFields(request.req.raw)
  const [start = '', user = ''] = (form.get('slot') ?? '').split('|')
  if (!isInstant(start) || !start.endsWith('Z') || !isId(user)) return redirect(fitPath(fit))
  try {
    const change = await context.write(async (db) => {
      if (!context.may('write:jobs')) throw notFoundRefusal()
      const slot = { user, start, minutes: job.duration_minutes, place: locationOf(job) }
      await requireFree(db, context.company.timezone, slot)
      await context.within(db, 'jobs_update', {
        id: job.id,
        expected_updated_at: form.get('expected_updated_at') ?? '',
        scheduled_start: start,
        assignees: [user],
        ...(job.scheduled_start === null ? { all_day: false } : {}),
      })
      return currentChange(db)
    })
    const { timezone } = context.company
    const back = addressOf(context, { day: wallDay(start, timezone), view: 'day' })
    return redirectWithMessage(back, {
      sentence: say`Moved ${job.title}: ${moment(start, timezone)}`,
      undo: undoForm(context, change, back),
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const { fields, general } = problemsOf(error, moveFields())
    const body = [...fields.values(), ...general.map(endSentence)].join(' ')
    return fitPage(fit, { kind: 'error', title: say`Nothing was moved`, body }, statusOf(error))
  }
}

async function openFitIn(site: Site, request: PageRequest): Promise<FitInRequest> {
  const context = await requirePlanner(site, request)
  const query = new URL(request.req.url).searchParams
  const job = await context.call('jobs_get', { id: request.req.param('job') })
  const without = query.get('without') ?? ''
  return { context, job, scheduleView: readScheduleView(context, query), without: isId(without) ? without : undefined }
}

const fitPath = ({ context, scheduleView, job, without }: FitInRequest): string =>
  fitInPath(context, scheduleView.day, job.id, without)

const locationOf = ({ location_id }: MovableJob) => (location_id === null ? undefined : { location: location_id })

/** Best free times, the skills that the job needs, and whether its location is known. */
type FreeSlots = { slots: BestSlot[]; skills: readonly string[]; hasPosition: boolean }

async function findSlots({ context, scheduleView, job, without }: FitInRequest): Promise<FreeSlots> {
  const { timezone } = context.company
  const now = Temporal.Now.instant()
  const begin = scheduleView.day.toZonedDateTime(timezone).toInstant()
  const from = Temporal.Instant.compare(begin, now) > 0 ? begin : now
  const search = { minutes: job.duration_minutes, from, limit: MAX_TRIED, place: locationOf(job) }
  return context.read(async (db) => {
    const [skills, position] = await Promise.all([
      listNeededSkills(db, job.line_items),
      positionAt(db, locationOf(job)),
    ])
    const members = await findFreeSlots(db, timezone, { ...search, skills })
    const others = members.filter(({ user_id }) => user_id !== without)
    return { skills, hasPosition: position !== undefined, slots: bestSlots(others, timezone, MAX_SLOTS) }
  })
}

async function fitPage(fit: FitInRequest, problem?: Notice, status = 200): Promise<Response> {
  const { context, scheduleView, job } = fit
  const best = await findSlots(fit)
  const { slots } = best
  const { timezone } = context.company
  const date = slots[0] === undefined ? scheduleView.day : wallDay(slots[0].start, timezone)
  const bookings = await readBookings(context, date, date)
  const overlay = overlaySlots(
    bookings.booked,
    job,
    slots.filter(({ start }) => wallDay(start, timezone).equals(date)),
  )
  const board = await proposalBoard(context, { scheduleView, date, bookings, overlay, panel: panelHtml(fit, best) })
  return pageResponse(
    frame(context, {
      title: say`Fit in ${job.title}`,
      here: context.path('schedule'),
      ...PROPOSAL_PAGE,
      body: html`
${proposalHead(say`Fit in`, job.title)}
${when(problem, notice)}
${board}`,
    }),
    { status },
  )
}

function panelHtml(fit: FitInRequest, { slots, skills, hasPosition }: FreeSlots): Html {
  const { context, scheduleView, job } = fit
  const dayView = { day: scheduleView.day, view: 'day' } as const
  return html`
<form class="proposal" id="proposal" method="post" action="${fitPath(fit)}" aria-label="${say`Best free times`}">
  ${hidden('expected_updated_at', job.updated_at)}
  <p>${recordLink(context, 'jobs', job.id, job.display_number)} · ${job.customer_name} · ${duration(
    job.duration_minutes,
  )}${when(
    job.location_address,
    (address) => html`<br><span class="help">${localAddress(address, context.company.country)}</span>`,
  )}${when(skills.length > 0, () => html`<br><span class="help">${say`Needs: ${skills.join(', ')}`}</span>`)}</p>
  <h2>${say`Best free times`}</h2>${
    slots.length === 0
      ? html`<p class="empty">${say`No free times in the next ${HORIZON_DAYS} days`}</p>`
      : html`<ol class="best-slots">${slots.map((slot, i) => slotHtml(context, slot, { isFirst: i === 0, hasPosition }))}</ol>`
  }
  <p class="actions">${linkButton(say`Choose another time`, addressOf(context, dayView, 'move', job.id))}
    ${linkButton(say`Cancel`, addressOf(context, dayView), 'quiet')}</p>
</form>`
}

const slotHtml = (
  context: MemberContext,
  { start, user_id, name, driving }: BestSlot,
  { isFirst, hasPosition }: { isFirst: boolean; hasPosition: boolean },
): Html => html`
    <li><span><b>${moment(start, context.company.timezone)}</b>
      <span class="proposal-who">${name}</span>
      <small class="help">${
        driving !== undefined ? drivingText(driving) : hasPosition ? say`First visit of that day` : say`place unknown`
      }</small></span>
      ${button({
        label: say`Book`,
        kind: isFirst ? 'main' : 'plain',
        name: 'slot',
        value: `${start}|${user_id}`,
      })}</li>`
