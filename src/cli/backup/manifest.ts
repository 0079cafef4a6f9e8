import { z } from 'zod'
import { Damaged } from './tar.ts'

/** The first entry of a backup, and the last, which tells what must have come between. */
export const FIRST = 'callout-backup.json'
export const LAST = 'end.json'

const FORMAT = 1

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of Callout that made it, for people. */
  version: z.string(),
  /** The moment that it shows. */
  made_at: z.string(),
  /** The schema, as the steps that led to it. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The columns of each table in the order of its rows' values. */
  tables: z.record(z.string(), z.array(z.string())),
})
const ending = z.object({
  /** Rows of each table. */
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  /** Keys of files that rows name and storage did not have. */
  missing: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifest>
export type Ending = z.infer<typeof ending>

export const newManifest = (made: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...made })

export const readManifest = (bytes: Buffer): Manifest => readAs(manifest, bytes)
export const readEnding = (bytes: Buffer): Ending => readAs(ending, bytes)

/** More is no manifest of ours; a hundred thousand missing files fit. */
export const MAX_BYTES = 16 * 2 ** 20

export const written = (value: Manifest | Ending): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

function readAs<T>(type: z.ZodType<T>, bytes: Buffer): T {
  const read = type.safeParse(jsonIn(bytes))
  if (!read.success) throw new Damaged('it is a backup of another format')
  return read.data
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Entries of a table's rows and of a stored file. */
export const rowsEntry = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`
export const fileEntry = (key: string): string => `files/${key}`

/** What an entry between the first and the last holds. */
export function entryOf(name: string): { table: string } | { file: string } {
  const [, table, file] =
    /^(?:tables\/([a-z_][a-z0-9_]*)\/\d{6}\.copy|files\/([0-9a-f-]{36}(?:\/[0-9a-f-]{36})*))$/.exec(name) ?? []
  if (table !== undefined) return { table }
  if (file !== undefined) return { file }
  throw new Damaged(`it has an entry of no known kind, ${name.slice(0, 100)}`)
}
