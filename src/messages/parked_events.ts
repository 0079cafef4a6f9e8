import type { Actor } from '../access/audit.ts'
import { sql } from '../db/tenant.ts'
import type { Database, Sql } from '../db/tenant.ts'
import { conflict, invalid, notFound } from '../refusal.ts'
import { isId } from '../shape/id.ts'
import { reviewed } from './review.ts'

/** An event of the payments provider that waits for the operator: of the other mode, or of no use as it is (webhooks 2). */
export type ParkedEvent = {
  id: string
  event_id: string
  endpoint: 'platform' | 'connect'
  type: string | null
  account_id: string | null
  livemode: boolean | null
  reason: 'mode_mismatch' | 'void_invoice' | 'other_currency' | 'unreadable_amount'
  tenant_id: string | null
  received_at: string
}

const columns = sql`id, event_id, endpoint, type, account_id, livemode, reason, tenant_id, received_at`

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** The events that wait, oldest first, after an id. */
export async function listParkedEvents(database: Database, { after = FIRST, limit = 50 } = {}): Promise<ParkedEvent[]> {
  const [answer] = await database.send([sql`select ${columns} from payment_events where state = 'review' and id > ${after} order by id limit ${limit}`])
  return answer!.rows as ParkedEvent[]
}

/** The bytes of an event as they were signed. */
export async function findParkedBytes(database: Database, id: string): Promise<Buffer> {
  const [answer] = await database.send([sql`select raw from payment_events where id = ${idOf(id)} and state = 'review'`])
  const [row] = answer!.rows as { raw: Buffer }[]
  if (row === undefined) throw notFound('parked event')
  return row.raw
}

/** Has the worker apply the event as if it came now; one of the other mode counts as ingested from then on. */
export const replayParkedEvent = (database: Database, by: Actor, id: string): Promise<ParkedEvent> =>
  decide(database, by, id, 'payment_events.replay', (event) => sql`
    update payment_events set state = 'pending', reason = null, tenant_id = null, mode_matches = true where id = ${event}
      and not exists (select from payment_events o where o.id <> payment_events.id and o.digest = payment_events.digest and o.mode_matches)`)

/** Puts the event away without any effect; its bytes stay. */
export const discardParkedEvent = (database: Database, by: Actor, id: string): Promise<ParkedEvent> =>
  decide(database, by, id, 'payment_events.discard', (event) => sql`update payment_events set state = 'discarded' where id = ${event}`)

/** Connects a tenant's account at the payments provider, which makes its events the tenant's, earlier ones too. */
export async function connectPaymentAccount(database: Database, by: Actor, tenant: string, account: string): Promise<void> {
  if (!/^[\x21-\x7e]{1,100}$/.test(account)) throw invalid(`account must be the payments provider's id of an account (got '${account}')`)
  await atomically(database, async (send) => {
    const [added] = await send([sql`insert into payment_accounts (account_id, tenant_id) values (${account}, ${tenant}) on conflict do nothing`])
    const [known] = await send([sql`select tenant_id from payment_accounts where account_id = ${account}`])
    if (known!.rows[0]!['tenant_id'] !== tenant) throw conflict('this account belongs to another company')
    if (added!.count === 1) await send([reviewed(by, 'payment_accounts.connect', tenant, { account })])
  })
}

/** The decision and its row in the audit are one transaction; an event that doesn't wait any more is `not_found`. */
async function decide(database: Database, by: Actor, id: string, act: 'payment_events.replay' | 'payment_events.discard', change: (id: string) => Sql): Promise<ParkedEvent> {
  const event = idOf(id)
  return atomically(database, async (send) => {
    const [found] = await send([sql`select ${columns} from payment_events where id = ${event} and state = 'review' for update`])
    const parked = found!.rows[0] as ParkedEvent | undefined
    if (parked === undefined) throw notFound('parked event')
    const [changed] = await send([change(event)])
    if (changed!.count === 0) throw conflict('this event was ingested in the right mode since; discard the parked one')
    await send([reviewed(by, act, event, { reason: parked.reason, event: parked.event_id })])
    return parked
  })
}

const atomically = <T>(database: Database, work: (send: Database['send']) => Promise<T>): Promise<T> =>
  database.hold(async (send) => {
    await send([sql`begin`])
    try {
      const done = await work(send)
      await send([sql`commit`])
      return done
    } catch (error) {
      await send([sql`rollback`]).catch(() => {})
      throw error
    }
  })

function idOf(given: string): string {
  if (!isId(given)) throw notFound('parked event')
  return given
}
