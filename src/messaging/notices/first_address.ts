import type { Db } from '../../platform/db/tenant.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import { findObjection } from '../outbox/consent.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { CHANNELS, type MessageChannel } from '../templates/kinds.ts'
import { listRecipients } from '../templates/recipients.ts'
import type { SubjectRecord } from '../templates/subject_record.ts'

export type CustomerAddress = { channel: MessageChannel; to: string; toName: string | null; firstName: string | null }

/** Maximum number of addresses to try per channel. */
const MAX_TRIED = 5

/**
 * Writes to the first usable address of a customer, email before text. Returns whether a message was queued: false if
 * no address is usable or the queue refuses it.
 */
export async function writeToFirstAddress(
  db: Db,
  subject: SubjectRecord,
  senders: Senders,
  queue: (to: CustomerAddress) => Promise<unknown>,
): Promise<boolean> {
  for (const channel of CHANNELS) {
    if (!(await canSend(db, senders, channel))) continue
    for (const { address, name, firstName } of (await listRecipients(db, subject, channel)).slice(0, MAX_TRIED)) {
      if ((await findObjection(db, { channel, to: address, by: null })) !== undefined) continue
      return queue({ channel, to: address, toName: name, firstName })
        .then(() => true)
        .catch(ifRefused(false))
    }
  }
  return false
}
