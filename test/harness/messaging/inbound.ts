import { Client } from 'pg'
import { statementsIn } from '../../../src/platform/db/citus/statements.ts'
import { sql, type Database } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { listAttachments, type Attachment } from '../../../src/files/attachment.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeCompany, type TestService } from '../harness.ts'

export type Stored = {
  id: string
  conversation_id: string
  channel: string
  direction: string
  status: string
  provider_message_id: string
  sender: string
  sender_address: string
  recipients: string[]
  customer_id: string | null
  contact_id: string | null
  subject: string | null
  body: string
  html: string | null
  in_reply_to: string | null
  dmarc: string | null
}

let serial = 0

/** Makes a company with its own phone number and email address. */
export async function makeReceiver(service: TestService) {
  const company = await makeCompany(service)
  const number = `+1617555${String(++serial).padStart(4, '0')}`
  const address = `jobs${serial}@in.example.com`
  await addChannel(service.database, NUMBERS, company.tenant, number)
  await addChannel(service.database, MAILBOXES, company.tenant, address)
  const { tenant } = company
  return {
    ...company,
    number,
    address,
    customer: (contact: { phone?: string; email?: string }) =>
      company.call('customers_create', { customer_type: 'individual', first_name: 'Ana', contacts: [contact] }),
    messages: () => messagesOf(service.database, tenant),
    message: async (id: string): Promise<Stored> =>
      (await messagesOf(service.database, tenant)).find((one) => one.provider_message_id === id)!,
    attachments: (communication: string): Promise<Attachment[]> =>
      readTenant(service.database, { tenant }, (db) => listAttachments(db, communication)),
    spooled: () =>
      readTenant(
        service.database,
        { tenant },
        async (db) =>
          (await db.all(sql`select attachment_id from attachment_spool where tenant_id = ${tenant}`)).length,
      ),
  }
}

export type Receiver = Awaited<ReturnType<typeof makeReceiver>>

export const messagesOf = (database: Database, tenant: string): Promise<Stored[]> =>
  readTenant(database, { tenant }, (db) =>
    db.all<Stored>(sql`select * from communications where tenant_id = ${tenant} order by created_at, id`),
  )

/** Returns the quarantined messages with a provider's message id. */
export const quarantinedUnder = async (database: Database, id: string): Promise<Record<string, unknown>[]> =>
  (await database.send([sql`select * from quarantined_messages where provider_message_id = ${id} order by id`]))[0]!
    .rows

export const freshId = (prefix = 'SM'): string => `${prefix}${newId().replaceAll('-', '')}`

/** Runs statements one by one, as a cluster requires, bypassing every policy. */
export async function asOwner(service: Pick<TestService, 'owner'>, text: string): Promise<void> {
  const client = new Client(service.owner)
  await client.connect()
  try {
    for (const statement of statementsIn(text)) await client.query(statement)
  } finally {
    await client.end()
  }
}
