import { say } from '../../../platform/i18n/say.ts'
import type { SkippedReminder } from '../../../messaging/reminders/invoice_reminder.ts'

/** Returns why somebody got no reminder. */
export function reminderSkipReason(why: SkippedReminder['left_out']): string {
  switch (why) {
    case 'excluded':
      return say`The customer gets no reminders.`
    case 'opted_out':
      return say`They opted out, or an e-mail to them bounced.`
    case 'no_address':
      return say`There is no address to write to.`
    case 'no_sender':
      return say`No sender is set up.`
    case 'refused':
      return say`It couldn't be queued.`
    case 'pending':
      return say`A bank payment is being processed.`
    case 'settled':
      return say`Nothing is owed on it, or it wasn't sent yet.`
  }
}
