import { sql, type Db } from '../../platform/db/tenant.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { findObjection } from '../outbox/consent.ts'

/** Number or address for a reply, and the reason if it must not be used. */
export type ReplyAddress = {
  channel: 'sms' | 'email'
  to: string
  /** Name of the contact. */
  name: string | null
  /** Newest message from there; a reply answers it. */
  answers: { id: string; subject: string | null } | null
  /** Reason that nothing may be sent there. */
  objection: string | undefined
}

/** True for a channel that can send now; false if its messages wait until a sender is configured. */
export type SenderStatus = Readonly<Record<ReplyAddress['channel'], boolean>>

const MAX_ADDRESSES = 12

type ReplyAddressRow = Omit<ReplyAddress, 'answers' | 'objection'> & { answers: string | null; subject: string | null }

/** Returns the addresses of a customer or an unknown sender, the most recently used first. */
export async function listReplyAddresses(
  db: Db,
  { customer, stranger }: { customer: string | null; stranger: string | null },
  by: string,
): Promise<ReplyAddress[]> {
  const addresses = await db.all<ReplyAddressRow>(sql`
    with wrote as (
      select distinct on (m.channel, m.sender_address) m.channel, m.sender_address as "to", m.id as answers, m.subject,
        m.occurred_at
      from communications m where m.tenant_id = ${db.tenant} and m.direction = 'inbound'
        and ${customer === null ? sql`m.customer_id is null and counterpart_of(m.direction, m.sender_address, m.recipients) = ${stranger}` : sql`m.customer_id = ${customer}`}
      order by m.channel, m.sender_address, m.occurred_at desc),
    known as (
      select v.channel, v."to", nullif(concat_ws(' ', k.first_name, k.last_name), '') as name, k.is_primary
      from contacts k cross join lateral (values ('sms', k.phone), ('email', k.email)) v(channel, "to")
      where k.tenant_id = ${db.tenant} and k.customer_id = ${customer}::uuid and k.archived_at is null
        and v."to" is not null)
    select coalesce(w.channel, k.channel) as channel, coalesce(w."to", k."to") as "to", max(k.name) as name,
      w.answers::text, w.subject
    from wrote w full join known k on k.channel = w.channel and k."to" = w."to"
    where coalesce(w.channel, k.channel) = 'email' or coalesce(w."to", k."to") like '+%'
    group by 1, 2, w.answers, w.subject, w.occurred_at
    order by w.occurred_at desc nulls last, bool_or(k.is_primary) desc nulls last, 1 desc, 2 limit ${MAX_ADDRESSES}`)
  return Promise.all(
    addresses.map(async ({ answers, subject, ...address }) => ({
      ...address,
      answers: answers === null ? null : { id: answers, subject },
      objection: (await findObjection(db, { channel: address.channel, to: address.to, by }))?.message,
    })),
  )
}

export const readSenderStatus = async (db: Db, senders: Senders): Promise<SenderStatus> => {
  const [email, sms] = await Promise.all([canSend(db, senders, 'email'), canSend(db, senders, 'sms')])
  return { email, sms }
}
