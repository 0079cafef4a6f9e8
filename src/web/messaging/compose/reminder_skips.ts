import { say } from '../../../platform/i18n/say.ts'
import type { SkippedReminder } from '../../../messaging/reminders/invoice_reminder.ts'

/** Explains why a reminder was skipped. */
export const reminderSkipReason = (reason: SkippedReminder['left_out']): string => SKIP_REASONS[reason]()

const SKIP_REASONS: Readonly<Record<SkippedReminder['left_out'], () => string>> = {
  excluded: () => say`The customer gets no reminders.`,
  opted_out: () => say`They opted out, or an email to them bounced.`,
  no_address: () => say`There is no address to write to.`,
  no_sender: () => say`No sender is set up.`,
  refused: () => say`It couldn't be queued.`,
  pending: () => say`A bank payment is being processed.`,
  settled: () => say`Nothing is owed on it, or it wasn't sent yet.`,
}
