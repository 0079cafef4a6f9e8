import { sql } from '../db/tenant.ts'
import type { Database, Sql } from '../db/tenant.ts'
import { notFound } from '../refusal.ts'
import { isId } from '../shape/id.ts'
import { LAST, askFrom, onDesk, waiting } from '../access/people/review_scope.ts'
import type { Desk, Waiting } from '../access/people/review_scope.ts'

/** Why an event of the payments provider waits for a person (webhooks 2). */
export const PARKED = {
  mode_mismatch: 'a test event of a live service, or a live event of a test service',
  no_account: 'it names an invoice, and no connected account',
  unknown_account: 'it names an invoice, and an account that no company has connected',
  void_invoice: 'the invoice is void',
  other_currency: 'the currency is not the invoice\'s',
  other_invoice: 'it names another invoice than the payment it belongs to',
  unreadable_amount: 'the amount can\'t be read',
} as const

export type ParkedReason = keyof typeof PARKED

/** An event of the payments provider that waits. */
export type ParkedEvent = {
  id: string
  /** The provider's id of it. */
  event_id: string
  endpoint: 'platform' | 'connect'
  type: string | null
  account_id: string | null
  livemode: boolean | null
  reason: ParkedReason
  /** Null until it is known whose it is. */
  tenant_id: string | null
  received_at: string
}

export const parkedColumns = sql`id, event_id, endpoint, type, account_id, livemode, reason, tenant_id, received_at`

/** Those that wait for a person: a change of an account that nobody has connected only waits for the account. */
const isParked = sql`state in ('review', 'unrouted') and (state = 'review' or names_invoice is distinct from false)`

type Filter = { reason?: ParkedReason; before?: string; limit?: number }

/** The events that wait on a desk, newest first, before an id. */
export async function listParkedEvents(database: Database, desk: Desk, { reason, before = LAST, limit = 50 }: Filter = {}): Promise<Waiting<ParkedEvent>> {
  const listed = await askFrom(desk, database.send, sql`select ${parkedColumns} from payment_events
    where ${isParked} and id < ${before} and ${onDesk(desk)} and (${reason ?? null}::text is null or reason = ${reason ?? null})
    order by id desc limit ${limit + 1}`)
  return waiting(listed.rows, limit)
}

/** How many wait on a desk. */
export async function countParkedEvents(database: Database, desk: Desk): Promise<number> {
  const counted = await askFrom(desk, database.send, sql`select count(*) as n from payment_events where ${isParked} and ${onDesk(desk)}`)
  return counted.rows[0]!['n'] as number
}

/** One that waits on a desk, with its bytes as they were signed. */
export async function findParkedEvent(database: Database, desk: Desk, id: string): Promise<ParkedEvent & { raw: Buffer }> {
  const found = await askFrom(desk, database.send, sql`select ${parkedColumns}, raw from payment_events where id = ${parkedId(id)} and ${isParked} and ${onDesk(desk)}`)
  const event = found.rows[0] as (ParkedEvent & { raw: Buffer }) | undefined
  if (event === undefined) throw notFound('parked event')
  return event
}

/** Keeps one that waits on a desk for the rest of the transaction. */
export const lockParkedEvent = (desk: Desk, id: string): Sql =>
  sql`select ${parkedColumns}, raw from payment_events where id = ${parkedId(id)} and ${isParked} and ${onDesk(desk)} for update`

function parkedId(given: string): string {
  if (!isId(given)) throw notFound('parked event')
  return given
}
