import { sql, type Db } from '../db/tenant.ts'
import type { Channel } from './kinds.ts'

/** Describes a message about a record, and what became of it. */
export type SentMessage = {
  id: string
  channel: Channel
  cause: 'sent' | 'reply' | 'reminder' | 'on_my_way' | 'test'
  state: string
  reason: string | null
  /** Is what the provider said last. */
  reply: string | null
  recipient: string
  subject: string | null
  created_at: string
  sender_name: string | null
}

const MAX_SHOWN = 20

/** Lists the messages about a record, newest first. */
export const sentAbout = (db: Db, record: string): Promise<SentMessage[]> =>
  db.all<SentMessage>(sql`select o.id, o.channel, o.cause, o.state, o.reason, o.reply, o.recipient, m.subject, o.created_at,
      u.name as sender_name
    from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id left join users u on u.id = o.queued_by
    where o.tenant_id = ${db.tenant} and o.about_id = ${record} order by o.created_at desc, o.id desc limit ${MAX_SHOWN}`)
