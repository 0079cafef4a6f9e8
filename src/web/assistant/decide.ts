import { PlanChangedError } from '../../approvals/decide.ts'
import { maySeePlan } from '../../approvals/plan_view.ts'
import { findConversation } from '../../assistant/conversations.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { pageHeaders } from '../../platform/http/headers.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { Notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { applyDecision } from '../approvals/decide_proposal.ts'
import { planPage } from '../approvals/plan_page.ts'
import { statusOf } from '../faults.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requireMemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'
import { planHtml } from './plan.ts'

/** Decides on a plan inside its conversation, as the proposals page does. A script gets the updated plan. */
export async function decideInConversation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const [conversation, proposal] = [request.req.param('id') ?? '', request.req.param('proposal') ?? '']
  const sent = await readFormFields(request.req.raw)
  await context.read((db) => findConversation(db, context.user.id, conversation))
  if (!(await context.withCaller((by) => maySeePlan(site.database, by, proposal)))) throw notFoundRefusal()
  const wantsPart = request.req.header('x-part') === 'plan'
  const renderPlan = async (status: number, problem?: Notice): Promise<Response> =>
    new Response(String(await planHtml(site, context, { proposal, conversation, ...(problem && { problem }) })), {
      status,
      headers: pageHeaders(),
    })
  try {
    const sentence = await applyDecision(site, request, context, proposal, sent)
    if (wantsPart) return await renderPlan(200)
    return redirectWithMessage(`${context.path('assistant', conversation)}#plan-${proposal}`, { sentence })
  } catch (error) {
    if (!(error instanceof PlanChangedError || error instanceof Refusal)) throw error
    if (!wantsPart)
      return planPage(site, context, proposal, error instanceof Refusal ? { refusal: error } : { hasChanged: true })
    return renderPlan(error instanceof Refusal ? statusOf(error) : 409, problemOf(error))
  }
}

const problemOf = (error: PlanChangedError | Refusal): Notice => ({
  kind: 'error',
  title: say`Nothing was done`,
  body:
    error instanceof Refusal
      ? refusalForPeople(error)
      : say`Something has changed since this page was shown. Look at it again, then decide.`,
})
