import { EXPIRES_DAYS } from '../../approvals/proposal.ts'
import { proposalUrl, type UrlContext } from '../../approvals/outcomes.ts'
import type { CallOfPlan } from '../../approvals/planned_answer.ts'
import type { ToolAnswer, ToolCall } from '../../tools/call/context.ts'
import { TASKS_EXTENSION } from '../protocol/announcement.ts'
import { metaKeys, metaOf } from '../protocol/envelope.ts'
import { isObject, type Fields } from '../protocol/jsonrpc.ts'
import { openingOf, opensPages } from './approval.ts'

/** Poll interval of a client in milliseconds. */
const POLL_MS = 5_000

/** Lifetime of a plan in milliseconds. */
const TTL_MS = EXPIRES_DAYS * 86_400_000

/** Checks whether a 2026-07-28 client declared the tasks extension. */
function supportsTasks(params: Fields): boolean {
  const capabilities = metaOf(params)?.[metaKeys.capabilities]
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

/** Returns the task of a call that waits for a person, if the client supports tasks. */
export function taskOf(answer: ToolAnswer, params: Fields): Fields | undefined {
  if (!('refusal' in answer) || answer.pending === undefined || !supportsTasks(params)) return undefined
  const { proposal, position } = answer.pending
  const now = Temporal.Now.instant().toString()
  return {
    ...taskBase(`${proposal}.${position}`, now, now),
    status: 'working',
    statusMessage: answer.refusal.agentMessage,
  }
}

/** Describes the task of a planned call that waits, with the page on which a person decides. */
export function toWaitingTask(context: UrlContext, call: ToolCall, planned: CallOfPlan, params: Fields): Fields {
  const { proposal } = planned
  const url = proposalUrl(context, call.caller, proposal)
  const base = { ...baseOf(planned), statusMessage: `waits for approval at ${url}` }
  return opensPages(params)
    ? { ...base, status: 'input_required', inputRequests: { approval: openingOf({ proposal, url }, call.listed) } }
    : { ...base, status: 'working' }
}

/** Describes the task of a call that its connection withdrew. */
export const toWithdrawnTask = (planned: CallOfPlan): Fields => ({ ...baseOf(planned), status: 'cancelled' })

/** Describes the task of a decided call, with its result. */
export const toDecidedTask = (planned: CallOfPlan, result: Fields): Fields => ({
  ...baseOf(planned),
  status: 'completed',
  result: { ...result, resultType: 'complete' },
})

const baseOf = ({ proposal, position, created_at, decided_at, withdrawn_at }: CallOfPlan): Fields =>
  taskBase(`${proposal}.${position}`, created_at, withdrawn_at ?? decided_at ?? created_at)

const taskBase = (taskId: string, createdAt: string, lastUpdatedAt: string): Fields => ({
  taskId,
  createdAt,
  lastUpdatedAt,
  ttlMs: TTL_MS,
  pollIntervalMs: POLL_MS,
})
