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

/** What a call of a plan needs to be done, now or again. */
type PlannedCall = Pick<ProposedCall, 'position' | 'tool' | 'given' | 'ids'>

/** Result of a call. */
export type CallResult = { outcome: Outcome; result: Outcome['result']; ids: string[] }

/** Result of trying a call, which is rolled back. */
export type Trial = { call: PlannedCall } & (CallResult | { refusal: Refusal })

type UrlContext = Pick<ToolContext, 'baseUrl'>

const tools = actionsOf(entities)

export const toolOfCall = ({ tool }: Pick<PlannedCall, 'tool'>): ListedTool => tools.get(tool)!

/**
 * Does calls one after the other, each on what those before it did, and undoes all of them: nothing of it is seen by
 * anybody. A call that is refused is left out for those after it.
 */
export async function rehearse(
  db: WritableDb,
  context: UrlContext,
  calls: readonly PlannedCall[],
  caller: Caller,
  approver?: string | null,
): Promise<Trial[]> {
  const trials: Trial[] = []
  const tried = db.separately(async (own) => {
    for (const call of calls) trials.push(await trial(own, context, call, caller, approver))
    throw new RehearsalRollback()
  })
  await tried.catch((error: unknown) => {
    if (!(error instanceof RehearsalRollback)) throw error
  })
  return trials
}

/**
 * Does one call in a part of its own, with the warnings that models get, for whoever decides too; a write that changed
 * nothing leaves no trace, as when it is called directly.
 */
export async function performCall(
  db: WritableDb,
  { baseUrl }: UrlContext,
  call: PlannedCall,
  caller: Caller,
  approver?: string | null,
): Promise<CallResult> {
  let performed: CallResult | undefined
  const part = db.separately(async (own) => {
    const { done, ids } = await withIds(call.ids, () =>
      runWithin(
        own,
        { baseUrl, forAgent: true },
        { listed: toolOfCall(call), caller, client: null, input: call.given },
      ),
    )
    await addCharge(own, caller, done.outcome, chargeIn(call.given), approver)
    performed = { ...done, ids }
    if (isUnchanged(done.outcome)) throw new RehearsalRollback()
  })
  await part.catch((error: unknown) => {
    if (!(error instanceof RehearsalRollback)) throw error
  })
  return requireValue(performed, 'The result of a call')
}

/** Prepares the charge that a call asks for: in a trial it is undone, with an approver the worker makes it. */
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
  const order = { invoice: written.record, amount_cents: cents, today, user: approver ?? user }
  const { method, warning } = await prepareProposedCharge(db, order, approver !== undefined)
  written.changes['payment_method_id'] = [null, method]
  outcome.warnings = [...(outcome.warnings ?? []), warning]
}

const trial = (
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

/** Ends a part of a transaction so that nothing of it remains. */
class RehearsalRollback extends Error {}

/** Returns who does what was proposed: its connection, with no more than whoever approves may do. */
export const restrictCaller = (proposer: Caller, approver: Pick<Caller, 'role' | 'scopes'>): Caller => ({
  ...proposer,
  role: lower(proposer.role, approver.role),
  scopes: proposer.scopes.intersection(approver.scopes),
})

const lower = (a: Role | null, b: Role | null): Role | null => (a === null || b === null ? a : lowerRole(a, b))

/**
 * Returns when the records that calls change were changed last, by the call's position, where they are there already.
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

/** Returns the record that a call changes. */
export const targetId = ({ given }: Pick<PlannedCall, 'given'>): string | undefined => {
  const { id } = given
  return typeof id === 'string' && isId(id.toLowerCase()) ? id.toLowerCase() : undefined
}
