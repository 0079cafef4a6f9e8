import { entryOf, findActiveCaller, type Caller } from '../identity/credentials/caller.ts'
import { readTenant, writeTenant, type Database, type WritableDb } from '../platform/db/tenant.ts'
import type { Refusal } from '../platform/errors/refusal.ts'
import type { Warning } from '../platform/errors/refusal_text.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import { isOffice } from '../identity/permissions/areas.ts'
import { chargeIn } from '../tools/call/burst_limit.ts'
import { visibleChanges } from '../tools/call/history.ts'
import type { ToolContext } from '../tools/call/context.ts'
import type { WrittenRecord } from '../tools/call/outcome.ts'
import { findDependencies } from './dependencies.ts'
import { comparableWrites, callFingerprint, listWrites } from './comparison.ts'
import { listProposedCalls, findProposal, type Proposal, type ProposedCall } from './proposal.ts'
import { toolOfCall, rehearse, findVersions, restrictCaller, type Trial } from './rehearsal.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Call of a plan as the person who decides sees it. */
export type CallView = ProposedCall & {
  /** Effect it would have now, or its refusal; undefined once the plan is decided. */
  effect: { written: readonly WrittenRecord[]; warnings: readonly Warning[] } | { refusal: Refusal } | undefined
  /** Fingerprint of what is shown, which the form sends back. */
  fingerprint: string
  /** Whether the record, or the call's effect on it, changed since it was proposed. */
  isStale: boolean
  /** Whether this person may approve it. */
  canApprove: boolean
  buildsOn: readonly number[]
}

export type PlanView = { proposal: Proposal; calls: CallView[]; connectionEnded: boolean }

/** Checks whether somebody may see a plan. They need read access to everything that its calls are about. */
export const maySee = (by: Pick<Caller, 'scopes'>, { scopes }: Pick<Proposal, 'scopes'>): boolean =>
  scopes.every((scope) => by.scopes.has(scope.replace('write:', 'read:') as Scope))

/** Does the same for a plan's id. Throws if there is no such plan. */
export const maySeePlan = (database: Database, by: Caller, id: string): Promise<boolean> =>
  readTenant(database, entryOf(by), async (db) => maySee(by, await findProposal(db, id)))

/** Returns a plan as it would run now: tries an open one and rolls back. Returns undefined if `by` may not see it. */
export async function readPlanView(context: ToolContext, by: Caller, id: string): Promise<PlanView | undefined> {
  return writeTenant(context.database, entryOf(by), async (db) => {
    const proposal = await findProposal(db, id)
    if (!maySee(by, proposal)) return undefined
    const calls = await listProposedCalls(db, id)
    const proposer = await findActiveCaller(db, proposal.credential_id)
    const isOpen = proposal.state === 'open' && proposer !== undefined
    const [trials, versions] = isOpen
      ? await rehearseNow(db, context, calls, restrictCaller(proposer, asReader(by, proposal)))
      : [[], new Map()]
    const dependencies = findDependencies(calls)
    const callViews = calls.map((call, i) => ({
      ...toCallView(call, trials[i], versions.get(call.position), by),
      buildsOn: requireValue(dependencies.get(call.position), 'A call'),
    }))
    return { proposal, calls: callViews, connectionEnded: proposal.state === 'open' && proposer === undefined }
  })
}

/** Returns a reader with the scopes of the plan, so that no call fails for a missing right to approve. */
const asReader = (by: Caller, { scopes }: Proposal): Pick<Caller, 'role' | 'scopes'> => ({
  role: by.role,
  scopes: by.scopes.union(new Set(scopes)),
})

async function rehearseNow(db: WritableDb, context: ToolContext, calls: readonly ProposedCall[], caller: Caller) {
  const versions = await findVersions(db, calls)
  return [await rehearse(db, context, calls, caller), versions] as const
}

function toCallView(
  call: ProposedCall,
  trial: Trial | undefined,
  version: string | undefined,
  by: Caller,
): Omit<CallView, 'buildsOn'> {
  const canApprove = by.scopes.has(toolOfCall(call).scope) && (chargeIn(call.given) === undefined || isOffice(by))
  const view = { ...call, written: visibleWrites(call.written, by) }
  if (trial === undefined) return { ...view, effect: undefined, fingerprint: '', isStale: false, canApprove }
  if ('refusal' in trial)
    return { ...view, effect: trial, fingerprint: callFingerprint(version, trial.refusal), isStale: true, canApprove }
  const written = listWrites(trial.outcome)
  return {
    ...view,
    effect: { written: visibleWrites(written, by), warnings: trial.outcome.warnings ?? [] },
    fingerprint: callFingerprint(version, written),
    isStale: version !== (call.seen_at ?? undefined) || comparableWrites(written) !== comparableWrites(call.written),
    canApprove,
  }
}

const visibleWrites = (written: readonly WrittenRecord[], by: Caller): WrittenRecord[] =>
  written.map((one) => ({ ...one, changes: visibleChanges(one.changes, by) }))
