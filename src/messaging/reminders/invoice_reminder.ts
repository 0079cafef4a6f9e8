import { isBankPaymentPending } from '../../records/invoices/index.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { Senders } from '../outbox/senders/senders.ts'
import type { MessageKind } from '../templates/kinds.ts'
import { findSubjectRecord, lockSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { queueReminder, findReminderRoute, type ReminderSkipReason, type ReminderRoute } from './remind.ts'

/** Result of a reminder that a person sends for an invoice: its recipient, or the reason there is none. */
export type InvoiceReminder = { record: SubjectRecord } & (
  | Extract<ReminderRoute, { channel: string }>
  | SkippedReminder
)

/**
 * Reason for no reminder. `settled`: nothing is due, or the invoice isn't sent yet. `pending`: a bank payment is being
 * processed.
 */
export type SkippedReminder = { left_out: ReminderSkipReason | 'settled' | 'pending'; reason: string | null }

/** Returns the recipient of an invoice reminder now; `user` sends it. */
export const invoiceReminder = async (db: Db, id: string, user: string, senders: Senders): Promise<InvoiceReminder> =>
  reminderOf(db, await findSubjectRecord(db, 'invoices', id), user, senders)

/**
 * Sends a reminder of an invoice for a person (docs/spec/sending.md#manual-reminders). The template depends on how
 * `today`, the company's date, relates to the due date; email goes first. Returns the reason if nobody is reached.
 */
export async function remindOfInvoice(
  db: Db,
  id: string,
  { user, senders, today }: { user: string; senders: Senders; today: string },
): Promise<SkippedReminder | undefined> {
  const reminder = await reminderOf(db, await lockSubjectRecord(db, 'invoices', id), user, senders)
  if ('left_out' in reminder) return reminder
  const { record } = reminder
  const result = await queueReminder(db, record, kindOn(today, record.day ?? today), reminder, senders, user)
  return 'left_out' in result ? result : undefined
}

async function reminderOf(db: Db, record: SubjectRecord, user: string, senders: Senders): Promise<InvoiceReminder> {
  const isOwed = (record.status === 'sent' || record.status === 'partially_paid') && record.balance_cents > 0
  if (!isOwed || record.is_archived) return { record, left_out: 'settled', reason: null }
  if (await isBankPaymentPending(db, record.id)) return { record, left_out: 'pending', reason: null }
  return { record, ...(await findReminderRoute(db, record, 'email', senders, user)) }
}

const kindOn = (today: string, due: string): MessageKind =>
  due < today ? 'invoice_overdue' : due === today ? 'invoice_due' : 'invoice_due_soon'
