import { say } from '../../../platform/i18n/say.ts'

/** Returns why a charge failed and what to do, for the office; else the provider's own words. */
export function declineText(code: string | null, message: string | null): string {
  if (code !== null && DECLINED.has(code)) return say`The bank declined the card. The customer can ask their bank why.`
  return REASONS.get(code ?? '')?.() ?? message ?? say`The provider gave no reason.`
}

/** Codes of a bank that declined without a reason to act on. */
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
    () => say`The bank wants the customer to confirm. Ask them to pay by the link of the invoice.`,
  ],
  ['no_method', () => say`Nothing is on file. Ask the customer to save a card or bank account.`],
  ['unavailable', () => say`Your account at the payments provider takes no charges now.`],
  ['untold', () => say`The customer couldn’t be told before, so nothing was charged. Check their e-mail and phone.`],
  ['under_way', () => say`The customer paid on the payment page meanwhile.`],
  ['not_due', () => say`It was no longer owed, nothing was on file, or the person who charged it no longer may.`],
])

/** Returns why a charge ended without money. */
export const chargeReason = ({ code, message }: { code: string | null; message: string | null }): string =>
  declineText(code, message)

/** Returns why money that was charged isn't booked on its invoice. */
export const reviewReason = (code: string): string =>
  code === 'not_booked_currency'
    ? say`The payment and the invoice are in different currencies. The payment waits under Review.`
    : say`The invoice changed meanwhile. The payment waits under Review.`
