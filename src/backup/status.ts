import { sql, type Sql } from '../platform/db/tenant.ts'

/** `archive` is the archive of changes since the last base backup (docs/operating/backup.md). */
type BackupKind = 'backup' | 'drill' | 'archive'

/** Result of one attempt. `bytes` and `name` describe the file in the backup folder. */
export type BackupResult = { asOf: string | null; bytes: number | null; ms: number; name: string | null }

export type BackupStatus = {
  kind: BackupKind
  tried_at: string
  succeeded_at: string | null
  as_of: string | null
  bytes: number | null
  ms: number | null
  name: string | null
  error: string | null
}

/** Selects the last attempt of each kind and its last success. */
export const selectBackupStatus = (): Sql<BackupStatus> =>
  sql<BackupStatus>`select kind, tried_at, succeeded_at, as_of, bytes::float8 as bytes, ms, name, error
    from backup_status order by kind`

export const upsertSuccess = (kind: BackupKind, { asOf, bytes, ms, name }: BackupResult): Sql =>
  sql`insert into backup_status (kind, tried_at, succeeded_at, as_of, bytes, ms, name)
    values (${kind}, moment(), moment(), ${asOf}, ${bytes}, ${ms}, ${name})
    on conflict (kind) do update set tried_at = excluded.tried_at, succeeded_at = excluded.succeeded_at,
      as_of = excluded.as_of, bytes = excluded.bytes, ms = excluded.ms, name = excluded.name, error = null`

/** Maximum length in characters of an error in the database. */
const MAX_ERROR = 500

/** Records a failure and keeps the last success. */
export const upsertFailure = (kind: BackupKind, error: string): Sql =>
  sql`insert into backup_status (kind, tried_at, error) values (${kind}, moment(), ${error.slice(0, MAX_ERROR)})
    on conflict (kind) do update set tried_at = excluded.tried_at, error = excluded.error`
