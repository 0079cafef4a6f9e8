import { FETCH_TASK } from '../../files/attachment.ts'
import { CHECKOUT_END_TASK } from '../../payments/checkout_pages.ts'
import { SAVED_PAYMENTS_TASK } from '../../payments/saved/saved_method.ts'
import { BOOKS_TASK } from '../../books/connection/connection.ts'
import type { Config } from '../../platform/config/config.ts'
import { rowsOf, sql, type Database } from '../../platform/db/tenant.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { SERVICE } from '../../platform/leases/lease.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'
import { joinPhrases } from './messages.ts'

/** Consecutive failures of a periodic task, over about four hours, from which it counts as wrong. */
const MAX_FAILURES = 10

/** Maximum delay in minutes: of a task of the service, and of a company's task, which a busy night may delay. */
const [MAX_SERVICE_MINUTES, MAX_COMPANY_MINUTES] = [15, 24 * 60]

/** Delay in minutes from which a company's task is reported as a warning. */
const WARN_COMPANY_MINUTES = 60

const MAX_NAMED = 10

/** Late or failing task: number of companies, delay, failures, and the log reference of its last error. */
export type LateTask = {
  task: string
  of_service: boolean
  companies: number
  minutes: number
  failures: number
  reference: string | null
}

type TaskSettings = Pick<Config, 'smsAccount' | 'payments' | 'books'>

/** Selects the tasks that are late or keep failing, by name, the latest first. Ignores frozen companies. */
export async function listLateTasks(send: Database['send'], config: TaskSettings): Promise<LateTask[]> {
  const notConfigured = [
    ...(config.smsAccount === null ? [FETCH_TASK] : []),
    ...(config.payments === null ? [CHECKOUT_END_TASK, SAVED_PAYMENTS_TASK] : []),
    ...(config.books.quickbooks === null && config.books.xero === null ? [BOOKS_TASK] : []),
  ]
  return rowsOf(
    send,
    sql<LateTask>`select chore as task, bool_or(tenant_id = ${SERVICE}) as of_service, count(*)::int as companies,
      max(case when last_error is null then 0 else attempts end)::int as failures, max(last_error::text) as reference,
      greatest(0, floor(extract(epoch from now() - min(ready_at)) / 60))::int as minutes
    from chore_leases
    where (ready_at < now() - interval '1 minute' or (attempts >= ${MAX_FAILURES} and last_error is not null))
      and chore <> all(${notConfigured})
      and tenant_id not in (select tenant_id from frozen_companies)
    group by chore order by min(ready_at), chore limit 100`,
  )
}

/** Reports periodic tasks that are late or keep failing. */
export function tasksFinding(tasks: readonly LateTask[]): Finding {
  const check = 'periodic tasks'
  const failing = tasks.filter(({ failures }) => failures >= MAX_FAILURES)
  const late = tasks.filter((one) => !failing.includes(one) && one.minutes >= maxMinutesOf(one))
  const slow = tasks.filter(({ of_service: ofService, minutes }) => !ofService && minutes >= WARN_COMPANY_MINUTES)
  const lateMessage = phrase`late: ${joinNames(late, ({ task, minutes }) => phrase`${task} (${formatMinutes(minutes)})`)}`
  const failures = joinNames(failing, formatFailures)
  const failingMessage = phrase`failing: ${failures}`
  const lateFix = phrase`Start the service, or look for 'task failed' and 'worker fault' in its log.`
  if (late.length > 0)
    return wrongFinding(check, failing.length > 0 ? phrase`${lateMessage}; ${failingMessage}` : lateMessage, lateFix)
  if (failing.length > 0)
    return wrongFinding(check, failingMessage, phrase`Search the service's log for the reference.`)
  if (slow.length === 0) return { check, ok: true, says: phrase`on time` }
  const names = joinNames(slow, ({ task, minutes }) => phrase`${task} (${formatMinutes(minutes)})`)
  return warningFinding(check, phrase`late: ${names}`, lateFix)
}

const maxMinutesOf = ({ of_service: ofService }: LateTask): number =>
  ofService ? MAX_SERVICE_MINUTES : MAX_COMPANY_MINUTES

const formatFailures = ({ task, failures, reference }: LateTask): Phrase =>
  phrase`${task} (${failures} failures, reference ${reference ?? '–'})`

const formatMinutes = (minutes: number): Phrase =>
  minutes < 60
    ? phraseCount(minutes, '{0} minute', '{0} minutes')
    : minutes < 24 * 60
      ? phraseCount(Math.floor(minutes / 60), '{0} hour', '{0} hours')
      : phraseCount(Math.floor(minutes / (24 * 60)), '1 day', '{0} days')

function joinNames<T>(all: readonly T[], toPhrase: (one: T) => Phrase): Phrase | string {
  const joined = joinPhrases(all.slice(0, MAX_NAMED).map(toPhrase)) ?? ''
  return all.length > MAX_NAMED ? phrase`${joined} and ${all.length - MAX_NAMED} more` : joined
}
