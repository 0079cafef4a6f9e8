import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import {
  ReauthenticationRequiredError,
  PlanChangedError,
  approveProposal,
  declineProposal,
} from '../../approvals/decide.ts'
import { MAX_CALLS } from '../../approvals/proposal.ts'
import { maySeePlan } from '../../approvals/plan_view.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { parseField } from '../../identity/inputs.ts'
import { text } from '../../platform/validation/text/text.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requireRecent } from '../sign_in/recent.ts'
import type { Site } from '../site.ts'
import { planPage } from './plan_page.ts'

/** Decides on a plan: approves selected calls, declines it, or sends it back with a comment. */
export async function decideProposal(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const id = request.req.param('id') ?? ''
  const sent = await readFormFields(request.req.raw)
  if (!(await context.withCaller((by) => maySeePlan(site.database, by, id)))) throw notFoundRefusal()
  try {
    return redirectWithMessage(context.path('proposals'), {
      sentence: await applyDecision(site, request, context, id, sent),
    })
  } catch (error) {
    if (error instanceof PlanChangedError) return planPage(site, context, id, { hasChanged: true })
    if (!(error instanceof Refusal)) throw error
    return planPage(site, context, id, { refusal: error })
  }
}

/** Applies the decision in a plan's form; returns the sentence that confirms it. */
export async function applyDecision(
  site: Site,
  request: PageRequest,
  context: MemberContext,
  proposal: string,
  sent: URLSearchParams,
): Promise<string> {
  const word = parseField(text(500), sent.get('word') ?? '', 'word') ?? null
  if (sent.get('act') === 'approve') {
    const chosenPositions = new Set(sent.getAll('pick').flatMap(parsePosition))
    const { isRecent } = context.session
    try {
      await context.withCaller((by) =>
        approveProposal(site.toolContext, {
          proposal,
          by,
          chosenPositions,
          shownFingerprints: readFingerprints(sent),
          word,
          isRecent,
        }),
      )
    } catch (error) {
      if (error instanceof ReauthenticationRequiredError) await requireRecent(site, request, context.session, sent)
      throw error
    }
    return sayCount(chosenPositions.size, 'One change was made', '{0} changes were made')
  }
  const isSentBack = sent.get('act') === 'send_back'
  if (!isSentBack && sent.get('act') !== 'decline') throw notFoundRefusal()
  await context.withCaller((by) =>
    declineProposal(site.toolContext, { proposal, by, state: isSentBack ? 'sent_back' : 'declined', word }),
  )
  return isSentBack ? say`It was sent back` : say`It was declined`
}

const readFingerprints = (sent: URLSearchParams): Map<number, string> =>
  new Map(Array.from({ length: MAX_CALLS }, (_, i) => [i + 1, sent.get(`mark.${i + 1}`) ?? '']))

const parsePosition = (value: string): number[] => (/^[1-9]\d?$/.test(value) ? [Number(value)] : [])
