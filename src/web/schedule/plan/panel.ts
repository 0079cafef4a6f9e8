import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { newId } from '../../../platform/validation/id.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { day as longDay, duration, time } from '../../../records/format/formats.ts'
import type { ProposedMove } from '../../../scheduling/day_plan/proposal.ts'
import type { MemberContext } from '../../member_context.ts'
import { timesOf } from '../board/card.ts'
import type { Booking } from '../bookings.ts'
import { addressOf, fitInPath } from '../schedule_view.ts'
import { proposalPath, sumsOf, type PlanProposal, type ProposalQuery } from './read_proposal.ts'
import { moveText } from './sent_moves.ts'

/** Draws a proposal as a form: totals, maps, each technician before and after, and a checkbox per move. */
export function panelHtml(context: MemberContext, proposal: PlanProposal, maps: Html | ''): Html {
  const { query, days, fingerprint } = proposal
  const { moves, unplaced } = sumsOf(proposal)
  const back = addressOf(context, { day: query.scheduleView.day, view: 'day' })
  return html`
<form class="proposal" id="proposal" method="post" action="${proposalPath(context, query)}"
  aria-label="${say`Proposal`}">
  ${hidden('mark', fingerprint)}${hidden('idempotency_key', newId())}
  ${sumsHtml(proposal)}${maps}${when(
    moves + unplaced === 0,
    () =>
      html`<p class="empty">${
        query.off === undefined ? say`Nothing to move: this is the best order found.` : say`No visit has to move.`
      }</p>`,
  )}${days.map((one) => dayHtml(context, proposal, one))}
  ${peopleTable(proposal)}${when(
    moves + unplaced > 0 && context.may('read:customers'),
    () => html`
  <label class="proposal-tell"><input type="checkbox" name="tell" value="yes">
    <span>${say`Message the customers of moved visits`} <small class="help">${notifyHelp()}</small></span></label>`,
  )}
  <p class="actions proposal-ends">${when(moves + unplaced > 0 || query.off !== undefined, () =>
    button({ label: approveLabel(proposal), kind: 'main' }),
  )}${when(moves + unplaced > 0, () => button({ label: say`Plan again`, name: 'again', value: 'yes' }))}
    ${linkButton(say`Cancel`, back, 'quiet')}</p>
</form>`
}

/** Returns the label of a proposal's button. */
export function approveLabel(proposal: PlanProposal): string {
  const { moves, unplaced } = sumsOf(proposal)
  if (proposal.query.off === undefined) return say`Move checked visits`
  return moves + unplaced === 0 ? say`Save days off` : say`Save days off and move checked visits`
}

const notifyHelp = (): string => say`They get your “visit booked” message with the new time. Undo doesn’t take it back.`

function sumsHtml(proposal: PlanProposal): Html {
  const { moves, drivingBefore, drivingAfter, isEstimate, windows, keptBefore, keptAfter } = sumsOf(proposal)
  const durationText = (minutes: number): string => (isEstimate ? say`about ${duration(minutes)}` : duration(minutes))
  const saved = drivingBefore - drivingAfter
  const difference =
    saved === 0 ? say`unchanged` : saved > 0 ? say`${duration(saved)} less` : say`${duration(-saved)} more`
  return html`
  <dl class="proposal-sums">
    <div><dt>${say`Driving`}</dt><dd><b>${difference}</b> ${durationText(drivingBefore)} → ${duration(drivingAfter)}</dd></div>
    <div><dt>${say`Windows kept`}</dt><dd><b>${keptAfter}</b> ${sayCount(
      windows,
      'of one visit, {1} before',
      'of {0} visits, {1} before',
      keptBefore,
    )}</dd></div>
    <div><dt>${say`Visits moved`}</dt><dd><b>${moves}</b></dd></div>
  </dl>`
}

type PersonRow = { name: string; visits: [number, number]; driving: [number, number] }

function peopleTable({ days }: PlanProposal): Html {
  const rows = new Map<string, PersonRow>()
  for (const { plan } of days)
    for (const { user_id, name, before, after } of plan.people) {
      const row = rows.get(user_id) ?? { name, visits: [0, 0], driving: [0, 0] }
      row.visits = [row.visits[0] + before.stops.length, row.visits[1] + after.stops.length]
      row.driving = [row.driving[0] + before.driving, row.driving[1] + after.driving]
      rows.set(user_id, row)
    }
  return table<PersonRow>({
    caption: say`By technician, before and after`,
    columns: [
      { label: say`Technician`, cell: ({ name }) => name },
      { label: say`Visits`, cell: ({ visits }) => changeHtml(visits, String), isNumber: true, onPhone: 'labeled' },
      { label: say`Driving`, cell: ({ driving }) => changeHtml(driving, duration), isNumber: true, onPhone: 'labeled' },
    ],
    rows: [...rows.values()].filter(({ visits: [before, after] }) => before + after > 0),
    empty: say`No visits`,
  })
}

const changeHtml = ([before, after]: [number, number], text: (value: number) => string): Html | string =>
  before === after ? text(before) : html`${text(before)} → <b>${text(after)}</b>`

