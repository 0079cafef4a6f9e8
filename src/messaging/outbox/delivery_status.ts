import type { Send } from '../../platform/db/database.ts'
import { sql, type Sql } from '../../platform/db/tenant.ts'
import { toStorableText } from '../../platform/validation/text/storable.ts'

/** Delivery status that a provider reports for a sent message. */
export type StatusChange = {
  status: 'queued' | 'sending' | 'delivered' | 'failed'
  /** True for a bounce or complaint, which may follow delivery. */
  reversed?: boolean
  message?: unknown
  code?: unknown
  read_at?: string | null
  /** Reason to suppress this recipient from now on. */
  suppresses?: 'bounced' | 'complained' | 'stopped' | undefined
  /** Our own message, if the callback URL contains its id. */
  own?: OwnMessage | undefined
}

export type OwnMessage = { tenant: string; message: string }

/** Maximum length of a provider's message id; a longer id matches no message. */
const MAX_ID = 255

/**
 * Applies a status to the message with this provider id, or stores it until that message is known
 * (docs/spec/messages.md#unknown-messages). Each `send` is a transaction.
 */
export async function applyStatus(
  send: Send,
  channel: 'sms' | 'email',
  id: unknown,
  change: StatusChange,
): Promise<void> {
  const storableId = toStorableText(id, MAX_ID)
  if (storableId === null || storableId === '' || storableId !== id) return
  const { status, reversed = false, message, code, read_at = null, suppresses, own } = change
  // Separate transactions: both update the same row, and on a cluster a transaction that does so twice blocks itself.
  if (own !== undefined) await send([sql`select learn_sent(${own.tenant}, ${own.message}, ${channel}, ${storableId})`])
  await send([
    sql`select take_status(${channel}, ${storableId}, ${status}, ${reversed}, ${textOf(message, 1_000)},
        ${textOf(code, 50)},
        ${read_at}::timestamptz)`,
    ...(suppresses === undefined
      ? []
      : [sql`select suppress_recipients(${channel}, ${storableId}, ${suppresses}, ${textOf(message, 1_000)})`]),
  ])
}

const textOf = (value: unknown, max: number): string | null => toStorableText(value, max) || null

/** Deletes statuses of unknown messages from before a given time. */
export const sweepUnknownStatuses = (before: string): Sql =>
  sql`delete from sent_messages where tenants = '{}' and kept_at < ${before}`
