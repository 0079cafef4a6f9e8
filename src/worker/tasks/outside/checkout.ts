import { CHECKOUT_END_TASK, endStalePages } from '../../../payments/checkout_pages.ts'
import type { HostedCheckout } from '../../../payments/hosted_checkout.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { onDemand } from '../../schedule.ts'

/** Returns the task that ends payment pages whose amount is no longer owed. A change of the invoice requests it. */
export const checkoutEndTask = (checkout: HostedCheckout): PeriodicTask => ({
  name: CHECKOUT_END_TASK,
  of: 'tenant',
  next: onDemand,
  run: ({ write }) => endStalePages(write, checkout),
})
