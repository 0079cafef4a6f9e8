import pino from 'pino'
import { openCheckout } from '../../../src/payments/hosted_checkout.ts'
import { openSavedPayments, type SavedPayments } from '../../../src/payments/saved/saved_payments_api.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { paymentMethodTask } from '../../../src/worker/tasks/outside/saved_payments.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { countSteps } from '../processes/simulated_death.ts'

export type ChargerInput = { login: object; now: string; access: { key: string; apiUrl: string }; dieAt: number | null }

/**
 * Input of this process, which charges due invoices and kills itself before a database round trip, or before or after
 * a request to the provider.
 */
const { login, now, access, dieAt } = JSON.parse(process.argv[2]!) as ChargerInput
const { database, between } = countSteps(openDatabase(login, { maxConnections: 3 }), (number) => {
  if (dieAt === null || number < dieAt) return Promise.resolve()
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
})
const real = openSavedPayments(access)
const saved: SavedPayments = {
  ...real,
  createIntent: (request) => between(() => real.createIntent(request)),
  confirmIntent: (...given) => between(() => real.confirmIntent(...given)),
  cancelIntent: (...given) => between(() => real.cancelIntent(...given)),
  readIntent: (...given) => between(() => real.readIntent(...given)),
}
const clock = (): Temporal.Instant => Temporal.Instant.from(now)
await runDue({ database, log: pino({ level: 'silent' }), clock, stopping: new AbortController().signal }, [
  paymentMethodTask({ checkout: openCheckout(access), saved }),
])
process.exit(0)
