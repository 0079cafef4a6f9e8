import type { ClientConfig } from 'pg'
import { readConfig, type Config } from '../../platform/config/config.ts'
import type { Report } from '../command.ts'
import { withOptions } from '../../platform/db/tenant.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { withClient } from '../../platform/db/transaction.ts'
import { checkBackups } from './doctor_backup.ts'
import { baseUrlFinding } from '../../health/checks/base_url.ts'
import { directoryFinding } from '../../health/checks/directory.ts'
import { diskFindings } from '../../health/checks/disk.ts'
import { mailServerFinding } from '../../health/checks/mail_server.ts'
import { accountMailFinding, readReviewCounts, outboxFinding, reviewFindings } from '../../health/checks/messages.ts'
import { paymentsFinding } from '../../health/checks/payments.ts'
import { smsFinding } from '../../health/checks/sms.ts'
import { storageFinding } from '../../health/checks/storage.ts'
import { listLateTasks, tasksFinding } from '../../health/checks/tasks.ts'
import { webhookFindings } from '../../health/checks/webhooks.ts'
import { countAllMessages } from '../../health/companies.ts'
import { sayFinding, type Finding } from '../../health/finding.ts'
import { dataKeyFinding } from './doctor_data_key.ts'
import { databaseFindings } from './doctor_database.ts'
import { mailDomainFindings } from './doctor_mail.ts'
import { mapFindings } from './doctor_map.ts'
import { pdfFontFinding } from './doctor_pdf_font.ts'
import { withOwner } from '../with_database.ts'

/** Runs every check of the installation. */
export const diagnose = async (): Promise<Report> => report(await runChecks())

async function runChecks(): Promise<Finding[]> {
  const config = checkConfig()
  if ('check' in config) return [config]
  const localFindings = [
    { check: 'configuration', ok: true, says: config.production ? 'valid, for production' : 'valid' },
    await baseUrlFinding(config),
    await directoryFinding(config.dataDir),
    ...(await diskFindings(config)),
    await storageFinding(config),
    pdfFontFinding(config),
    ...(await mapFindings(config)),
    ...(await Promise.all([mailServerFinding(config), smsFinding(config), paymentsFinding(config)])),
  ]
  return [...localFindings, ...(await checkDatabase(config)), ...(await checkMailDomains(config))]
}

function checkConfig(): Config | Finding {
  try {
    return readConfig()
  } catch (error) {
    return {
      check: 'configuration',
      ok: false,
      says: sentence(error),
      mend: 'Correct this environment variable, or unset it.',
    }
  }
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withOwner(config, async (owner) => {
      const kind = config.databaseUrl === null ? 'embedded' : 'external'
      const findings = await databaseFindings(owner, config.databaseAppUrl, kind)
      const isOpen = findings.every(({ check, ok }) => ok || !['migrations', 'application role'].includes(check))
      return [...findings, await dataKeyFinding(owner, config), ...(isOpen ? await checkWork(owner, config) : [])]
    })
  } catch (error) {
    const mend =
      config.databaseUrl === null
        ? `See postgres.log in ${config.dataDir}, or set DATABASE_URL to a PostgreSQL server.`
        : 'Start the database server, and check the address, user, password and database name in DATABASE_URL.'
    return [{ check: 'database', ok: false, says: sentence(error), mend }]
  }
}

/** Checks webhook secrets, late tasks and backups, and counts messages and events that await sending or review. */
async function checkWork(owner: ClientConfig, config: Config): Promise<Finding[]> {
  const opened = await openServiceDatabase(owner, config.databaseAppUrl)
  const { send } = withOptions(opened, { patient: true })
  try {
    return [
      ...(await webhookFindings(send, config)),
      tasksFinding(await listLateTasks(send, config)),
      outboxFinding(await countAllMessages(send)),
      await accountMailFinding(send),
      ...reviewFindings(await readReviewCounts(send)),
      ...(await checkBackups(send, config)),
    ]
  } finally {
    await opened.close()
  }
}

const MAX_DOMAINS = 20

/** Checks the mail domains, if a mail server is configured. */
async function checkMailDomains({ mailServer, ...config }: Config): Promise<Finding[]> {
  if (mailServer === null) return []
  const senderDomain = mailServer.from.address.split('@')[1]!
  const domains = await withOwner({ mailServer, ...config }, (owner) =>
    withClient(owner, async (client) => {
      const { rows } = await client.query<{ domain: string }>(
        `select distinct split_part(address, '@', 2) as domain from mailboxes order by 1 limit ${MAX_DOMAINS}`,
      )
      return rows.map(({ domain }) => domain)
    }),
  ).catch(() => [])
  return mailDomainFindings([senderDomain, ...domains], config.dkimSelectors)
}

const sentence = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(String).join('; ') : errorMessage(error)

function report(all: readonly Finding[]): Report {
  const findings = all.map(sayFinding)
  const failed = findings.some(({ ok }) => !ok)
  const lines = findings.map(
    ({ check, ok, warning, says, mend }) =>
      `${ok ? (warning ? 'warn ' : 'ok   ') : 'WRONG'}  ${check.padEnd(18)}  ${says}${mend === undefined ? '' : `\n${' '.repeat(27)}${mend}`}`,
  )
  return { json: { ok: !failed, checks: findings }, text: lines.join('\n'), failed }
}
