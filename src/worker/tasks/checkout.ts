import { CHECKOUT_ENDINGS, endStale } from '../../payments/checkout.ts'
import type { HostedCheckout } from '../../payments/hosted_checkout.ts'
import type { Chore } from '../chore.ts'
import { whenAsked } from '../schedule.ts'

/** Ends pages of payment whose amount isn't owed any more; asked for by the change of the invoice. */
export const checkoutEndings = (checkout: HostedCheckout): Chore => ({
  name: CHECKOUT_ENDINGS,
  of: 'tenant',
  next: whenAsked,
  run: ({ write }) => endStale(write, checkout),
})
