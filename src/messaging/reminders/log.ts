import { sql, type Db } from '../../platform/db/tenant.ts'
import type { MessageChannel } from '../templates/kinds.ts'
import type { OutboxState } from '../outbox/list.ts'
import type { ReminderSkipReason } from './remind.ts'
import type { ReminderKind } from './settings.ts'

/** Log entry of a due reminder: its outcome and the reason. */
export type ReminderLogEntry = {
  id: string
  kind: ReminderKind
  record_id: string
  occasion: string
  step: number
  left_out: ReminderSkipReason | null
  reason: string | null
  at: string
  record_name: string | null
  customer_id: string | null
  customer_name: string | null
  channel: MessageChannel | null
  recipient: string | null
  state: OutboxState | null
  /** Reason its message waits or wasn't sent. */
  message_reason: string | null
}

const PAGE_SIZE = 50

/** Returns the reminders before a given one, newest first, and the cursor of the next page. */
export async function listReminderLog(
  db: Db,
  before: string | null,
): Promise<{ rows: ReminderLogEntry[]; earlier: string | undefined }> {
  const rows =
    await db.all<ReminderLogEntry>(sql`select m.id, m.kind, m.record_id, m.occasion, m.step, m.left_out, m.reason, m.at,
      coalesce(i.display_number, q.display_number, j.display_number, p.name) as record_name, c.id as customer_id,
      c.display_name as customer_name, o.channel, o.recipient, o.state, o.reason as message_reason
    from reminders m
      left join invoices i on m.kind = 'invoice' and i.tenant_id = m.tenant_id and i.id = m.record_id
      left join quotes q on m.kind = 'quote' and q.tenant_id = m.tenant_id and q.id = m.record_id
      left join jobs j on m.kind = 'visit' and j.tenant_id = m.tenant_id and j.id = m.record_id
      left join plans p on m.kind = 'plan' and p.tenant_id = m.tenant_id and p.id = m.record_id
      left join customers c on c.tenant_id = m.tenant_id
        and c.id = coalesce(i.customer_id, q.customer_id, j.customer_id, p.customer_id)
      left join outbox o on o.tenant_id = m.tenant_id and o.id = m.message_id
    where m.tenant_id = ${db.tenant} and (${before}::uuid is null or m.id < ${before}::uuid)
    order by m.id desc limit ${PAGE_SIZE + 1}`)
  return { rows: rows.slice(0, PAGE_SIZE), earlier: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1]?.id : undefined }
}
