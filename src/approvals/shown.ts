import { entryOf, standingCaller, type Caller } from '../identity/credentials/caller.ts'
import type { Deadline } from '../identity/deadline.ts'
import { readTenant, writeTenant, type Database, type WritableDb } from '../platform/db/tenant.ts'
import type { Refusal } from '../platform/errors/refusal.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import { changesSeen } from '../tools/call/history.ts'
import type { ToolContext } from '../tools/call/context.ts'
import type { Written } from '../tools/call/outcome.ts'
import { buildsOn } from './building.ts'
import { essenceOf, markOfCall, writtenBy } from './likeness.ts'
import { callsOf, findProposal, type Proposal, type ProposedCall } from './proposal.ts'
import { listedOf, rehearse, versionsOf, within, type Trial } from './rehearsal.ts'

/** Is one call of a plan as somebody who decides sees it. */
export type ShownCall = ProposedCall & {
  /** Is what it would do now, or why it can't be done; undefined once the plan is decided. */
  now: { written: readonly Written[]; warnings: readonly string[] } | { refusal: Refusal } | undefined
  /** Marks what is shown, for the form to send back. */
  mark: string
  /** Says that the record, or what the call does to it, is not what it was when it was proposed. */
  isStale: boolean
  /** Says whether this person may approve it. */
  isTheirs: boolean
  buildsOn: readonly number[]
}

export type ShownPlan = { proposal: Proposal; calls: ShownCall[]; connectionEnded: boolean }

/** Tells whether somebody may see a plan: who may read all that its calls are about. */
export const maySee = (by: Pick<Caller, 'scopes'>, { scopes }: Pick<Proposal, 'scopes'>): boolean =>
  scopes.every((scope) => by.scopes.has(scope.replace('write:', 'read:') as Scope))

/** Does the same for a plan by its id; refuses one that isn't there. */
export const maySeePlan = (database: Database, by: Caller, id: string): Promise<boolean> =>
  readTenant(database, entryOf(by), async (db) => maySee(by, await findProposal(db, id)))

/** Returns a plan as it would be done now; it is tried and undone while it is open. Undefined for who may not see it. */
export async function showPlan(
  context: ToolContext,
  by: Caller,
  id: string,
  { deadline, now }: { deadline?: Deadline; now?: Temporal.Instant } = {},
): Promise<ShownPlan | undefined> {
  return writeTenant(context.database, { ...entryOf(by), options: { ...deadline } }, async (db) => {
    const proposal = await findProposal(db, id, now)
    if (!maySee(by, proposal)) return undefined
    const calls = await callsOf(db, id)
    const proposer = await standingCaller(db, proposal.credential_id)
    const isOpen = proposal.state === 'open' && proposer !== undefined
    const [trials, versions] = isOpen
      ? await triedNow(db, context, calls, within(proposer, asReader(by, proposal)))
      : [[], new Map()]
    const on = buildsOn(calls)
    const shown = calls.map((call, i) => ({
      ...shownCall(call, trials[i], versions.get(call.position), by),
      buildsOn: on.get(call.position)!,
    }))
    return { proposal, calls: shown, connectionEnded: proposal.state === 'open' && proposer === undefined }
  })
}

/** Returns a reader who may do what the plan needs: that they may not approve it is said of each call, not by its failure. */
const asReader = (by: Caller, { scopes }: Proposal): Pick<Caller, 'role' | 'scopes'> => ({
  role: by.role,
  scopes: by.scopes.union(new Set(scopes as Scope[])),
})

async function triedNow(db: WritableDb, context: ToolContext, calls: readonly ProposedCall[], caller: Caller) {
  const versions = await versionsOf(db, calls)
  return [await rehearse(db, context, calls, caller), versions] as const
}

function shownCall(
  call: ProposedCall,
  trial: Trial | undefined,
  version: string | undefined,
  by: Caller,
): Omit<ShownCall, 'buildsOn'> {
  const isTheirs = by.scopes.has(listedOf(call).scope)
  const seen = { ...call, written: seenBy(call.written, by) }
  if (trial === undefined) return { ...seen, now: undefined, mark: '', isStale: false, isTheirs }
  if ('refusal' in trial)
    return { ...seen, now: trial, mark: markOfCall(version, trial.refusal), isStale: true, isTheirs }
  const written = writtenBy(trial.outcome)
  const { warnings = [] } = trial.result as { warnings?: readonly string[] }
  return {
    ...seen,
    now: { written: seenBy(written, by), warnings },
    mark: markOfCall(version, written),
    isStale: version !== (call.seen_at ?? undefined) || essenceOf(written) !== essenceOf(call.written),
    isTheirs,
  }
}

const seenBy = (written: readonly Written[], by: Caller): Written[] =>
  written.map((one) => ({ ...one, changes: changesSeen(one.changes, by) }))
