import { entryOf, findActiveCaller, type Caller } from '../identity/credentials/caller.ts'
import type { Deadline } from '../identity/deadline.ts'
import { sql, writeTenant, type Db, type WritableDb } from '../platform/db/tenant.ts'
import { Refusal, conflict, invalid } from '../platform/errors/refusal.ts'
import { recordOf } from '../tools/call/call.ts'
import type { ToolContext } from '../tools/call/context.ts'
import { chargeIn } from '../tools/call/burst_limit.ts'
import { claimKey } from '../tools/call/idempotency.ts'
import { isUnchanged } from '../tools/call/outcome.ts'
import { findUnsupported } from './dependencies.ts'
import { releaseConnection } from './hold.ts'
import { callFingerprint, listWrites } from './comparison.ts'
import { listProposedCalls, findProposal, type Proposal, type ProposedCall } from './proposal.ts'
import {
  toolOfCall,
  performCall,
  rehearse,
  findVersions,
  restrictCaller,
  type CallResult,
  type Trial,
} from './rehearsal.ts'
import { refusals } from './refusals.ts'

/** Plan to decide on, and the person who decides. Expiry is checked against `now`. */
export type Decision = { proposal: string; by: Caller; deadline?: Deadline; now?: Temporal.Instant }

/** Approval from a page: the chosen calls, and the fingerprint of each as the page showed it. */
type Approval = Decision & {
  chosenPositions: ReadonlySet<number>
  shownFingerprints: ReadonlyMap<number, string>
  /** Note to the connection, delivered with the decision. */
  word?: string | null
  /** Whether the approver recently confirmed their identity, which a charge requires. */
  isRecent: boolean
}

/** Thrown if a plan differs from what its page showed. The person must review it again. */
export class PlanChangedError extends Error {}

/** Thrown if the approver of a charge has to confirm their identity first. */
export class ReauthenticationRequiredError extends Error {}

/**
 * Approves a plan. Runs the chosen calls in one transaction, as their connection, and only if the approver may run each
 * of them too. If one differs from what was shown, none is done.
 */
export async function approveProposal(context: ToolContext, approval: Approval): Promise<Proposal> {
  const { by, proposal: id, chosenPositions, shownFingerprints, word = null, isRecent } = approval
  return writeTenant(context.database, entryOptions(approval), async (db) => {
    const proposal = await lockOpenProposal(db, approval)
    const calls = await listProposedCalls(db, id)
    const chosenCalls = calls.filter(({ position }) => chosenPositions.has(position))
    if (chosenCalls.length === 0) throw invalid(refusals.noneChosen())
    if (chosenCalls.length !== chosenPositions.size) throw invalid(refusals.otherPlan())
    if (findUnsupported(calls, chosenPositions) !== undefined) throw invalid(refusals.unsupported())
    if (!isRecent && chosenCalls.some(({ given }) => chargeIn(given) !== undefined))
      throw new ReauthenticationRequiredError()
    const proposer = await findActiveCaller(db, proposal.credential_id)
    if (proposer === undefined) throw conflict(refusals.proposerEnded())

    await requireOwnRights(db, context, chosenCalls, by, restrictCaller(proposer, by))
    const versions = await findVersions(db, chosenCalls)
    for (const call of chosenCalls) {
      const performed = await applyCall(db, context, call, restrictCaller(proposer, by), by.user)
      if (
        callFingerprint(versions.get(call.position), listWrites(performed.outcome)) !==
        shownFingerprints.get(call.position)
      )
        throw new PlanChangedError()
      await recordCall(db, proposal, call, performed, restrictCaller(proposer, by), by)
    }
    await closeProposal(db, proposal, 'approved', { by, word, applied: chosenCalls.length })
    return proposal
  })
}

/** Declines a plan, or sends it back with a note. Does none of its calls. */
export async function declineProposal(
  context: ToolContext,
  decision: Decision & { state: 'declined' | 'sent_back'; word: string | null },
): Promise<Proposal> {
  const { by, state: as, word } = decision
  return writeTenant(context.database, entryOptions(decision), async (db) => {
    const proposal = await lockOpenProposal(db, decision)
    if (!mayDecline(by, proposal))
      throw new Refusal('insufficient_scope', [
        { path: '', rule: refusals.noDecliningRight({ scopes: proposal.scopes.join(', ') }) },
      ])
    await closeProposal(db, proposal, as, { by, word })
    return proposal
  })
}

