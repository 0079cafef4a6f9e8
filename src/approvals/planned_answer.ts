import { entryOf, type Caller } from '../identity/credentials/caller.ts'
import { readTenant, sql } from '../platform/db/tenant.ts'
import { conflict } from '../platform/errors/refusal.ts'
import { isId } from '../platform/validation/id.ts'
import type { ToolAnswer, ToolCall, ToolContext } from '../tools/call/context.ts'
import { answerOf, fingerprintOf } from '../tools/call/idempotency.ts'
import { callColumns, parseStoredCall, type StoredCall } from './proposal.ts'
import { proposalUrl, describeDecision, isWithdrawn, type UrlContext } from './outcomes.ts'

/** Call of a plan, with its state. */
export type CallOfPlan = StoredCall & {
  proposal: string
  state: string
  word: string | null
  created_at: string
  decided_at: string | null
}

/** Finds a call that the caller's connection proposed, by plan and position; undefined for another connection's. */
export async function findPlannedCall(
  { database }: Pick<ToolContext, 'database'>,
  caller: Caller,
  reference: string,
): Promise<CallOfPlan | undefined> {
  const [proposal = '', position = ''] = reference.slice(0, 40).split('.')
  if (!isId(proposal) || !/^[1-9]\d?$/.test(position)) return undefined
  return readTenant(database, entryOf(caller), (db) =>
    db.maybe<CallOfPlan>(sql`
      select p.id as proposal, p.word, p.created_at, p.decided_at,
        case when p.state = 'open' and p.expires_at <= moment() then 'expired' else p.state end as state, ${callColumns}
      from proposed_calls c join proposals p on p.tenant_id = c.tenant_id and p.id = c.proposal_id
      where c.tenant_id = ${db.tenant} and p.credential_id = ${caller.credential.id}
        and c.proposal_id = ${proposal} and c.position = ${Number(position)}`),
  )
}

/**
 * Answers a planned call that its connection repeats, with its result once it is approved. Returns undefined if this
 * connection proposed no such call: the caller names the plan, which proves nothing.
 */
export async function answerPlannedCall(
  context: ToolContext,
  call: ToolCall,
  reference: string,
): Promise<ToolAnswer | undefined> {
  const { caller, listed, input } = call
  if (!caller.scopes.has(listed.scope)) return undefined
  const planned = await findPlannedCall(context, caller, reference)
  if (planned?.tool !== listed.wire) return undefined
  const earlier = parseStoredCall(planned)
  return isSame(input, earlier.given_before ?? earlier.given) ? answerDecided(context, call, planned) : undefined
}

/** Answers a planned call with its result or its state. */
export function answerDecided(context: UrlContext, call: ToolCall, planned: CallOfPlan): ToolAnswer {
  if (planned.is_applied === true) return { result: answerOf({ answer: planned.result }, call) }
  if (planned.state !== 'open' || isWithdrawn(planned))
    return { refusal: conflict(`the proposed call ${describeDecision(planned)}`) }
  const url = proposalUrl(context, call.caller, planned.proposal)
  return { refusal: conflict(`waits for approval at ${url}; nobody has decided on it yet`) }
}

const isSame = (input: unknown, earlier: unknown): boolean => {
  const { idempotency_key: _, ...rest } = input as { idempotency_key?: unknown }
  return fingerprintOf(rest).equals(fingerprintOf(earlier))
}
