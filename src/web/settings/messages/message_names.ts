import { say } from '../../../platform/i18n/say.ts'
import type { MessageKind } from '../../../messaging/templates/kinds.ts'

/** Returns what people call a kind of message. */
export function kindName(kind: MessageKind): string {
  switch (kind) {
    case 'quote_sent':
      return say`Quote sent`
    case 'quote_unanswered':
      return say`Quote unanswered`
    case 'visit_booked':
      return say`Visit booked`
    case 'visit_tomorrow':
      return say`Visit reminder`
    case 'on_my_way':
      return say`On my way`
    case 'running_late':
      return say`Running late`
    case 'invoice_sent':
      return say`Invoice sent`
    case 'invoice_due_soon':
      return say`Invoice due soon`
    case 'invoice_due':
      return say`Invoice due today`
    case 'invoice_overdue':
      return say`Invoice overdue, first notice`
    case 'invoice_overdue_again':
      return say`Invoice overdue, later notices`
    case 'payment_receipt':
      return say`Payment receipt`
    case 'statement':
      return say`Account statement`
    case 'autopay_coming':
      return say`Automatic payment to come`
    case 'autopay_failed':
      return say`Automatic payment failed`
    case 'plan_ending':
      return say`Plan ending`
  }
}

/** Returns when a kind of message goes out. */
export function kindDescription(kind: MessageKind): string {
  switch (kind) {
    case 'quote_sent':
      return say`When you press Send on a quote`
    case 'invoice_sent':
      return say`When you press Send on an invoice`
    case 'visit_booked':
      return say`When you confirm a visit`
    case 'on_my_way':
      return say`When a technician presses On my way`
    case 'running_late':
      return say`To the next customers when a technician is late, if you allow it`
    case 'payment_receipt':
      return say`After each payment, and when you send a receipt`
    case 'statement':
      return say`When you send a statement`
    case 'autopay_coming':
      return say`Before an automatic payment`
    case 'autopay_failed':
      return say`After an automatic payment failed`
    default:
      return say`Automatically, when the reminder is on`
  }
}
