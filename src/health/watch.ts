import type { AccountMailing } from '../identity/security/notices/account_mail.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/db/tenant.ts'
import { findMigrations } from '../platform/db/migrations/migrate.ts'
import { VERSION } from '../platform/version.ts'
import { backupFindings, readBackups } from './checks/backup.ts'
import { baseUrlFinding } from './checks/base_url.ts'
import { databaseFinding, readDatabase, schemaFinding } from './checks/database.ts'
import { directoryFinding } from './checks/directory.ts'
import { diskFindings, readDisks } from './checks/disk.ts'
import { mailServerFinding } from './checks/mail_server.ts'
import { accountMailFinding, readReviewCounts, outboxFinding, reviewFindings } from './checks/messages.ts'
import { paymentsFinding } from './checks/payments.ts'
import { webhookFailuresFinding, operatorsFinding, processesFinding, readProcesses } from './checks/processes.ts'
import { smsFinding } from './checks/sms.ts'
import { storageFinding } from './checks/storage.ts'
import { listLateTasks, tasksFinding } from './checks/tasks.ts'
import { webhookFindings } from './checks/webhooks.ts'
import { measureCompanies, readCompanies } from './companies.ts'
import type { Finding } from './finding.ts'
import { CHECK_LABELS } from './labels.ts'
import { mailOperators } from './notify.ts'
import { selectReport, upsertReport, type HealthMeasures } from './report.ts'
import { markMailed, newsOf, nextStates } from './check_states.ts'

/** Settings that the checks use. */
export type WatchedConfig = Pick<
  Config,
  | 'baseUrl'
  | 'host'
  | 'port'
  | 'production'
  | 'dataDir'
  | 'minFree'
  | 'backup'
  | 'storage'
  | 'mailServer'
  | 'smsAccount'
  | 'smsFrom'
  | 'payments'
  | 'books'
  | 'webhooks'
  | 'processes'
>

/** One turn of the checks. `send` runs statements on the database. */
type CheckRun = { now: Temporal.Instant; send: Database['send'] }

/** Milliseconds between checks that cost money or count as requests: providers' accounts, and a bucket. */
const PROVIDER_CHECK_INTERVAL_MS = 10 * 60_000

/**
 * Returns a function that runs one turn of the checks: it checks everything, saves the report, and mails operators
 * about changes.
 */
export function openWatch(config: WatchedConfig, mailing: AccountMailing): (turn: CheckRun) => Promise<void> {
  const checkSystem = openSystemChecks(config)
  let latestMigration: string | undefined
  return async ({ now, send }) => {
    latestMigration ??= (await findMigrations()).at(-1)?.name ?? ''
    await measureCompanies(send)
    const review = await readReviewCounts(send)
    const measures = { ...(await measure(send, config)), quarantine: review.messages + review.parked }
    const findings = sortFindings([
      ...(await checkSystem(now)),
      ...(await databaseFindings(send, config, measures, latestMigration)),
      ...reviewFindings(review),
      ...backupFindings(measures.backups, config.backup, now.epochMilliseconds),
    ])
    await saveReport({ now, send }, mailing, { version: VERSION, findings, measures })
  }
}

async function measure(send: CheckRun['send'], config: WatchedConfig): Promise<Omit<HealthMeasures, 'quarantine'>> {
  const { messages, ...companies } = await readCompanies(send)
  return {
    database: await readDatabase(send),
    disks: await readDisks(config),
    messages,
    tasks: await listLateTasks(send, config),
    backups: await readBackups(send),
    processes: await readProcesses(send),
    companies,
  }
}

const databaseFindings = async (
  send: CheckRun['send'],
  config: WatchedConfig,
  { database, processes, tasks, messages }: Omit<HealthMeasures, 'quarantine'>,
  latestMigration: string,
): Promise<Finding[]> => [
  databaseFinding(database),
  await schemaFinding(send, latestMigration),
  processesFinding(processes, config.processes),
  webhookFailuresFinding(processes),
  ...(await webhookFindings(send, config)),
  tasksFinding(tasks),
  outboxFinding(messages),
  await accountMailFinding(send),
  await operatorsFinding(send),
]

/** Returns the checks of this machine and of outside servers. Caches those of providers' accounts between turns. */
function openSystemChecks(config: WatchedConfig): (now: Temporal.Instant) => Promise<Finding[]> {
  let [accounts, checkedAt]: [Finding[], number] = [[], -Infinity]
  return async (now) => {
    const isDue = now.epochMilliseconds - checkedAt >= PROVIDER_CHECK_INTERVAL_MS || accounts.some(({ ok }) => !ok)
    const [own, paid] = await Promise.all([
      Promise.all([
        baseUrlFinding(config, now.epochMilliseconds),
        directoryFinding(config.dataDir),
        mailServerFinding(config),
        ...(config.storage.kind === 'directory' ? [storageFinding(config)] : []),
      ]),
      isDue
        ? Promise.all([
            smsFinding(config),
            paymentsFinding(config),
            ...(config.storage.kind === 'bucket' ? [storageFinding(config)] : []),
          ])
        : accounts,
    ])
    if (isDue) [accounts, checkedAt] = [paid, now.epochMilliseconds]
    return [...own, ...paid, ...(await diskFindings(config))]
  }
}

const ORDER = Object.keys(CHECK_LABELS)

const sortFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => ORDER.indexOf(a.check) - ORDER.indexOf(b.check))

/** Saves a report and queues mail about its news in the same transaction, so that nothing is mailed twice. */
async function saveReport(
  { now, send }: CheckRun,
  mailing: AccountMailing,
  report: Parameters<typeof upsertReport>[0],
): Promise<void> {
  const [last] = await send([selectReport()])
  const before = last.rows[0]?.standing ?? {}
  const states = nextStates(before, report.findings, now.toString())
  const news = newsOf(states, report.findings, before)
  const hasNews = news.wrong.length + news.right.length > 0
  const mails = hasNews && mailing !== 'none' ? await mailOperators(send, news) : []
  await send([upsertReport(report, mails.length > 0 ? markMailed(states, news) : states), ...mails])
}
