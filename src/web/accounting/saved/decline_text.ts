import { say } from '../../../platform/i18n/say.ts'

/** Returns why a charge failed and what to do, for the office; else the provider's own words. */
export function declineText(code: string | null, message: string | null): string {
  switch (code) {
    case 'insufficient_funds':
      return say`There isn’t enough money on the account.`
    case 'expired_card':
      return say`The card has expired.`
    case 'authentication_required':
      return say`The bank wants the customer to confirm. Ask them to pay by the link of the invoice.`
    case 'lost_card':
    case 'stolen_card':
    case 'pickup_card':
    case 'restricted_card':
    case 'generic_decline':
    case 'card_declined':
    case 'do_not_honor':
      return say`The bank declined the card. The customer can ask their bank why.`
    case 'no_method':
      return say`Nothing is on file. Ask the customer to save a card or bank account.`
    case 'unavailable':
      return say`Your account at the payments provider takes no charges now.`
    case 'untold':
      return say`The customer couldn’t be told before, so nothing was charged. Check their e-mail and phone.`
    case 'under_way':
      return say`The customer paid on the payment page meanwhile.`
    case 'not_due':
      return say`It wasn’t owed any more, nothing was on file, or who charged it may not any more.`
    default:
      return message ?? say`The provider gave no reason.`
  }
}

/** Returns why a charge ended without money. */
export const chargeReason = ({ code, message }: { code: string | null; message: string | null }): string =>
  declineText(code, message)

/** Returns why money that was charged isn't booked on its invoice. */
export const reviewReason = (code: string): string =>
  code === 'not_booked_currency'
    ? say`The payment is in another currency than the invoice. It waits under Review.`
    : say`The invoice changed meanwhile. The payment waits under Review.`
