import { findClientCapabilities } from '../../identity/credentials/clients/client_capabilities.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { isFailed, type ToolAnswer } from '../../tools/call/call.ts'
import type { ToolCall, ToolContext, PendingCall } from '../../tools/call/context.ts'
import type { ListedTool } from '../../tools/declare/catalog.ts'
import { answerPlannedCall } from '../../approvals/planned_answer.ts'
import { metaKeys, metaOf } from '../protocol/envelope.ts'
import { isObject, type Fields } from '../protocol/jsonrpc.ts'
import type { CallMeta, InputRequired } from '../protocol/types.ts'

/**
 * Asks the client to open the page on which a person approves a call that waits, if it declared that it opens pages: a
 * model can't answer there (docs/spec/proposals.md#opening-the-page). Other clients get the address in the refusal.
 */
export function approvalRequest(answer: ToolAnswer, { listed }: ToolCall, params: Fields): InputRequired | undefined {
  if (!isFailed(answer) || !('refusal' in answer) || answer.pending === undefined) return undefined
  if (!opensPages(params) || params['inputResponses'] !== undefined) return undefined
  const { proposal, position } = answer.pending
  return { inputRequests: { approval: openingOf(answer.pending, listed) }, requestState: `${proposal}.${position}` }
}

/**
 * Asks a handshake client to open the page, if the same software declared in its handshake that it opens pages. The
 * client gets its answer at once. Only the first call of a plan asks, since all its calls share a page.
 */
export async function sendApprovalRequest(
  database: Database,
  answer: ToolAnswer,
  { listed, caller }: ToolCall,
  { software, sendRequest }: NonNullable<CallMeta['clientChannel']>,
): Promise<void> {
  if (!isFailed(answer) || !('refusal' in answer) || answer.pending?.position !== 1) return
  if ((await findClientCapabilities(database, caller, software)).opensPages)
    sendRequest({ id: `approval-${answer.pending.proposal}`, ...openingOf(answer.pending, listed) })
}

/** Returns the request to open the page of a plan. */
export const openingOf = (
  { proposal, url }: Pick<PendingCall, 'proposal' | 'url'>,
  { tool }: ListedTool,
): { method: string; params: Fields } => ({
  method: 'elicitation/create',
  params: {
    mode: 'url',
    elicitationId: proposal,
    url,
    message: `Waiting for your approval: ${tool.title}. Open the page to decide.`,
  },
})

/** Answers a call that is repeated after its page was opened, with the decision. Never proposes it twice. */
export async function findDecision(
  context: ToolContext,
  call: ToolCall,
  { inputResponses, requestState }: Fields,
): Promise<ToolAnswer | undefined> {
  if (inputResponses === undefined || typeof requestState !== 'string') return undefined
  return answerPlannedCall(context, call, requestState)
}

/** Checks whether a 2026-07-28 client declared that it opens pages. */
export const opensPages = (params: Fields): boolean => canOpenPages(metaOf(params)?.[metaKeys.capabilities])

/** Checks whether a client declared that it opens pages. */
export const canOpenPages = (capabilities: unknown): boolean => {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  return isObject(elicitation) && isObject(elicitation['url'])
}
