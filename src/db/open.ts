import type pg from 'pg'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { startEmbedded } from './embedded.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { readRefusals } from './refusals.ts'

export type Opened = {
  database: Database
  /** A connection as the schema's owner, for migrations and backups. */
  owner: pg.ClientConfig
  /** What kind of server it is, for the start line. */
  kind: 'embedded' | 'external'
  close(): Promise<void>
}

type Where = { databaseUrl: string | null; dataDir: string }

/**
 * Opens the configured database: the one of DATABASE_URL, else the embedded server of the data directory, which is
 * started when it isn't up. Migrates first when asked to; else refuses a schema that is not the present one.
 */
export async function openConfigured(where: Where, { migrates, log = () => {} }: { migrates: boolean; log?: (line: string) => void }): Promise<Opened> {
  const embedded = where.databaseUrl === null ? await startEmbedded({ dataDir: where.dataDir, log }) : null
  const owner = embedded?.connection ?? { connectionString: where.databaseUrl! }
  try {
    if (migrates) await migrate(owner)
    else await requirePresentSchema(owner)
    const database = openDatabase(owner)
    await readRefusals(database)
    const close = async (): Promise<void> => {
      await database.close()
      await embedded?.stop()
    }
    return { database, owner, kind: embedded === null ? 'external' : 'embedded', close }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function requirePresentSchema(owner: pg.ClientConfig): Promise<void> {
  const missing = await missingMigrations(owner)
  if (missing.length > 0) throw new Error(`The database lacks ${missing.length} migrations (${missing[0]} first); run: callout migrate`)
}
