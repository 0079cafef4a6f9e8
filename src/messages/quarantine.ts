import { values } from '../db/rows.ts'
import { sql } from '../db/tenant.ts'
import type { Database, Sql } from '../db/tenant.ts'
import { notFound } from '../refusal.ts'
import { isId, newId } from '../shape/id.ts'
import type { Inbound } from './communication.ts'

/** A message that waits for the operator. */
export type Quarantined = {
  id: string
  channel: 'sms' | 'email'
  provider_message_id: string
  reason: 'no_tenant' | 'other_content'
  tenant_id: string | null
  sender: string
  recipients: string[]
  subject: string | null
  excerpt: string
  received_at: string
}

const LONGEST_EXCERPT = 500

const columns = sql`id, channel, provider_message_id, reason, tenant_id, sender, recipients, subject, excerpt, received_at`

/** After every id. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The messages that wait, newest first, before an id. */
export async function listQuarantined(database: Database, { before = LAST, limit = 50 } = {}): Promise<Quarantined[]> {
  const [listed] = await database.send([sql`select ${columns} from quarantined_messages where state = 'open' and id < ${before} order by id desc limit ${limit}`])
  return listed!.rows as Quarantined[]
}

/** One that waits, with the whole of it. */
export async function findQuarantined(database: Database, id: string): Promise<Quarantined & { raw: Buffer }> {
  const [found] = isId(id) ? await database.send([sql`select ${columns}, raw from quarantined_messages where id = ${id} and state = 'open'`]) : []
  const row = found?.rows[0] as (Quarantined & { raw: Buffer }) | undefined
  if (row === undefined) throw notFound('quarantined message')
  return row
}

/** Keeps one that waits for the rest of the transaction. */
export const lockQuarantined = (id: string): Sql => sql`select ${columns} from quarantined_messages where id = ${id} and state = 'open' for update`

/** Ends the wait, and lets the message go. */
export const endWait = (id: string, state: 'assigned' | 'discarded', to: readonly string[]): Sql =>
  sql`update quarantined_messages set state = ${state}, assigned_to = ${[...to]}::uuid[], raw = null where id = ${id} and state = 'open'`

/** Keeps a message whole for the operator, once. `tenant` is the company that has another message under its id. */
export const quarantined = (message: Inbound, raw: Buffer, tenant: string | null): Sql => sql`insert into quarantined_messages ${values({
  id: newId(), channel: message.channel, provider_message_id: message.provider_message_id, content_hash: message.content_hash,
  reason: tenant === null ? 'no_tenant' : 'other_content', tenant_id: tenant, sender: message.sender, recipients: message.recipients,
  subject: message.subject, excerpt: Array.from(message.body.slice(0, 2 * LONGEST_EXCERPT)).slice(0, LONGEST_EXCERPT).join('').toWellFormed(), raw,
})} on conflict do nothing`
