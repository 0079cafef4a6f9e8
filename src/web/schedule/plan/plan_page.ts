import { pageResponse } from '../../../platform/http/answer.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice, type Notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day as longDay } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'
import { followPage } from '../../follow_page.ts'
import { frame } from '../../frame.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { requireSchedule } from '../board/board.ts'
import { dayTimeline } from '../clock.ts'
import { titleOf } from '../schedule_view.ts'
import { overlayMoves } from './overlay.ts'
import { approveLabel, panelHtml } from './panel.ts'
import { planMapsHtml } from './plan_maps.ts'
import { PROPOSAL_PAGE, proposalBoard, proposalHead } from './proposal_board.ts'
import { rangeOf, readProposal, readProposalQuery, type PlanProposal, type ProposalQuery } from './read_proposal.ts'

/** Returns the context of a member who may move visits. Answers 404 to others. */
export async function requirePlanner(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireSchedule(site, request)
  if (!context.may('write:jobs')) throw notFoundRefusal()
  return context
}

/** Shows a plan on the board, for one day or for a person's days off. Changes nothing. */
export const showPlan = (site: Site, request: PageRequest): Promise<Response> =>
  followPage(site, request, async () => {
    const context = await requirePlanner(site, request)
    return planPage(context, readProposalQuery(context, new URL(request.req.url).searchParams))
  })

type PlanPage = { status?: number; problem?: Notice }

/** Answers the page of a plan, or one that refreshes while the planner works. */
export async function planPage(
  context: MemberContext,
  query: ProposalQuery,
  { status = 200, problem }: PlanPage = {},
): Promise<Response> {
  const proposal = await readProposal(context, query)
  const title = planTitle(context, query, proposal)
  const page = { title, here: context.path('schedule'), ...PROPOSAL_PAGE }
  const header = html`${proposalHead(say`Proposal`, title)}
${when(problem, (problem) => html`<div data-stays>${notice(problem)}</div>`)}`
  if (proposal === undefined)
    return pageResponse(
      frame(context, {
        ...page,
        scripts: [],
        refreshes: 1,
        body: html`${header}
<p role="status">${say`Planning… This page shows the plan as soon as it is ready.`}</p>`,
      }),
      { status },
    )
  return pageResponse(
    frame(context, {
      ...page,
      styles: [...PROPOSAL_PAGE.styles, 'schedule_pins.css'],
      body: html`
${header}
<p class="help">${say`Nothing changes until you press “${approveLabel(proposal)}”. You can undo it.`}</p>
${await boardOf(context, proposal)}`,
    }),
    { status },
  )
}

function planTitle(
  { company }: MemberContext,
  { scheduleView, off, days }: ProposalQuery,
  proposal?: PlanProposal,
): string {
  const title = titleOf({ ...scheduleView, view: 'day', days: [scheduleView.day] })
  if (off === undefined) return say`Plan of ${title}`
  const name = proposal?.offName ?? company.name
  return days === 1
    ? say`${name} off, ${title}`
    : say`${name} off, ${title} to ${longDay(rangeOf({ scheduleView, days }).to)}`
}

/** Draws the first day with changes, beside the form of all moves. */
async function boardOf(context: MemberContext, proposal: PlanProposal): Promise<Html> {
  const { days, query, bookings } = proposal
  const first =
    days.find(({ moves, remaining, plan }) => moves.length + remaining.length + plan.unplaced.length > 0) ?? days[0]
  if (first === undefined) return html``
  const { date, people } = first.day
  const line = dayTimeline(date, context.company.timezone)
  const names = new Map(people.map(({ user_id, name }) => [user_id, name]))
  const overlay = overlayMoves(bookings.booked, first.moves, names, line)
  return proposalBoard(context, {
    scheduleView: query.scheduleView,
    date,
    bookings,
    overlay,
    panel: panelHtml(context, proposal, planMapsHtml(context, { proposal: first, members: bookings.members, overlay })),
  })
}
