import { onlyRow, sql, type Database } from '../../platform/db/tenant.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { VERSION } from '../../platform/version.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'

/** State of the database server. `restarted` is the minutes since a restart while the service was running, or null. */
export type DatabaseMeasures = {
  version: string
  bytes: number
  started_at: string
  connections: number
  max_connections: number
  restarted: number | null
}

/** Minutes during which a restart of the database is reported. */
const RESTART_MINUTES = 30

/** Share of the server's connections in use from which a warning is reported. */
const MAX_CONNECTIONS_SHARE = 0.9

export async function readDatabase(send: Database['send']): Promise<DatabaseMeasures> {
  const [answer] = await send([
    sql<DatabaseMeasures>`select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes, pg_postmaster_start_time() as started_at,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as max_connections,
      (select floor(extract(epoch from now() - pg_postmaster_start_time()) / 60)::int from worker_processes
        where (state ->> 'started_at')::timestamptz < pg_postmaster_start_time()
          and pg_postmaster_start_time() > now() - make_interval(mins => ${RESTART_MINUTES}) limit 1) as restarted`,
  ])
  return onlyRow(answer)
}

/** Reports a server that restarted under the service or is running out of connections. */
export function databaseFinding(measures: DatabaseMeasures): Finding {
  const check = 'database'
  const { version, restarted, connections, max_connections: maxConnections } = measures
  if (restarted !== null)
    return warningFinding(
      check,
      phrase`PostgreSQL ${version} restarted ${restarted} min ago while the service was running`,
      phrase`Look for the cause in postgres.log: out of memory, a full disk, or a manual restart.`,
    )
  if (connections >= maxConnections * MAX_CONNECTIONS_SHARE)
    return warningFinding(
      check,
      phrase`${connections} of the server's ${maxConnections} connections are in use`,
      phrase`Lower DATABASE_CONNECTIONS or PROCESSES, or raise PostgreSQL's max_connections.`,
    )
  return { check, ok: true, says: phrase`PostgreSQL ${version}` }
}

/** Returns the finding for a database that doesn't answer. */
export const databaseDownFinding = (reason: string): Finding =>
  wrongFinding(
    'database',
    phrase`not responding (${reason})`,
    phrase`Start the server, or check its log, disk and locks. The service recovers once it responds.`,
  )

type LatestMigration = { name: string; release: string | null; allows_previous: boolean }

/** Reports whether the schema differs from this release's. `latest` is the last migration of this release. */
export async function schemaFinding(send: Database['send'], latest: string): Promise<Finding> {
  const check = 'migrations'
  const [answer] = await send([sql<LatestMigration>`select name, release, allows_previous from latest_migration()`])
  const { name, release, allows_previous: allowsPrevious } = onlyRow(answer)
  if (name === latest) return { check, ok: true, says: phrase`the schema is up to date` }
  if (name < latest) return wrongFinding(check, phrase`missing migration ${latest}`, phrase`Run: callout migrate`)
  const step = phrase`${release ?? '?'} (${name})`
  const later = phrase`the database has the schema of a later release, ${step}; this process runs ${VERSION}`
  return allowsPrevious
    ? warningFinding(check, later, phrase`Update this process too, and restart it.`)
    : wrongFinding(check, later, phrase`Run that release here, or restore the backup from before its upgrade.`)
}
