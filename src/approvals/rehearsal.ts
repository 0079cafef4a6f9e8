import type { Caller } from '../identity/credentials/caller.ts'
import { lowerRole, type Role } from '../identity/permissions/areas.ts'
import { raw, sql } from '../platform/db/database.ts'
import type { Db, WritableDb } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { todayIn } from '../platform/validation/formats/instants.ts'
import { withIds, isId } from '../platform/validation/id.ts'
import { runWithin } from '../tools/call/call.ts'
import { actionsOf, type ListedTool } from '../tools/declare/catalog.ts'
import type { ToolContext } from '../tools/call/context.ts'
import { chargeIn } from '../tools/call/burst_limit.ts'
import { isUnchanged, type Outcome } from '../tools/call/outcome.ts'
import { prepareProposedCharge } from '../payments/saved/proposed_charge.ts'
import type { ProposedCall } from './proposal.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Data for running a planned call, now or again. */
type PlannedCall = Pick<ProposedCall, 'position' | 'tool' | 'given' | 'ids'>

export type CallResult = { outcome: Outcome; result: Outcome['result']; ids: string[] }

/** Result of trying a call, which is rolled back. */
export type Trial = { call: PlannedCall } & (CallResult | { refusal: Refusal })

type UrlContext = Pick<ToolContext, 'baseUrl'>

const tools = actionsOf(entities)

export const toolOfCall = ({ tool }: Pick<PlannedCall, 'tool'>): ListedTool => tools.get(tool)!

/**
 * Runs calls in order, each on the effects of those before it, and rolls all of them back, so that nobody sees any of
 * it. A refused call has no effect on those after it.
 */
export async function rehearse(
  db: WritableDb,
  context: UrlContext,
  calls: readonly PlannedCall[],
  caller: Caller,
  approver?: string | null,
): Promise<Trial[]> {
  const trials: Trial[] = []
  const rehearsal = db.separately(async (savepoint) => {
    for (const call of calls) trials.push(await tryCall(savepoint, context, call, caller, approver))
    throw new RehearsalRollback()
  })
  await rehearsal.catch((error: unknown) => {
    if (!(error instanceof RehearsalRollback)) throw error
  })
  return trials
}

/**
 * Runs one call in a savepoint of its own, with the warnings that models get, which the approver sees too. A write that
 * changed nothing leaves no trace, as in a direct call.
 */
export async function performCall(
  db: WritableDb,
  { baseUrl }: UrlContext,
  call: PlannedCall,
  caller: Caller,
  approver?: string | null,
): Promise<CallResult> {
  let performed: CallResult | undefined
  const work = db.separately(async (savepoint) => {
    const { result, ids } = await withIds(call.ids, () =>
      runWithin(
        savepoint,
        { baseUrl, forAgent: true },
        { listed: toolOfCall(call), caller, client: null, input: call.given },
      ),
    )
    await addCharge(savepoint, caller, result.outcome, chargeIn(call.given), approver)
    performed = { ...result, ids }
    if (isUnchanged(result.outcome)) throw new RehearsalRollback()
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof RehearsalRollback)) throw error
  })
  return requireValue(performed, 'The result of a call')
}

/** Prepares the charge that a call requests. A trial rolls it back; with an approver, the worker makes it. */
async function addCharge(
  db: Db,
  { tenant, user }: Caller,
  outcome: Outcome,
  cents: number | undefined,
  approver: string | null | undefined,
): Promise<void> {
  const { written } = outcome
  if (cents === undefined || written === undefined) return
  const today = todayIn(tenant.timezone).toString()
  const charge = { invoice: written.record, amount_cents: cents, today, user: approver ?? user }
  const { method, warning } = await prepareProposedCharge(db, charge, approver !== undefined)
  written.changes['payment_method_id'] = [null, method]
  outcome.warnings = [...(outcome.warnings ?? []), warning]
}

const tryCall = (
  db: WritableDb,
  context: UrlContext,
  call: PlannedCall,
  caller: Caller,
  approver?: string | null,
): Promise<Trial> =>
  performCall(db, context, call, caller, approver).then(
    (performed) => ({ call, ...performed }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return { call, refusal: error }
    },
  )

/** Thrown to roll back a part of a transaction. */
class RehearsalRollback extends Error {}

/** Returns the caller of proposed calls: their connection, limited to the rights of the approver. */
export const restrictCaller = (proposer: Caller, approver: Pick<Caller, 'role' | 'scopes'>): Caller => ({
  ...proposer,
  role: lowerOf(proposer.role, approver.role),
  scopes: proposer.scopes.intersection(approver.scopes),
})

const lowerOf = (a: Role | null, b: Role | null): Role | null => (a === null || b === null ? a : lowerRole(a, b))

/**
 * Returns the time of the last change of each record that a call changes, by the call's position, if the record exists.
 */
export async function findVersions(db: Db, calls: readonly PlannedCall[]): Promise<Map<number, string>> {
  const versions = await Promise.all(
    calls.map(async (call) => {
      const id = targetId(call)
      if (id === undefined) return []
      const row = await db.maybe<{ updated_at: string }>(
        sql`select updated_at from ${raw(toolOfCall(call).entity.name)} where tenant_id = ${db.tenant} and id = ${id}`,
      )
      return row === undefined ? [] : [[call.position, row.updated_at] as const]
    }),
  )
  return new Map(versions.flat())
}

/** Returns the id of the record that a call changes. */
export const targetId = ({ given }: Pick<PlannedCall, 'given'>): string | undefined => {
  const { id } = given
  return typeof id === 'string' && isId(id.toLowerCase()) ? id.toLowerCase() : undefined
}