function dayHtml(context: MemberContext, proposal: PlanProposal, one: PlanProposal['days'][number]): Html | '' {
  const { day, plan, moves, remaining } = one
  const remainingIds = new Set(remaining.map(({ visit }) => visit.id))
  const noRoom = plan.changes.filter(({ visit, reason }) => reason === 'no_room' && !remainingIds.has(visit.id))
  if (moves.length + remaining.length + noRoom.length === 0) return ''
  const names = new Map(day.people.map(({ user_id, name }) => [user_id, name]))
  return html`
  <fieldset class="proposal-day"><legend>${
    proposal.days.length === 1 ? say`Moves` : longDay(day.date.toString())
  }</legend>
    <ul>${moves.map((move) => moveHtml(context, proposal, { day: day.date, names, move }))}${remaining
      .filter(({ others }) => others.length > 0)
      .map(({ visit, others }) => unassignedHtml(context, proposal, visit.id, { others, names }))}</ul>${noRoomHtml([
      ...remaining
        .filter(({ others }) => others.length === 0)
        .map(({ visit, others }) => unassignedHtml(context, proposal, visit.id, { others, names })),
      ...noRoom.map(({ visit }) => unassignedHtml(context, proposal, visit.id)),
    ])}
  </fieldset>`
}

const noRoomHtml = (visits: readonly (Html | '')[]): Html | '' =>
  when(
    visits.length > 0,
    () => html`
    <h3>${say`No one can do these in their window`}</h3>
    <ul>${visits}</ul>`,
  )

type MoveRow = { day: Temporal.PlainDate; names: ReadonlyMap<string, string>; move: ProposedMove }

function moveHtml(context: MemberContext, { visits, offName }: PlanProposal, { day, names, move }: MoveRow): Html | '' {
  const booking = visits.get(move.visit.id)
  if (booking === undefined || move.to === null) return ''
  const { timezone } = context.company
  const start = day.toZonedDateTime(timezone).add({ minutes: move.start }).toInstant().toString()
  const isShifted = move.start !== move.visit.start
  const [from, to] = [nameIn(names, move.from), nameIn(names, move.to)]
  const [oldTime, newTime] = [time(booking.scheduled_start, timezone), time(start, timezone)]
  return html`
    <li data-job="${booking.id}"><label><input type="checkbox" name="move" checked value="${moveText({
      id: booking.id,
      version: booking.updated_at,
      to: move.to,
      start: isShifted ? start : undefined,
    })}"> <span><b>${isShifted ? `${oldTime} → ${newTime}` : newTime}</b>
      <span class="visit-title">${booking.title}</span> · ${booking.customer_name}
      <small class="proposal-who">${from === to ? to : `${from} → ${to}`}</small>
      <small class="help">${reasonText(move.reason, offName)}</small></span></label></li>`
}

const nameIn = (names: ReadonlyMap<string, string>, user: string | null): string =>
  (user === null ? undefined : names.get(user)) ?? say`Unassigned`

const reasonText = (reason: ProposedMove['reason'], offName = ''): string => REASONS[reason](offName)

const REASONS: Readonly<Record<ProposedMove['reason'], (offName: string) => string>> = {
  less_driving: () => say`Less driving`,
  window_kept: () => say`Keeps its arrival window`,
  person_off: (offName) => say`${offName} is off`,
  nobody_before: () => say`Was unassigned`,
  in_reach: () => say`Can’t be reached earlier`,
}

type RemainingCrew = { others: readonly string[]; names: ReadonlyMap<string, string> }

/** Draws a visit of the absent person, to leave to its crew or unassign. Without `crew`, it is plain text. */
function unassignedHtml(
  context: MemberContext,
  { visits, query, offName = '' }: PlanProposal,
  id: string,
  crew?: RemainingCrew,
): Html | '' {
  const booking = visits.get(id)
  if (booking === undefined) return ''
  const text = html`<b>${timesOf(booking, context.company.timezone)}</b>
      <span class="visit-title">${booking.title}</span> · ${booking.customer_name}`
  if (crew === undefined)
    return html`
    <li data-job="${id}"><p>${text}</p>${fitInHtml(context, query, booking)}</li>`
  const isCrew = crew.others.length > 0
  const others = crew.others.map((user) => nameIn(crew.names, user)).join(', ')
  const to = isCrew ? crew.others.join(',') : NOBODY
  return html`
    <li data-job="${id}"><label><input type="checkbox" name="move" checked value="${moveText({
      id,
      version: booking.updated_at,
      to,
      start: undefined,
    })}"> <span>${text}
      <small class="proposal-who">${isCrew ? say`Without ${offName}, with ${others}` : say`Becomes unassigned`}</small>
      </span></label>${when(!isCrew, () => fitInHtml(context, query, booking))}</li>`
}

const fitInHtml = (context: MemberContext, { scheduleView, off }: ProposalQuery, { id, title }: Booking): Html =>
  html`<a class="fit-left" href="${fitInPath(context, scheduleView.day, id, off)}">${say`Fit in`}<span
      class="unseen"> ${title}</span></a>`
