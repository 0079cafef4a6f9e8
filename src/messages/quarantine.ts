import { values } from '../db/rows.ts'
import { sql } from '../db/tenant.ts'
import type { Sql } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'
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
  state: 'open' | 'assigned' | 'discarded'
  received_at: string
}

const LONGEST_EXCERPT = 500

export const columns = sql`id, channel, provider_message_id, reason, tenant_id, sender, recipients, subject, excerpt, state, received_at`

/** Keeps a message whole for the operator, once. `tenant` is the company that has another message under its id. */
export const quarantined = (message: Inbound, raw: Buffer, tenant: string | null): Sql => sql`insert into quarantined_messages ${values({
  id: newId(), channel: message.channel, provider_message_id: message.provider_message_id, content_hash: message.content_hash,
  reason: tenant === null ? 'no_tenant' : 'other_content', tenant_id: tenant, sender: message.sender, recipients: message.recipients,
  subject: message.subject, excerpt: Array.from(message.body.slice(0, 2 * LONGEST_EXCERPT)).slice(0, LONGEST_EXCERPT).join('').toWellFormed(), raw,
})} on conflict do nothing`
