import { CHECKOUT_END_TASK, endStalePages } from '../../../payments/checkout_pages.ts'
import type { HostedCheckout } from '../../../payments/hosted_checkout.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { onDemand } from '../../schedule.ts'

/** Ends pages of payment whose amount isn't owed any more; asked for by the change of the invoice. */
export const checkoutEndings = (checkout: HostedCheckout): PeriodicTask => ({
  name: CHECKOUT_END_TASK,
  of: 'tenant',
  next: onDemand,
  run: ({ write }) => endStalePages(write, checkout),
})
