import { entryOf } from '../identity/credentials/caller.ts'
import { readTenant, sql } from '../platform/db/tenant.ts'
import { conflict } from '../platform/errors/refusal.ts'
import type { ToolAnswer, ToolCall, ToolContext } from '../tools/call/context.ts'
import { answerOf, fingerprintOf } from '../tools/call/idempotency.ts'
import { callColumns, parseStoredCall, type StoredCall } from './proposal.ts'
import { proposalUrl, describeFate } from './outcomes.ts'

/**
 * Answers a call of a plan that its connection makes again: with its result once it was approved. Undefined where no
 * such call was proposed by this connection; what names it is the caller's word and no proof.
 */
export async function answerPlannedCall(
  context: ToolContext,
  call: ToolCall,
  proposal: string,
  position: number,
): Promise<ToolAnswer | undefined> {
  const { caller, listed, given } = call
  if (!caller.scopes.has(listed.scope)) return undefined
  const earlierPlan = await readTenant(context.database, entryOf(caller), (db) =>
    db.maybe<StoredCall & { state: string; word: string | null }>(sql`
      select p.state, p.word, ${callColumns} from proposed_calls c
      join proposals p on p.tenant_id = c.tenant_id and p.id = c.proposal_id
      where c.tenant_id = ${db.tenant} and p.credential_id = ${caller.credential.id} and c.tool = ${listed.wire}
        and c.proposal_id = ${proposal} and c.position = ${position}`),
  )
  if (earlierPlan === undefined) return undefined
  const kept = parseStoredCall(earlierPlan)
  if (!isSame(given, kept.given_before ?? kept.given)) return undefined
  if (earlierPlan.is_applied === true) return { result: answerOf({ answer: earlierPlan.result }, call) }
  if (earlierPlan.state === 'open')
    return {
      refusal: conflict(
        `waits for approval at ${proposalUrl(context, caller, proposal)}; nobody has decided on it yet`,
      ),
    }
  return { refusal: conflict(`what was proposed ${describeFate(earlierPlan)}`) }
}

const isSame = (given: unknown, kept: unknown): boolean => {
  const { idempotency_key: _, ...rest } = given as { idempotency_key?: unknown }
  return fingerprintOf(rest).equals(fingerprintOf(kept))
}
