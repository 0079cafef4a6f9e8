import pino from 'pino'
import { readConfig } from '../../../src/platform/config/config.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { APPLY_PAYMENTS_TASK } from '../../../src/payments/events/effects.ts'
import { startService } from '../../../src/start/service.ts'
import type { PeriodicTask } from '../../../src/worker/periodic_task.ts'
import { applyPayments } from '../../../src/worker/tasks/payments.ts'
import { onDemand } from '../../../src/worker/schedule.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { WEBHOOK_ENV } from '../clients/webhook_calls.ts'
import { captureLines } from './workers.ts'

/**
 * Input of this process, which is killed. It is the service, or a worker that reports and waits inside the transaction
 * that applies an event.
 */
const { login, part } = JSON.parse(process.argv[2]!) as { login: object; part: 'service' | 'worker' }
const database = openDatabase(login)
if (part === 'service') {
  const config = { ...readConfig({ BASE_URL: 'http://callout.test', ...WEBHOOK_ENV }), port: 0 }
  process.stdout.write(String((await startService(config, database, pino({ level: 'silent' }), null)).port))
} else {
  const chore: PeriodicTask = {
    name: APPLY_PAYMENTS_TASK,
    of: 'tenant',
    next: onDemand,
    run: (turn) =>
      applyPayments({
        ...turn,
        each: (page, work) =>
          turn.each(page, async (db, item) => {
            await work(db, item)
            process.stdout.write('inside')
            await new Promise((resolve) => setTimeout(resolve, 60_000))
          }),
      }),
  }
  await runDue(
    { database, log: captureLines().log, clock: Temporal.Now.instant, stopping: new AbortController().signal },
    [chore],
  )
}
