import { z } from 'zod'
import { readFirst, readPart } from './parts.ts'
import { DamagedArchive, type ReadEntry } from './tar.ts'

/** Name of a backup's first entry. */
export const MANIFEST_NAME = 'callout-backup.json'

const FORMAT = 1

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The Callout version that made the backup, for people. */
  version: z.string(),
  /** Time of the snapshot. */
  made_at: z.string(),
  /** The schema, as its list of migrations. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Columns of each table, in the order of its rows' values. */
  tables: z.record(z.string(), z.array(z.string())),
})
const ending = z.object({
  /** Number of rows of each table. */
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  /** Lists keys of files that rows name and storage did not have. */
  missing: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifest>
export type Ending = z.infer<typeof ending>

export const newManifest = (made: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...made })

const what = 'a backup'
export const readManifestEntry = (entries: AsyncGenerator<ReadEntry>): Promise<Manifest> =>
  readFirst(entries, { name: MANIFEST_NAME, type: manifest, what })
export const readEnding = (entry: ReadEntry): Promise<Ending> => readPart(ending, entry, what)

/** Returns the entry name of a stored file. */
export const fileEntry = (key: string): string => `files/${key}`

/** Parses the name of an entry between the first and the last. */
export function parseEntryName(name: string): { table: string } | { file: string } {
  const [, table, file] =
    /^(?:tables\/([a-z_][a-z0-9_]*)\/\d{6}\.copy|files\/([0-9a-f-]{36}(?:\/[0-9a-f-]{36})*))$/.exec(name) ?? []
  if (table !== undefined) return { table }
  if (file !== undefined) return { file }
  throw new DamagedArchive(`it has an entry of no known kind, ${name.slice(0, 100)}`)
}
