import { contactName, contactsOf, type Contact } from '../../records/contacts/index.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { MessageChannel } from './kinds.ts'
import type { SubjectRecord } from './subject_record.ts'

/** Address that a message may go to. */
export type Recipient = {
  address: string
  name: string
  /** First name for the greeting. */
  firstName: string | null
  hasOptedOut: boolean
}

/** Lists a customer's addresses on a channel: the record's contact first, then the primary one; each address once. */
export async function listRecipients(
  db: Db,
  { customer_id, contact_id }: Pick<SubjectRecord, 'customer_id' | 'contact_id'>,
  channel: MessageChannel,
): Promise<Recipient[]> {
  const contacts = await contactsOf(db, customer_id)
  const inOrder = [...contacts.filter(({ id }) => id === contact_id), ...contacts.filter(({ id }) => id !== contact_id)]
  const recipients = new Map<string, Recipient>()
  for (const contact of inOrder) {
    const address = channel === 'email' ? contact.email : contact.phone
    if (address !== null && !recipients.has(address))
      recipients.set(address, toRecipient(contact, address, channel, contacts))
  }
  return [...recipients.values()]
}

/** Builds a recipient. An address is opted out if any contact with it is. */
const toRecipient = (
  contact: Contact,
  address: string,
  channel: MessageChannel,
  all: readonly Contact[],
): Recipient => ({
  address,
  name: contactName(contact),
  firstName: contact.first_name,
  hasOptedOut: all.some((one) =>
    channel === 'email' ? one.email === address && one.email_opt_out : one.phone === address && one.sms_opt_out,
  ),
})
