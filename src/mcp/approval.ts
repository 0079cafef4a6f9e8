import { isFailed, type ToolAnswer } from '../tools/call.ts'
import type { ToolCall, ToolContext } from '../tools/context.ts'
import { answerOfPlanned } from '../proposals/asked_again.ts'
import { isId } from '../shape/id.ts'
import { metaKeys, metaOf } from './envelope.ts'
import { isObject, type Fields } from './jsonrpc.ts'
import type { InputRequired } from './types.ts'

/**
 * Has the client open the page on which a person approves a call that waits, where it said that it opens pages: a model
 * can't answer there (docs/spec/proposals.md#opening-the-page). Others are told the address in the refusal.
 */
export function asksApproval(answer: ToolAnswer, { listed }: ToolCall, params: Fields): InputRequired | undefined {
  if (!isFailed(answer) || !('refusal' in answer) || answer.waits === undefined) return undefined
  if (!opensPages(params) || params['inputResponses'] !== undefined) return undefined
  const { proposal, position, url } = answer.waits
  return {
    inputRequests: {
      approval: {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          elicitationId: proposal,
          url,
          message: `${listed.tool.title} waits for your approval. Open the page to decide.`,
        },
      },
    },
    requestState: `${proposal}.${position}`,
  }
}

/** Answers a call that comes again after its page was opened: with what was decided, and never by proposing it twice. */
export async function decidedOn(
  context: ToolContext,
  call: ToolCall,
  { inputResponses, requestState }: Fields,
): Promise<ToolAnswer | undefined> {
  if (inputResponses === undefined || typeof requestState !== 'string') return undefined
  const [proposal = '', position = ''] = requestState.slice(0, 40).split('.')
  if (!isId(proposal) || !/^[1-9]\d?$/.test(position)) return undefined
  return answerOfPlanned(context, call, proposal, Number(position))
}

const opensPages = (params: Fields): boolean => {
  const capabilities = metaOf(params)?.[metaKeys.capabilities]
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  return isObject(elicitation) && isObject(elicitation['url'])
}
