import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { mayDecline } from '../../approvals/decide.ts'
import { toolOfCall } from '../../approvals/rehearsal.ts'
import { readPlanView, type PlanView } from '../../approvals/plan_view.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { chargeIn } from '../../tools/call/burst_limit.ts'
import { isDestructive } from '../../tools/declare/define.ts'
import { moment, money } from '../../records/format/formats.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'
import { callCard } from './call_card.ts'
import { namesOf, type RecordLabel } from './record_names.ts'
import { screenOf } from './screen_of.ts'
import { proposerName, stateOf } from './words.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

export async function showProposal(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  return planPage(site, context, request.req.param('id') ?? '')
}

/** Renders a plan as it would run now, with a refusal or a notice that it changed since the form was loaded. */
export async function planPage(
  site: Site,
  context: MemberContext,
  id: string,
  problem: { refusal?: Refusal; hasChanged?: boolean } = {},
): Promise<Response> {
  const plan = await context.withCaller((by) => readPlanView(site.toolContext, by, id))
  if (plan === undefined) throw notFoundRefusal()
  const names = await namesOf(context, plan.calls)
  return pageResponse(
    frame(context, {
      title: say`Proposal`,
      here: context.path('proposals'),
      styles: ['proposals.css'],
      scripts: ['proposals.js'],
      body: bodyOf(context, plan, names, problem),
    }),
    { status: problem.refusal !== undefined ? statusOf(problem.refusal) : problem.hasChanged === true ? 409 : 200 },
  )
}

function bodyOf(
  context: MemberContext,
  plan: PlanView,
  names: ReadonlyMap<number, RecordLabel>,
  { refusal, hasChanged = false }: { refusal?: Refusal; hasChanged?: boolean },
): Html {
  const { proposal, connectionEnded } = plan
  return html`
<header class="page-head">
  <h1>${say`Proposal of ${proposal.connection}`}</h1>${stateOf(proposal)}</header>${when(refusal, (refusal) =>
    notice({ kind: 'error', title: say`Nothing was done`, body: refusalForPeople(refusal) }),
  )}${when(hasChanged, () =>
    notice({
      kind: 'error',
      title: say`Nothing was done`,
      body: say`Something has changed since this page was shown. Look at it again, then decide.`,
    }),
  )}${when(connectionEnded, () =>
    notice({
      kind: 'warning',
      title: say`The connection has ended`,
      body: say`What it proposed can't be done anymore. Decline it.`,
    }),
  )}${when(proposal.is_held, () =>
    notice({
      kind: 'warning',
      title: say`This connection is held`,
      body: say`It removed a lot in a short time. Anything it removes now waits here until you decide.`,
    }),
  )}
${facts(factsOf(context, plan, names))}
${planCallsHtml(context, plan, names)}`
}

/** Renders the calls of a plan, with the decision form while it is open: on its page, or in a conversation. */
export function planCallsHtml(
  context: MemberContext,
  plan: PlanView,
  names: ReadonlyMap<number, RecordLabel>,
  conversation?: string,
): Html {
  const { proposal, calls } = plan
  const isOpen = proposal.state === 'open'
  const cardOptions = { context, names, proposal: proposal.id, connection: proposal.connection, isOpen, conversation }
  const list = html`
<ol class="calls">${calls.map((call) => callCard({ ...cardOptions, call }))}
</ol>`
  const action =
    conversation === undefined
      ? context.path('proposals', proposal.id)
      : context.path('assistant', conversation, 'plans', proposal.id)
  return isOpen ? decisionForm(context, plan, list, action) : list
}

function factsOf(
  { company }: MemberContext,
  { proposal, calls }: PlanView,
  names: ReadonlyMap<number, RecordLabel>,
): Fact[] {
  const customerNames = [...new Set([...names.values()].flatMap(({ customer }) => customer ?? []))]
  const sums = new Map<string, number>()
  for (const call of calls) {
    const { total_cents: total } = call.result as { total_cents?: unknown }
    const { entity, tool } = toolOfCall(call)
    const { title } = screenOf(entity)
    if (typeof total === 'number' && !isDestructive(tool) && chargeIn(call.given) === undefined)
      sums.set(title, (sums.get(title) ?? 0) + total)
  }
  return [
    { label: say`Proposed by`, value: proposerName(proposal), says: moment(proposal.created_at, company.timezone) },
    ...(customerNames.length > 0
      ? [
          {
            label: sayCount(customerNames.length, 'Customer', 'Customers'),
            value: customerNames.slice(0, 5).join(', '),
            says: customerNames.length > 5 ? say`and ${customerNames.length - 5} more` : undefined,
          },
        ]
      : []),
    ...[...sums].map(([title, cents]) => ({ label: title, value: money(cents, company.currency) })),
    proposal.state === 'open'
      ? {
          label: say`Expires`,
          value: moment(proposal.expires_at, company.timezone),
          says: say`Numbers are assigned when it is approved`,
        }
      : {
          label: say`Decided`,
          value: proposal.decided_by_name ?? (proposal.state === 'withdrawn' ? proposal.connection : say`Automatic`),
          says: [proposal.decided_at === null ? '' : moment(proposal.decided_at, company.timezone), proposal.word ?? '']
            .filter((one) => one !== '')
            .join(' · '),
        },
  ]
}

/** Renders the decision form: the selection, and a comment for the connection. */
function decisionForm(
  context: MemberContext,
  { proposal, calls, connectionEnded }: PlanView,
  list: Html,
  action: string,
): Html {
  const mayApprove = !connectionEnded && calls.some(({ canApprove }) => canApprove)
  return html`
<form class="form" method="post" action="${action}">
  ${calls.map(({ position, fingerprint }) => hidden(`mark.${position}`, fingerprint))}
  ${list}
  <div class="decide">${when(
    mayApprove,
    () => html`
    <p class="actions">${button({
      label: calls.length === 1 ? say`Approve` : say`Approve selected`,
      kind: 'main',
      name: 'act',
      value: 'approve',
    })}</p>`,
  )}${when(
    mayDecline(context.caller, proposal),
    () => html`
    ${field({ name: 'word', label: say`Note to the assistant`, help: say`It reads this on its next call` })}
    <p class="actions">
      ${button({ label: say`Send back`, name: 'act', value: 'send_back' })}
      ${button({ label: say`Decline`, kind: 'danger', name: 'act', value: 'decline' })}
      ${linkButton(say`Later`, context.path('proposals'), 'quiet')}
    </p>`,
  )}
  </div>
</form>`
}