/** Checks whether somebody may decline a plan: anybody who could approve all of it, and the connection's user. */
export const mayDecline = (
  by: Pick<Caller, 'scopes' | 'user'>,
  { scopes, user_id }: Pick<Proposal, 'scopes' | 'user_id'>,
): boolean => (user_id !== null && user_id === by.user) || scopes.every((scope) => by.scopes.has(scope))

export const entryOptions = ({ by, deadline }: Decision) => ({ ...entryOf(by), options: { ...deadline } })

/** Locks the connection first, as proposing calls do, and then the plan. */
export async function lockOpenProposal(db: Db, { proposal: id, now }: Decision): Promise<Proposal> {
  const { credential_id } = await findProposal(db, id, now)
  await db.run(sql`select from credentials where tenant_id = ${db.tenant} and id = ${credential_id} for no key update`)
  await db.run(sql`select from proposals where tenant_id = ${db.tenant} and id = ${id} for update`)
  const proposal = await findProposal(db, id, now)
  if (proposal.state === 'expired') throw conflict(refusals.expired())
  if (proposal.state !== 'open') throw conflict(refusals.decided())
  return proposal
}

/** Requires that the approver could make each call. If the connection can't make one anymore, the plan is stale. */
async function requireOwnRights(
  db: WritableDb,
  context: ToolContext,
  calls: readonly ProposedCall[],
  by: Caller,
  caller: Caller,
): Promise<void> {
  const refused = firstRefusal(await rehearse(db, context, calls, by, by.user))
  if (refused === undefined) return
  if (firstRefusal(await rehearse(db, context, calls, caller)) !== undefined && refused.code !== 'insufficient_scope')
    throw new PlanChangedError()
  throw new Refusal(
    'insufficient_scope',
    [{ path: '', rule: refusals.noRight({ why: refused.agentMessage }) }],
    refused.missingRecord,
  )
}

const firstRefusal = (trials: readonly Trial[]): Refusal | undefined => {
  const trial = trials.find((one) => 'refusal' in one)
  return trial !== undefined && 'refusal' in trial ? trial.refusal : undefined
}

/** Applies one call permanently. If it is refused, the whole plan is stale. */
const applyCall = (
  db: WritableDb,
  context: ToolContext,
  call: ProposedCall,
  caller: Caller,
  approver: string | null,
): Promise<CallResult> =>
  performCall(db, context, call, caller, approver).catch((error: unknown) => {
    throw error instanceof Refusal ? new PlanChangedError() : error
  })

/** Stores what a direct call would have stored, and the approver. */
async function recordCall(
  db: Db,
  { id, client }: Proposal,
  call: ProposedCall,
  performed: CallResult,
  caller: Caller,
  by: Caller,
): Promise<void> {
  const { outcome, result } = performed
  const key = call.idempotency_key ?? undefined
  const sentInput = call.given_before ?? call.given
  const input = key === undefined ? sentInput : { ...sentInput, idempotency_key: key }
  const toolCall = { listed: toolOfCall(call), caller, client, input, approver: by.user ?? undefined }
  if (key !== undefined) await claimKey(db, toolCall, key)
  const records = isUnchanged(outcome) ? [] : recordOf(toolCall, outcome, key, result)
  await Promise.all([
    ...records.map((statement) => db.run(statement)),
    db.run(sql`update proposed_calls set is_applied = true, result = ${JSON.stringify(result)}
      where tenant_id = ${db.tenant} and proposal_id = ${id} and position = ${call.position}`),
  ])
}

/** Closes a plan. A person's decision ends the hold of its connection; a withdrawal is not reported back. */
export async function closeProposal(
  db: Db,
  { id, credential_id }: Proposal,
  state: 'approved' | 'declined' | 'sent_back' | 'withdrawn',
  { by, word = null, applied = null }: { by: Caller; word?: string | null; applied?: number | null },
): Promise<void> {
  const isWithdrawn = state === 'withdrawn'
  await Promise.all([
    db.run(sql`update proposals
      set state = ${state}, decided_by = ${isWithdrawn ? null : by.user}, decided_at = moment(), word = ${word},
        applied = ${applied} ${isWithdrawn ? sql`, told_at = moment()` : sql``}
      where tenant_id = ${db.tenant} and id = ${id}`),
    db.run(
      sql`update proposed_calls set is_applied = false
        where tenant_id = ${db.tenant} and proposal_id = ${id} and is_applied is null`,
    ),
    ...(isWithdrawn ? [] : [releaseConnection(db, credential_id)]),
  ])
}
