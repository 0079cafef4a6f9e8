import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice } from '../harness/identity/people_pages.ts'
import { providerOf } from '../harness/clients/webhook_calls.ts'
import { captureLines } from '../harness/processes/workers.ts'

export const NUMBER = '+16175550200'
export const MAILBOX = 'desk@in.example.com'
export const ACCOUNT = 'acct_ours'

export type OfficeScene = Awaited<ReturnType<typeof openOfficeScene>>

/** Opens a company that receives messages and payments, and a worker that runs due tasks on request. */
export async function openOfficeScene(service: TestService) {
  const office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, MAILBOX)
  await connectPaymentAccount(service.database, null, office.id, ACCOUNT)
  const { log, lines } = captureLines()
  let now = Temporal.Now.instant()
  const chores = [...PERIODIC_TASKS, ...configurableTasks(service.config, service.database)]
  const shop = { database: service.database, log, clock: () => now, stopping: new AbortController().signal }
  await enrollAll(shop, chores)
  return {
    service,
    office,
    lines,
    provider: providerOf(service),
    /** Runs the tasks due some seconds later, including those they cause. */
    work: async (seconds = 20): Promise<void> => {
      const present = Temporal.Now.instant()
      now = (Temporal.Instant.compare(now, present) < 0 ? present : now).add({ seconds })
      for (let round = 0; round < 3; round++) await runDue(shop, chores)
    },
  }
}
