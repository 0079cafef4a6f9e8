import type { Caller } from '../identity/credentials/caller.ts'
import { sql, writeTenant, type Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import type { ToolContext } from '../tools/call/context.ts'
import { closeProposal, entryOptions, lockOpenProposal } from './decide.ts'
import { findDependencies } from './dependencies.ts'
import type { CallOfPlan } from './planned_answer.ts'
import { listProposedCalls } from './proposal.ts'

/**
 * Withdraws an undecided call that its connection proposed, with the calls that build on it. If no call is left, the
 * plan is withdrawn. A held connection stays held.
 */
export const withdrawCall = (
  { database }: Pick<ToolContext, 'database'>,
  by: Caller,
  { proposal, position }: Pick<CallOfPlan, 'proposal' | 'position'>,
): Promise<void> =>
  writeTenant(database, entryOptions({ by, proposal }), async (db) => {
    const plan = await lockOpenProposal(db, { by, proposal })
    const calls = await listProposedCalls(db, proposal)
    const positions = new Set([position])
    for (const [later, dependencies] of findDependencies(calls))
      if (dependencies.some((needed) => positions.has(needed))) positions.add(later)
    if (calls.every((call) => positions.has(call.position))) return closeProposal(db, plan, 'withdrawn', { by })
    await Promise.all([
      db.run(sql`update proposed_calls set withdrawn_at = moment() where tenant_id = ${db.tenant}
        and proposal_id = ${proposal} and position = any(${[...positions]}::integer[]) and withdrawn_at is null`),
      db.run(sql`update proposals set calls = ${calls.filter((call) => !positions.has(call.position)).length}
        where tenant_id = ${db.tenant} and id = ${proposal}`),
    ])
  })

/** Days to keep a plan after the decision. */
const RETENTION_DAYS = 90

/** Expires the plans that nobody decided on in time, and deletes those decided long ago. */
export async function sweepProposals(db: Db, now: Temporal.Instant): Promise<void> {
  await db.run(sql`update proposals set state = 'expired', decided_at = ${utc(now)}
    where tenant_id = ${db.tenant} and state = 'open' and expires_at <= ${utc(now)}`)
  await db.run(sql`delete from proposals
    where tenant_id = ${db.tenant} and state <> 'open'
      and decided_at < ${utc(now.subtract({ hours: 24 * RETENTION_DAYS }))}`)
}
