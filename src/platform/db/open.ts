import pg from 'pg'
import { openDatabase, type Database } from './database.ts'
import type { BackupConfig } from '../config/config.ts'
import { archiveSettingsIf } from './embedded/archiving.ts'
import { startEmbedded, type Embedded } from './embedded/embedded.ts'
import { flawError } from './migrations/flaw.ts'
import { loginOf } from './connections/login.ts'
import { findMigrations, migrate, missingMigrations } from './migrations/migrate.ts'
import { preparedFile } from './migrations/prepare.ts'
import { withClient } from './transaction.ts'
import { readRefusals } from './refusals.ts'
import { Unavailable } from '../errors/refusal.ts'
import { onlyRow } from './sql.ts'
import { errorCode } from '../errors/error_code.ts'

export type OpenedDatabase = {
  database: Database
  /** Connection as the schema's owner, for migrations and backups. */
  owner: pg.ClientConfig
  /** Kind of server, for the start line. */
  kind: 'embedded' | 'external'
  close(): Promise<void>
}

type DatabaseLocation = {
  databaseUrl: string | null
  databaseAppUrl: string | null
  dataDir: string
  databaseConnections: number
  backup: Pick<BackupConfig, 'to'>
}
type OpenOptions = {
  /** Whether to migrate the schema. If false, any schema but the current one is refused. */
  migrates: boolean
  /** Whether to refuse a second service on the data directory. Commands can still run. */
  isExclusive?: boolean
  log?: (line: string) => void
  /** Called once, when this process begins to wait for the database. */
  whileWaiting?: () => void
}

/** Arbitrary lock number. The lock stops a second service on the same data directory. */
const SERVICE = 0x0ca11008

/**
 * Opens the configured database: that of DATABASE_URL, else the embedded server of the data directory, which it starts
 * if necessary.
 */
export async function openConfiguredDatabase(
  { databaseUrl, databaseAppUrl, dataDir, databaseConnections, backup }: DatabaseLocation,
  { migrates, isExclusive = false, log = () => {}, whileWaiting = () => {} }: OpenOptions,
): Promise<OpenedDatabase> {
  const migrations = migrates ? findMigrations() : undefined
  migrations?.catch(() => {})
  if (databaseUrl !== null) whileWaiting()
  const prepared = migrations && (async () => preparedFile(await migrations))
  const embedded = databaseUrl === null ? await startArchived({ dataDir, log, whileWaiting, prepared }, backup) : null
  const owner = embedded?.connection ?? { connectionString: databaseUrl ?? '', connectionTimeoutMillis: 5_000 }
  let lock: pg.Client | undefined
  try {
    if (isExclusive && embedded !== null) lock = await acquireLock(owner, dataDir)
    if (migrations !== undefined) await migrate(owner, { migrations: await migrations })
    else await requireCurrentSchema(owner)
    const database = await openServiceDatabase(owner, databaseAppUrl, databaseConnections)
    const close = async (): Promise<void> => {
      await database.close()
      await lock?.end()
      await embedded?.stop()
    }
    let closed: Promise<void> | undefined
    return { database, owner, kind: embedded === null ? 'external' : 'embedded', close: () => (closed ??= close()) }
  } catch (error) {
    await lock?.end()
    await embedded?.stop()
    throw databaseUrl !== null && isUnreachable(error) ? unreachable(databaseUrl, error) : error
  }
}

/**
 * Starts the embedded server, with WAL archiving if backups are configured. Restarts one that runs with the other
 * setting, unless commands use it.
 */
async function startArchived(
  options: Pick<Parameters<typeof startEmbedded>[0], 'dataDir' | 'log' | 'whileWaiting' | 'prepared'>,
  { to }: Pick<BackupConfig, 'to'>,
): Promise<Embedded> {
  const settings = archiveSettingsIf(to !== null)
  const embedded = await startEmbedded({ ...options, settings })
  if (!embedded.isAdopted || (await isArchived(embedded.connection)) === 'archive_mode' in settings) return embedded
  await embedded.stop()
  return startEmbedded({ ...options, settings })
}

async function isArchived(owner: pg.ClientConfig): Promise<boolean> {
  return withClient(owner, async (client) => {
    const answer = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
    return onlyRow(answer).mode === 'on'
  })
}

/** Checks whether a server couldn't be reached at all. The client reports `timeout expired` without a code. */
const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === 'timeout expired' ||
    [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ECONNRESET',
      'ENOENT',
    ].includes(errorCode(error) ?? ''))

/** Returns an error with the server's name, and never the password in its URL. */
function unreachable(databaseUrl: string, error: Error): Error {
  const { hostname = '', port = '' } = URL.parse(databaseUrl) ?? {}
  const server = hostname === '' ? 'The database of DATABASE_URL' : `The database at ${hostname}:${port || '5432'}`
  return flawError(
    {
      says: `${server} can't be reached (${errorCode(error) ?? error.message})`,
      mend: 'start PostgreSQL there or correct DATABASE_URL; without DATABASE_URL, Callout runs its own database',
    },
    error,
  )
}

/** Opens the service's pool, and reads the refusals of constraints over its first connection. */
export async function openServiceDatabase(
  owner: pg.ClientConfig,
  appUrl: string | null,
  maxConnections = 10,
): Promise<Database> {
  const database = openDatabase(appUrl === null ? await loginOf(owner) : { connectionString: appUrl }, {
    maxConnections,
  })
  try {
    await readRefusals(database)
    return database
  } catch (error) {
    await database.close()
    const cause = error instanceof Unavailable ? error.cause : error
    throw isRefusedLogin(cause)
      ? flawError({ says: `The service can't log in to the database: ${cause.message}`, mend: loginFix(appUrl) }, cause)
      : cause
  }
}

/** Checks whether a login was refused: 08P01 comes from a pooler that doesn't know the user, 28… from the server. */
const isRefusedLogin = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^(08P01|28)/.test(error.code ?? '')

const loginFix = (appUrl: string | null): string =>
  appUrl === null
    ? 'allow the login role that the owner created to log in there (if dropped, it is created again), ' +
      'or set DATABASE_APP_URL to one that can'
    : 'correct DATABASE_APP_URL, and allow its user to log in there'

/** Takes a lock that lasts as long as its connection, so that a killed service leaves no lock behind. */
export async function acquireLock(owner: pg.ClientConfig, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(owner)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [SERVICE])
  if (rows[0]?.mine) return client
  await client.end()
  throw new Error(`A service is already running on ${dataDir}; stop it first, or set DATA_DIR to another directory`)
}

async function requireCurrentSchema(owner: pg.ClientConfig): Promise<void> {
  const missing = await missingMigrations(owner)
  if (missing.length > 0)
    throw new Error(
      `The database lacks ${missing.length} migrations (the first is ${missing[0]}); run: callout migrate`,
    )
}

/** Checks whether there are no companies. Only the owner sees across tenants. */
export async function isEmpty(owner: pg.ClientConfig): Promise<boolean> {
  return withClient(owner, async (client) => {
    const answer = await client.query<{ empty: boolean }>('select not exists (select 1 from tenants) as empty')
    return onlyRow(answer).empty
  })
}
