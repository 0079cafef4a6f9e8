import { Client, type ClientConfig } from 'pg'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { command, type Report } from '../command.ts'
import { onErrand } from '../../platform/db/tenant.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { backupFindings } from './doctor_backup.ts'
import { baseUrlFinding } from '../../health/checks/base_url.ts'
import { directoryFinding } from '../../health/checks/directory.ts'
import { diskFindings } from '../../health/checks/disk.ts'
import { mailServerFinding } from '../../health/checks/mail_server.ts'
import { accountMailFinding, outboxFinding, reviewFindings } from '../../health/checks/messages.ts'
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
import { pdfFontFinding } from './doctor_pdf_font.ts'
import { withOwner } from '../with_database.ts'

export const doctorCommand = command({
  name: 'doctor',
  description: 'Looks what is wrong with this installation and says how to mend it.',
  options: {},
  run: async () => report(await runChecks()),
})

async function runChecks(): Promise<Finding[]> {
  const config = checkConfig()
  if ('check' in config) return [config]
  const here = [
    { check: 'configuration', ok: true, says: config.production ? 'read, for production' : 'read' },
    await baseUrlFinding(config),
    await directoryFinding(config.dataDir),
    ...(await diskFindings(config)),
    await storageFinding(config),
    pdfFontFinding(config),
    ...(await Promise.all([mailServerFinding(config), smsFinding(config), paymentsFinding(config)])),
  ]
  return [...here, ...(await checkDatabase(config)), ...(await mailDomains(config))]
}

function checkConfig(): Config | Finding {
  try {
    return readConfig()
  } catch (error) {
    return {
      check: 'configuration',
      ok: false,
      says: sentence(error),
      mend: 'Correct this variable of the environment, or unset it.',
    }
  }
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withOwner(config, async (owner) => {
      const kind = config.databaseUrl === null ? 'embedded' : 'external'
      const findings = await databaseFindings(owner, config.databaseAppUrl, kind)
      const hasSchema = findings.every(({ check, ok }) => check !== 'migrations' || ok)
      const isOpen = findings.every(({ check, ok }) => ok || !['migrations', 'application role'].includes(check))
      return [
        ...findings,
        await dataKeyFinding(owner, config),
        ...(isOpen ? await checkWork(owner, config) : []),
        ...(hasSchema ? await withClient(owner, (client) => backupFindings(client, config)) : []),
      ]
    })
  } catch (error) {
    const mend =
      config.databaseUrl === null
        ? `See postgres.log in ${config.dataDir}, or set DATABASE_URL to a PostgreSQL server.`
        : 'Start the server of DATABASE_URL, and check its address, user, password and database name.'
    return [{ check: 'database', ok: false, says: sentence(error), mend }]
  }
}

/** Finds webhooks without a secret and late tasks, and counts what waits to be sent, applied or looked at. */
async function checkWork(owner: ClientConfig, config: Config): Promise<Finding[]> {
  const opened = await openServiceDatabase(owner, config.databaseAppUrl)
  const { send } = onErrand(opened, { patient: true })
  try {
    return [
      ...(await webhookFindings(send, config)),
      tasksFinding(await listLateTasks(send, config)),
      outboxFinding(await countAllMessages(send)),
      await accountMailFinding(send),
      ...(await reviewFindings(send)),
    ]
  } finally {
    await opened.close()
  }
}

const MAX_DOMAINS = 20

/** Checks the mail domains, if a mail server is configured. */
async function mailDomains({ mailServer, ...config }: Config): Promise<Finding[]> {
  if (mailServer === null) return []
  const own = mailServer.from.address.split('@')[1]!
  const domains = await withOwner({ mailServer, ...config }, (owner) =>
    withClient(owner, async (client) => {
      const found = await client.query<{ domain: string }>(
        `select distinct split_part(address, '@', 2) as domain from mailboxes order by 1 limit ${MAX_DOMAINS}`,
      )
      return found.rows.map(({ domain }) => domain)
    }),
  ).catch(() => [])
  return mailDomainFindings([own, ...domains], config.dkimSelectors)
}

async function withClient<T>(owner: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(owner)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const sentence = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(String).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

function report(found: readonly Finding[]): Report {
  const findings = found.map(sayFinding)
  const failed = findings.some(({ ok }) => !ok)
  const lines = findings.map(
    ({ check, ok, warning, says, mend }) =>
      `${ok ? (warning ? 'warn ' : 'ok   ') : 'WRONG'}  ${check.padEnd(18)}  ${says}${mend === undefined ? '' : `\n${' '.repeat(27)}${mend}`}`,
  )
  return { json: { ok: !failed, checks: findings }, text: lines.join('\n'), failed }
}
