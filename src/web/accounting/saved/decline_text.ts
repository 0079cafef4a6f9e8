import { say } from '../../../platform/i18n/say.ts'

/** Explains to the office why a charge failed and what to do; falls back to the provider's own message. */
export function declineText(code: string | null, message: string | null): string {
  if (code !== null && DECLINED.has(code)) return say`The bank declined the card. The customer can ask their bank why.`
  return REASONS.get(code ?? '')?.() ?? message ?? say`The provider gave no reason.`
}

/** Decline codes of a bank that give no reason to act on. */
const DECLINED: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'generic_decline',
  'card_declined',
  'do_not_honor',
])

const REASONS: ReadonlyMap<string, () => string> = new Map([
  ['insufficient_funds', () => say`There isn’t enough money on the account.`],
  ['expired_card', () => say`The card has expired.`],
  [
    'authentication_required',
    () => say`The bank wants the customer to confirm. Ask them to pay using the invoice link.`,
  ],
  ['no_method', () => say`Nothing is on file. Ask the customer to save a card or bank account.`],
  ['unavailable', () => say`Your account at the payments provider can’t take charges right now.`],
  ['untold', () => say`The customer couldn’t be notified first, so nothing was charged. Check their email and phone.`],
  ['under_way', () => say`The customer paid on the payment page in the meantime.`],
  ['not_due', () => say`It was no longer owed, nothing was on file, or the person who charged it no longer may.`],
])

/** Explains why a charge collected no money. */
export const chargeReason = ({ code, message }: { code: string | null; message: string | null }): string =>
  declineText(code, message)

/** Explains why charged money isn't booked on its invoice. */
export const reviewReason = (code: string): string =>
  code === 'not_booked_currency'
    ? say`The payment and the invoice are in different currencies. The payment waits in Quarantine.`
    : say`The invoice changed in the meantime. The payment waits in Quarantine.`
