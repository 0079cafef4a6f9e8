import pino from 'pino'
import type { MailServer, SmsAccount } from '../../../src/platform/config/config.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { createSenders } from '../../../src/messaging/outbox/senders/senders.ts'
import { sendingTasks } from '../../../src/worker/tasks/sending.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { countSteps } from './simulated_death.ts'

type Given = { login: object; now: string; mailServer: MailServer; smsAccount: SmsAccount; dieAt: number | null }

/**
 * Input of this process, which sends the due messages and kills itself before a database or provider round trip.
 */
const { login, now, mailServer, smsAccount, dieAt } = JSON.parse(process.argv[2]!) as Given
const { database, between } = countSteps(openDatabase(login, { maxConnections: 3 }), (number) => {
  if (dieAt === null || number < dieAt) return Promise.resolve()
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
})
const real = createSenders({ mailServer, smsAccount, smsFrom: null, baseUrl: 'http://callout.test' })
const senders = {
  ...real,
  email: {
    ...real.email!,
    send: (...given: Parameters<NonNullable<typeof real.email>['send']>) => between(() => real.email!.send(...given)),
  },
  sms: {
    ...real.sms!,
    send: (...given: Parameters<NonNullable<typeof real.sms>['send']>) => between(() => real.sms!.send(...given)),
  },
}
const clock = (): Temporal.Instant => Temporal.Instant.from(now)
await runDue(
  { database, log: pino({ level: 'silent' }), clock, stopping: new AbortController().signal },
  sendingTasks(senders),
)
process.exit(0)
