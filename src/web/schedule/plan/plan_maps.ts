import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { duration } from '../../../records/format/formats.ts'
import { dayAfterMoves } from '../../../scheduling/day_plan/proposal.ts'
import type { MemberContext } from '../../member_context.ts'
import { lanesOf } from '../board/lanes.ts'
import type { Bookings } from '../bookings.ts'
import { dayMapSvg, personDays } from '../map/day_map.ts'
import type { Overlay } from './overlay.ts'
import type { DayProposal } from './read_proposal.ts'

/** Proposal for a day, with its visits as the board draws them. */
type PlanMaps = { proposal: DayProposal; members: Bookings['members']; overlay: Overlay }

/** Draws the routes of a day before and after a proposal side by side. The list of moves has the same content. */
export function planMapsHtml(context: MemberContext, { proposal, members, overlay }: PlanMaps): Html | '' {
  const { day, plan, moves, remaining } = proposal
  const { booked, marks } = overlay
  // Both maps use the lanes of one board, so that their colors match.
  const lanes = lanesOf({ members, booked }, context.user.id)
  const after = dayAfterMoves(day, moves, remaining)
  const crews = new Map(after.visits.map(({ id, assignee_ids }) => [id, assignee_ids]))
  const [lanesBefore, lanesAfter] = [
    lanes.map((lane) => ({ ...lane, bookings: lane.bookings.filter((one) => marks.get(one) !== 'proposed') })),
    lanes.map((lane) => ({
      ...lane,
      bookings: booked.filter((one) => {
        const crew = crews.get(one.id) ?? one.assignees.map(({ user_id }) => user_id)
        return marks.get(one) !== 'leaving' && (lane.id === NOBODY ? crew.length === 0 : crew.includes(lane.id))
      }),
    })),
  ]
  const hasPlaces = day.visits.some(({ position }) => position !== undefined)
  return when(
    hasPlaces && moves.length > 0,
    () => html`
  <div class="plan-maps">
    <figure><figcaption>${say`Before`} · ${duration(plan.drivingBefore)}</figcaption>
      ${dayMapSvg(context, day, personDays(day, lanesBefore), { isSmall: true })}</figure>
    <figure><figcaption>${say`After`} · ${duration(plan.drivingAfter)}</figcaption>
      ${dayMapSvg(context, after, personDays(after, lanesAfter), { isSmall: true })}</figure>
  </div>`,
  )
}
