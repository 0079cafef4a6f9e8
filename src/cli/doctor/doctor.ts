import { Client, type ClientConfig } from 'pg'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { command, type Report } from '../command.ts'
import { baseUrlFinding } from './doctor_base_url.ts'
import { directoryFinding } from './doctor_directory.ts'
import { dataKeyFinding } from './doctor_data_key.ts'
import { diskFindings } from './doctor_disk.ts'
import { databaseFindings } from './doctor_database.ts'
import { mailDomainFindings, mailServerFinding } from './doctor_mail.ts'
import { paymentsFinding } from './doctor_payments.ts'
import { smsFinding } from './doctor_sms.ts'
import { pdfFontFinding, storageFinding } from './doctor_storage.ts'
import { workFindings } from './doctor_work.ts'
import type { Finding } from '../finding.ts'
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
      return [
        ...findings,
        await dataKeyFinding(owner, config),
        ...(hasSchema ? await withClient(owner, (client) => workFindings(client, config)) : []),
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

function report(findings: readonly Finding[]): Report {
  const failed = findings.some(({ ok }) => !ok)
  const lines = findings.map(
    ({ check, ok, warning, says, mend }) =>
      `${ok ? (warning ? 'warn ' : 'ok   ') : 'WRONG'}  ${check.padEnd(18)}  ${says}${mend === undefined ? '' : `\n${' '.repeat(27)}${mend}`}`,
  )
  return { json: { ok: !failed, checks: findings }, text: lines.join('\n'), failed }
}
