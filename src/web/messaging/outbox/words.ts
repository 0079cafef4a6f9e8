import { status } from '../../../platform/html/parts/status.ts'
import type { Html } from '../../../platform/html/html.ts'
import { storedTextForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import type { OutboxEntry, OutboxState } from '../../../messaging/outbox/list.ts'
import { moment, phone } from '../../../records/format/formats.ts'

type Kind = Parameters<typeof status>[1]

const KINDS: Readonly<Record<OutboxState, Kind>> = {
  queued: 'plain',
  attempting: 'active',
  handed_over: 'active',
  delivered: 'good',
  failed: 'warning',
  uncertain: 'warning',
  held: 'warning',
  cancelled: 'ended',
}

/** Draws a message's state as a tag. */
export const stateTag = ({ state }: Pick<OutboxEntry, 'state'>): Html => status(stateLabel(state), KINDS[state])

const stateLabel = (state: OutboxState): string => STATE_LABELS[state]()

const STATE_LABELS: Readonly<Record<OutboxState, () => string>> = {
  queued: () => say`Waiting to be sent`,
  attempting: () => say`Sending`,
  handed_over: () => sayFor('message')`Sent`,
  delivered: () => say`Delivered`,
  failed: () => say`Failed`,
  uncertain: () => say`May have been sent`,
  held: () => say`Not sent`,
  cancelled: () => say`Canceled`,
}

/** Explains why a message waits or how it ended; empty if its state says enough. */
export function reasonOf({ reason, next_at, state, about_kind, ...entry }: OutboxEntry, zone: string): string {
  const reply = entry.reply === null ? null : storedTextForPeople(entry.reply)
  switch (reason) {
    case 'later':
      return say`Will be sent ${moment(next_at, zone)}`
    case 'retry':
      return say`Next try ${moment(next_at, zone)}: ${reply ?? ''}`
    case 'quiet_hours':
      return say`Quiet hours until ${moment(next_at, zone)}`
    case 'daily_limit':
      return say`The daily limit is reached. Will be sent ${moment(next_at, zone)}`
    case 'unclear':
      return say`Waits until somebody decides whether their last text meant STOP`
    case 'no_sender':
      return say`No sender is set up`
    case 'refused':
      return say`Refused: ${reply ?? ''}`
    case 'gave_up':
      return say`Stopped trying after a day: ${reply ?? ''}`
    case 'bounced':
      return reply === null ? say`Bounced` : say`Bounced: ${reply}`
    case 'interrupted':
      return say`The service stopped while sending it`
    case 'no_answer':
      return say`The provider did not answer: ${reply ?? ''}`
    case 'unreadable':
      return say`An attached document could not be read`
    case 'overtaken':
      return staleReasonText(about_kind)
    case 'too_late':
      return say`It was too late to send it`
    case 'by_hand':
      return state === 'handed_over' ? say`Marked as sent` : ''
    default:
      return reason === null ? '' : (reply ?? '')
  }
}

/** Explains why a message about a record was outdated when its turn came. */
export function staleReasonText(about: OutboxEntry['about_kind']): string {
  if (about === 'invoices') return say`The invoice was paid, changed or voided before it was sent`
  if (about === 'quotes') return say`The quote was answered or changed before it was sent`
  if (about === 'jobs') return say`The visit moved or ended before it was sent`
  return say`The plan changed before it was sent`
}

export const channelLabel = (channel: 'email' | 'sms'): string =>
  channel === 'email' ? say`Email` : sayFor('message')`Text`

/** Returns the display name of a message's recipient. */
export const recipientOf = ({ recipient, recipient_name, customer_name }: OutboxEntry): string =>
  recipient_name ?? customer_name ?? phone(recipient)
