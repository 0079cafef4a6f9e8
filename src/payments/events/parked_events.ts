import { sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import {
  MAX_ID,
  queryInScope,
  scopeCondition,
  toWaitingPage,
  type ReviewScope,
  type WaitingPage,
} from '../../identity/people/review_scope.ts'

/** Reasons why a payment event waits for a person (docs/spec/webhooks.md#parked-events). */
export type ParkedReason =
  | 'mode_mismatch'
  | 'no_account'
  | 'unknown_account'
  | 'void_invoice'
  | 'other_currency'
  | 'other_invoice'
  | 'unreadable_amount'

/** A payment event that waits for a person. */
export type ParkedEvent = {
  id: string
  /** Id at the provider. */
  event_id: string
  endpoint: 'platform' | 'connect'
  type: string | null
  account_id: string | null
  livemode: boolean | null
  reason: ParkedReason
  /** Null until its company is known. */
  tenant_id: string | null
  received_at: string
}

const parkedColumns = sql`id, event_id, endpoint, type, account_id, livemode, reason, tenant_id, received_at`

/** Condition for events that wait for a person; a change of an unconnected account waits only for the connection. */
const isParked = sql`state in ('review', 'unrouted') and (state = 'review' or names_invoice is distinct from false)`

type Filter = { reason?: ParkedReason; before?: string; limit?: number }

/** Returns the parked events of a scope before an id, newest first. */
export async function listParkedEvents(
  database: Database,
  scope: ReviewScope,
  { reason, before = MAX_ID, limit = 50 }: Filter = {},
): Promise<WaitingPage<ParkedEvent>> {
  const listed = await queryInScope(
    scope,
    database.send,
    sql<ParkedEvent>`select ${parkedColumns} from payment_events
    where ${isParked} and id < ${before} and ${scopeCondition(scope)}
      and (${reason ?? null}::text is null or reason = ${reason ?? null})
    order by id desc limit ${limit + 1}`,
  )
  return toWaitingPage(listed.rows, limit)
}

/** Returns a parked event of a scope, with its signed bytes. */
export async function findParkedEvent(
  database: Database,
  scope: ReviewScope,
  id: string,
): Promise<ParkedEvent & { raw: Buffer }> {
  const answer = await queryInScope(
    scope,
    database.send,
    sql<ParkedEvent & { raw: Buffer }>`select ${parkedColumns}, raw from payment_events
      where id = ${requireParkedId(id)} and ${isParked} and ${scopeCondition(scope)}`,
  )
  const [event] = answer.rows
  if (event === undefined) throw notFound('parked event')
  return event
}

/** Locks a parked event of a scope until the transaction ends. */
export const lockParkedEvent = (scope: ReviewScope, id: string): Sql<ParkedEvent & { raw: Buffer }> =>
  sql`select ${parkedColumns}, raw from payment_events
    where id = ${requireParkedId(id)} and ${isParked} and ${scopeCondition(scope)} for update`

function requireParkedId(input: string): string {
  if (!isId(input)) throw notFound('parked event')
  return input
}
