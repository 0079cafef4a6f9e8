import { say } from '../../../platform/i18n/say.ts'
import type { MessageKind } from '../../../messaging/templates/kinds.ts'

/** Returns the display name of a kind of message. */
export const kindName = (kind: MessageKind): string => KIND_NAMES[kind]()

const KIND_NAMES: Readonly<Record<MessageKind, () => string>> = {
  quote_sent: () => say`Quote sent`,
  quote_unanswered: () => say`Quote unanswered`,
  visit_booked: () => say`Visit booked`,
  visit_tomorrow: () => say`Visit reminder`,
  on_my_way: () => say`On my way`,
  running_late: () => say`Running late`,
  invoice_sent: () => say`Invoice sent`,
  invoice_due_soon: () => say`Invoice due soon`,
  invoice_due: () => say`Invoice due today`,
  invoice_overdue: () => say`Invoice overdue, first notice`,
  invoice_overdue_again: () => say`Invoice overdue, later notices`,
  payment_receipt: () => say`Payment receipt`,
  statement: () => say`Account statement`,
  autopay_coming: () => say`Automatic payment to come`,
  autopay_failed: () => say`Automatic payment failed`,
  plan_ending: () => say`Plan ending`,
}

/** Describes when a kind of message is sent. */
export const kindDescription = (kind: MessageKind): string =>
  KIND_DESCRIPTIONS[kind]?.() ?? say`Automatically, when the reminder is on`

const KIND_DESCRIPTIONS: Readonly<Partial<Record<MessageKind, () => string>>> = {
  quote_sent: () => say`When you press Send on a quote`,
  invoice_sent: () => say`When you press Send on an invoice`,
  visit_booked: () => say`When you confirm a visit`,
  on_my_way: () => say`When a technician presses On my way`,
  running_late: () => say`To the next customers when a technician is late, if you allow it`,
  payment_receipt: () => say`After each payment, and when you send a receipt`,
  statement: () => say`When you send a statement`,
  autopay_coming: () => say`Before an automatic payment`,
  autopay_failed: () => say`After an automatic payment failed`,
}
