import { z } from 'zod'
import { readFirst, readPart } from './parts.ts'
import { DamagedArchive, type ReadEntry } from './tar.ts'

/** Name of a backup's first entry. */
export const MANIFEST_NAME = 'callout-backup.json'

/** Format version. Since version 2 every entry has a checksum. */
const FORMAT = 2

const manifest = z.object({
  format: z.union([z.literal(1), z.literal(FORMAT)]),
  /** Callout version that made the backup, for people. */
  version: z.string(),
  /** Time of the snapshot. */
  made_at: z.string(),
  /** Schema version, as the list of applied migrations. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Columns of each table, in the order of the values in its rows. */
  tables: z.record(z.string(), z.array(z.string())),
})
const trailer = z.object({
  /** Number of rows of each table. */
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  /** Keys of files that rows refer to and storage didn't have. */
  missing: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifest>
export type Trailer = z.infer<typeof trailer>

export const newManifest = (contents: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...contents })

const what = 'a backup'
export const readManifestEntry = (entries: AsyncGenerator<ReadEntry>): Promise<Manifest> =>
  readFirst(entries, { name: MANIFEST_NAME, type: manifest, what })
export const readTrailer = (entry: ReadEntry): Promise<Trailer> => readPart(trailer, entry, what)

/** Returns the entry name of a stored file. */
export const fileEntry = (key: string): string => `files/${key}`

/** Contents of an entry between the first and the last: rows of a table, or a stored file by its key. */
export type BackupEntry = { table: string } | { file: string }

/** Parses the name of an entry. Throws `DamagedArchive` for an unknown kind. */
export function parseEntryName({ name, kind }: ReadEntry): BackupEntry {
  const [, table, file] =
    /^(?:tables\/([a-z_][a-z0-9_]*)\/\d{6}\.copy|files\/([0-9a-f-]{36}(?:\/[0-9a-f-]{36})*))$/.exec(name) ?? []
  if (table !== undefined && kind === 'file') return { table }
  if (file !== undefined && kind === 'file') return { file }
  throw new DamagedArchive(`it has an unknown entry, ${name.slice(0, 100)}`)
}
