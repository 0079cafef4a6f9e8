import { isRecord } from '../../platform/validation/is_record.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { ListedTool } from '../declare/catalog.ts'
import type { ToolCall } from './context.ts'
import type { Outcome } from './outcome.ts'
import { isDestructive } from '../declare/define.ts'

/** Minutes over which removals and overwritten amounts are counted (docs/spec/proposals.md#burst-limit). */
const BURST_MINUTES = 10

/** Thrown when a document's total exceeds what connections may write without approval. */
export class AmountLimitExceeded extends Error {}

/** Throws `AmountLimitExceeded` if the total of a written document exceeds the company's limit. */
export function requireBelowAmount({ caller: { approval } }: ToolCall, { result, written }: Outcome): void {
  const limit = approval?.aboveCents ?? null
  if (limit === null || written === undefined) return
  const { total_cents, subtotal_cents }: { total_cents?: unknown; subtotal_cents?: unknown } = result
  const total = total_cents ?? subtotal_cents
  if (typeof total === 'number' && total > limit) throw new AmountLimitExceeded()
}

/** Thrown when a connection reached its company's limit of removals; further removals wait for a person. */
export class BurstLimitExceeded extends Error {}

/** Checks whether a write waits for a person (docs/spec/proposals.md#what-waits). */
export const needsApproval = ({
  caller: { approval },
  listed: { tool, scope },
  input,
}: Pick<ToolCall, 'caller' | 'listed'> & { input?: unknown }): boolean =>
  chargeIn(input) !== undefined ||
  (approval !== null &&
    (approval.proposes.has(scope) ||
      (approval.destructive && isDestructive(tool)) ||
      (approval.writeOffs && (tool.verb === 'void' || isWriteOff(input))) ||
      Object.entries(tool.alsoWrites).some(([name, other]) => approval.proposes.has(other) && isGiven(input, name))))

/** Returns the cents that a call would charge to a saved payment method. Such a call always waits for a person. */
export function chargeIn(input: unknown): number | undefined {
  const { charge_cents: cents } = isRecord(input) ? input : {}
  return typeof cents === 'number' ? cents : undefined
}

const isGiven = (input: unknown, name: string): boolean => isRecord(input) && input[name] != null

/**
 * Throws `BurstLimitExceeded` if the connection removed too much recently. Runs in the round trip of the work's first
 * query and blocks the connection's other removals until the transaction ends, so that none goes uncounted.
 */
export async function requireBelowBurstLimit(db: Db, call: ToolCall): Promise<void> {
  const limit = limitOf(call)
  if (limit === undefined) return
  const { credential } = call.caller
  const [, { count }] = await Promise.all([
    db.run(sql`select from credentials where tenant_id = ${db.tenant} and id = ${credential.id} for no key update`),
    db.one<{ count: number }>(sql`select count(*)::integer as count from removal_marks
      where tenant_id = ${db.tenant} and credential_id = ${credential.id}
        and at > moment() - make_interval(mins => ${BURST_MINUTES})`),
  ])
  if (count >= limit) throw new BurstLimitExceeded()
}

/** Returns the statements that mark a removal for the limit, and delete marks that no longer count. */
export const burstMark = (call: ToolCall): Sql[] => {
  const { tenant, credential } = call.caller
  return limitOf(call) !== undefined
    ? [
        sql`insert into removal_marks (tenant_id, credential_id, id)
          values (${tenant.id}, ${credential.id}, ${newId()})`,
        sql`delete from removal_marks where tenant_id = ${tenant.id} and credential_id = ${credential.id}
          and at <= moment() - make_interval(mins => ${BURST_MINUTES})`,
      ]
    : []
}

/** Returns the connection's limit if the call counts: a removal, a write-off, or an overwritten amount. */
const limitOf = ({ caller: { approval }, listed: { tool }, input }: ToolCall): number | undefined =>
  approval !== null && approval.burstLimit > 0 && (isDestructive(tool) || isWriteOff(input) || isRepriced(tool, input))
    ? approval.burstLimit
    : undefined

const isWriteOff = (input: unknown): boolean => isRecord(input) && input['status'] === 'uncollectible'

/** Inputs of updates that replace existing amounts. */
const AMOUNTS = ['line_items', 'discount', 'unit_price_cents', 'discount_value', 'components']

const isRepriced = ({ verb }: ListedTool['tool'], input: unknown): boolean =>
  verb === 'update' && AMOUNTS.some((name) => isGiven(input, name))
