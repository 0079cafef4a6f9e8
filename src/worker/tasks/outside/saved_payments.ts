import { runAutopay } from '../../../payments/saved/autopay.ts'
import type { Providers } from '../../../payments/saved/charge.ts'
import { SAVED_PAYMENTS_TASK } from '../../../payments/saved/saved_method.ts'
import { detachRemovedMethods, settleSetups } from '../../../payments/saved/setup.ts'
import type { PeriodicTask, TenantRun } from '../../periodic_task.ts'
import { hourly } from '../../schedule.ts'

/** Returns the task that syncs saved cards and bank accounts with the provider and charges due payments. */
export const paymentMethodTask = (providers: Providers): PeriodicTask => ({
  name: SAVED_PAYMENTS_TASK,
  of: 'tenant',
  lane: 'payments',
  next: hourly,
  run: (run) => runSavedPayments(run, providers),
})

/** Runs all steps. Throws if the provider couldn't answer everything, so that the run is retried. */
async function runSavedPayments({ now, tenant, write }: TenantRun, providers: Providers): Promise<void> {
  const localNow = now.toZonedDateTimeISO(tenant.timezone)
  await settleSetups(write, providers.saved, null)
  const isDetached = await detachRemovedMethods(write, providers.saved)
  const clock = { today: localNow.toPlainDate().toString(), hour: localNow.hour }
  const isCharged = await runAutopay(write, providers, clock)
  if (!isDetached || !isCharged) throw new Error('The payments provider has not answered everything')
}
