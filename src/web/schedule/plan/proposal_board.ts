import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { rosterOf } from '../../../scheduling/roster.ts'
import type { MemberContext } from '../../member_context.ts'
import { dayHtml } from '../board/day.ts'
import { lanesOf } from '../board/lanes.ts'
import type { Bookings } from '../bookings.ts'
import { dayTimeline } from '../clock.ts'
import type { ScheduleView } from '../schedule_view.ts'
import type { Overlay } from './overlay.ts'

type ProposalBoard = {
  scheduleView: ScheduleView
  date: Temporal.PlainDate
  bookings: Bookings
  overlay: Overlay
  panel: Html
}

/** Draws a day with a proposal's changes, beside the proposal's form. */
export async function proposalBoard(
  context: MemberContext,
  { scheduleView, date, bookings, overlay: { booked, marks }, panel }: ProposalBoard,
): Promise<Html> {
  const lanes = lanesOf({ ...bookings, booked }, context.user.id)
  const roster = await context.read((db) => rosterOf(db, date, date))
  const around = {
    context,
    scheduleView: { ...scheduleView, day: date, days: [date] },
    roster,
    marks,
    mayMove: false,
    mayBook: false,
  }
  return html`
<div class="schedule planning" id="schedule">
  ${dayHtml(around, dayTimeline(date, context.company.timezone), lanes)}
  ${panel}
</div>`
}

/** Draws the header of a proposal page. */
export const proposalHead = (kind: string, title: string): Html => html`
<header class="page-head"><div>
  <p class="eyebrow">${say`Schedule`} · ${kind}</p>
  <h1>${title}</h1>
</div></header>`

/** Styles and scripts of a proposal page. */
export const PROPOSAL_PAGE = {
  isBoard: true,
  styles: ['schedule.css', 'schedule_day.css', 'schedule_plan.css'],
  scripts: ['schedule_plan.js'],
} as const
