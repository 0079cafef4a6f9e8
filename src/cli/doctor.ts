import { readConfig, type Config } from '../config.ts'
import { command, type Report } from './command.ts'
import { baseUrlFinding, directoryFinding } from './doctor_host.ts'
import { diskFindings } from './doctor_disk.ts'
import { databaseFindings } from './doctor_database.ts'
import { storageFinding } from './doctor_storage.ts'
import type { Finding } from './finding.ts'
import { asOwner } from './opened.ts'

export const doctorCommand = command({
  name: 'doctor',
  description: 'Looks what is wrong with this installation and says how to mend it.',
  options: {},
  run: async () => report(await examine()),
})

async function examine(): Promise<Finding[]> {
  const config = configured()
  if ('check' in config) return [config]
  const here = [
    { check: 'configuration', ok: true, says: config.production ? 'read, for production' : 'read' },
    await baseUrlFinding(config),
    await directoryFinding(config.dataDir),
    ...(await diskFindings(config)),
    await storageFinding(config),
  ]
  return [...here, ...(await databaseOf(config))]
}

function configured(): Config | Finding {
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

async function databaseOf(config: Config): Promise<Finding[]> {
  try {
    return await asOwner(config, (owner) =>
      databaseFindings(owner, config.databaseAppUrl, config.databaseUrl === null ? 'embedded' : 'external'),
    )
  } catch (error) {
    const mend =
      config.databaseUrl === null
        ? `See postgres.log in ${config.dataDir}, or set DATABASE_URL to a PostgreSQL server.`
        : 'Start the server of DATABASE_URL, and check its address, user, password and database name.'
    return [{ check: 'database', ok: false, says: sentence(error), mend }]
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
    ({ check, ok, says, mend }) =>
      `${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(18)}  ${says}${mend === undefined ? '' : `\n${' '.repeat(27)}${mend}`}`,
  )
  return { json: { ok: !failed, checks: findings }, text: lines.join('\n'), failed }
}
