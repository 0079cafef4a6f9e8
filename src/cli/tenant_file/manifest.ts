import { z } from 'zod'
import { readFirst, readPart } from '../../backup/archive/parts.ts'
import { DamagedArchive, type ReadEntry } from '../../backup/archive/tar.ts'

/** Name of the first entry of a company's file. */
export const FILE_MANIFEST_NAME = 'callout-company.json'

const FORMAT = 1

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** Callout version that made the file, for people. */
  version: z.string().max(100),
  /** Time of the snapshot. */
  made_at: z.iso.datetime(),
  tenant: z.uuid(),
  name: z.string(),
  /** Whether the company was frozen, so that the file has all of its data. */
  frozen: z.boolean(),
  /** Schema version, as the list of applied migrations. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  /** Columns of each table, in the order of the values in its rows. */
  tables: z.record(z.string(), z.array(z.string())),
})
const ending = z.strictObject({
  /** Number of rows of each table, and the sum of their digests. */
  held: z.record(z.string(), z.strictObject({ rows: z.int(), sum: z.string() })),
  files: z.int(),
  /** Keys of files that rows refer to and storage didn't have. */
  missing: z.array(z.string()),
})

export type FileManifest = z.infer<typeof manifest>
export type FileEnding = z.infer<typeof ending>

export const newFileManifest = (contents: Omit<FileManifest, 'format'>): FileManifest => ({
  format: FORMAT,
  ...contents,
})

const what = "a company's file"
export const readFileManifestEntry = (entries: AsyncGenerator<ReadEntry>): Promise<FileManifest> =>
  readFirst(entries, { name: FILE_MANIFEST_NAME, type: manifest, what })
export const readFileEnding = (entry: ReadEntry): Promise<FileEnding> => readPart(ending, entry, what)

/** Returns the entry name of a stored file, with its digest. */
export const storedFileEntry = (key: string, digest: string): string => `files/${key}/${digest}`

/** Matches a UUID in lower case. */
export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const ENTRY = new RegExp(
  String.raw`^(?:tables/([a-z_][a-z0-9_]*)/\d{6}\.copy|files/((${UUID})(?:/${UUID}){1,2})/([0-9a-f]{64}))$`,
)

/** Parses the name of an entry between the first and the last. File names must start with the company's id. */
export function parseFileEntryName(name: string, tenant: string): { table: string } | { file: string; digest: string } {
  const [, table, file, tenantId, digest] = ENTRY.exec(name) ?? []
  if (table !== undefined) return { table }
  if (file !== undefined && digest !== undefined && tenantId === tenant) return { file, digest }
  throw new DamagedArchive(`it has an unknown entry, ${JSON.stringify(name.slice(0, 100))}`)
}
