import type { ClientConfig } from 'pg'
import { findTenant, type CompanySummary } from '../identity/companies/tenants.ts'
import { readConfig, type Config } from '../platform/config/config.ts'
import { archiveSettingsIf } from '../platform/db/embedded/archiving.ts'
import { startEmbedded } from '../platform/db/embedded/embedded.ts'
import { openConfiguredDatabase, type OpenedDatabase } from '../platform/db/open.ts'
import { withOptions, type Database } from '../platform/db/tenant.ts'

/** Runs work on the configured database, which must have the current schema. The service may be running. */
export async function withDatabase<T>(use: (opened: OpenedDatabase, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  const opened = await openConfiguredDatabase(config, { migrates: false, log: logToStderr })
  try {
    return await use({ ...opened, database: withOptions(opened.database, { patient: true }) }, config)
  } finally {
    await opened.close()
  }
}

/** Runs work on one company, by its id. */
export const withCompany = <T>(
  tenant: string,
  use: (database: Database, company: CompanySummary) => Promise<T>,
): Promise<T> => withDatabase(async ({ database }) => use(database, await findTenant(database, tenant)))

/** Runs work on the configured database as the schema's owner, with any schema version. */
export async function withOwner<T>(
  { databaseUrl, dataDir, backup }: Config,
  use: (owner: ClientConfig) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return use({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  const embedded = await startEmbedded({ dataDir, settings: archiveSettingsIf(backup.to !== null), log: logToStderr })
  try {
    return await use(embedded.connection)
  } finally {
    await embedded.stop()
  }
}

/** Writes a line for the operator to standard error, besides the command's output. */
export const logToStderr = (line: string): void => void process.stderr.write(`callout: ${line}\n`)
