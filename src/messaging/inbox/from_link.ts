import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'

/** Message that a customer wrote on their link page; `idempotencyKey` identifies one submission. */
type LinkMessage = { customer: string; name: string; idempotencyKey: string; subject: string; body: string }

type ContactAddresses = { id: string; email: string | null; phone: string | null }

/**
 * Stores a message from a link page as inbound, once per submission. Its channel is one on which the customer's first
 * contact can be answered. Returns false if it is already stored.
 */
export async function receiveFromLink(
  db: Db,
  { customer, name, idempotencyKey, subject, body }: LinkMessage,
): Promise<boolean> {
  const [contact, thread] = await Promise.all([
    db.maybe<ContactAddresses>(sql`select id, email, phone from contacts
      where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null
      order by is_primary desc, created_at, id limit 1`),
    db.maybe<{ id: string }>(sql`select m.conversation_id as id from communications m
      where m.tenant_id = ${db.tenant} and m.customer_id = ${customer} and m.provider = ${PROVIDER}
        and m.conversation_id is not null
      order by m.occurred_at desc, m.id desc limit 1`),
  ])
  const channel = contact?.email == null && contact?.phone != null ? 'sms' : 'email'
  const address = (channel === 'sms' ? contact?.phone : contact?.email) ?? ''
  const [id, conversation] = [newId(), thread?.id ?? newId()]
  if (thread === undefined)
    await db.run(
      sql`insert into conversations ${values({
        tenant_id: db.tenant,
        id: conversation,
        channel,
        customer_id: customer,
        subject,
      })}`,
    )
  const added = await db.run(
    sql`insert into communications ${values({
      tenant_id: db.tenant,
      id,
      conversation_id: conversation,
      channel,
      direction: 'inbound',
      status: 'received',
      provider: PROVIDER,
      provider_message_id: idempotencyKey,
      sender: address === '' ? name : address,
      sender_address: address,
      recipients: [],
      customer_id: customer,
      contact_id: contact?.id ?? null,
      subject,
      body,
    })} on conflict do nothing`,
  )
  if (added > 0)
    await db.run(
      sql`update conversations set last_at = greatest(last_at, moment_of(tenant_id))
        where tenant_id = ${db.tenant} and id = ${conversation}`,
    )
  return added > 0
}

/** Provider name of link messages; no real provider uses it. */
const PROVIDER = 'link'
