import type { ProposedCall } from '../../approvals/proposal.ts'
import { readPlanView, type PlanView } from '../../approvals/plan_view.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice, type Notice } from '../../platform/html/parts/notice.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { ifPresent } from '../../platform/errors/refusal.ts'
import { findChangesOfRecords } from '../../undo/changes.ts'
import { undoChangePath } from '../activity/addresses.ts'
import { planCallsHtml } from '../approvals/plan_page.ts'
import { namesOf } from '../approvals/record_names.ts'
import { stateOf } from '../approvals/words.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

type PlanOptions = { proposal: string; conversation: string; problem?: Notice }

/** Renders a plan inside its conversation, as on the proposals page; an approved one with its undo link. */
export async function planHtml(
  site: Site,
  context: MemberContext,
  { proposal, conversation, problem }: PlanOptions,
): Promise<Html | ''> {
  const view = await findPlan(site, context, proposal)
  if (view === undefined) return ''
  const names = await namesOf(context, view.calls)
  const isOpen = view.proposal.state === 'open'
  const undoHref = view.proposal.state === 'approved' ? await findUndo(context, view, conversation) : undefined
  return html`
<section class="plan" id="plan-${proposal}" aria-label="${say`Proposal`}">
  <p class="plan-head">${stateOf(view.proposal)} <a
    href="${context.path('proposals', proposal)}">${sayCount(view.calls.length, 'One change', '{0} changes')}</a>${when(
      undoHref,
      (href) => html` <a href="${href}" data-undo>${say`Undo`}</a>`,
    )}</p>${when(problem, notice)}${
      isOpen
        ? planCallsHtml(context, view, names, conversation)
        : html`
  <details><summary>${say`Show changes`}</summary>${planCallsHtml(context, view, names, conversation)}</details>`
    }
</section>`
}

/** Returns a plan as it would run now; undefined if the user may not see it or it no longer exists. */
const findPlan = (site: Site, context: MemberContext, proposal: string): Promise<PlanView | undefined> =>
  ifPresent(context.withCaller((by) => readPlanView(site.toolContext, by, proposal)))

/** Returns the undo path of an approved plan; everything it did is a single change. */
async function findUndo(
  context: MemberContext,
  { proposal, calls }: PlanView,
  conversation: string,
): Promise<string | undefined> {
  const records = calls.filter(({ is_applied }) => is_applied === true).flatMap(recordsOf)
  const changes = await context.read((db) => findChangesOfRecords(db, proposal.credential_id, records))
  const change = changes[0]
  return change === undefined || change.is_undone
    ? undefined
    : undoChangePath(context, change.change_id, context.path('assistant', conversation))
}

const recordsOf = ({ ids, written }: ProposedCall): string[] => [...ids, ...written.map(({ record }) => record)]
