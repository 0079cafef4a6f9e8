import type { Client, ClientConfig } from 'pg'
import type { z } from 'zod'
import { transactOn, withClient } from '../../platform/db/transaction.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive, type ArchiveSource } from './archive.ts'
import { SESSION_SETTINGS } from './tables.ts'
import { DamagedArchive, readWhole, type ReadEntry } from './tar.ts'

/** Name of an archive's last entry, which lists the expected contents. */
export const TRAILER_NAME = 'end.json'

/** Maximum size of the first and the last entry in bytes, enough for a hundred thousand missing files. */
const MAX_BYTES = 16 * 2 ** 20

/** Returns the entry name of a part of a table's rows. */
export const rowsEntry = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`

export const formatJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** Parses a JSON entry. `what` names the expected archive in errors, such as `a backup`. */
export async function readPart<T>(type: z.ZodType<T>, entry: ReadEntry, what: string): Promise<T> {
  const read = type.safeParse(parseJson(await readWhole(entry, MAX_BYTES)))
  if (!read.success) throw new DamagedArchive(`it is ${what} in another format`)
  return read.data
}

/** Reads the manifest, which is the first entry. Throws `DamagedArchive` if another entry comes first. */
export async function readFirst<T>(
  entries: AsyncGenerator<ReadEntry>,
  { name, type, what }: { name: string; type: z.ZodType<T>; what: string },
): Promise<T> {
  const { value: first } = (await entries.next()) as { value: ReadEntry | undefined }
  if (first?.name !== name) throw new DamagedArchive(`it is not ${what}`)
  return readPart(type, first, what)
}

/** Opens an archive to read only its beginning. */
export async function readBeginning<T>(
  from: ArchiveSource,
  read: (entries: AsyncGenerator<ReadEntry>) => Promise<T>,
  key: Buffer | null = null,
): Promise<T> {
  const entries = readArchive(from, key)
  try {
    return await read(entries)
  } finally {
    await entries.return(undefined)
  }
}

/**
 * Saves a file of an archive to storage and adds its key to `savedKeys`. An existing file with the same bytes is kept.
 * Returns false if a file with other bytes exists.
 */
export async function putFileOnce(
  storage: Storage,
  { key, bytes, type }: { key: string; bytes: Buffer; type: string },
  savedKeys: string[],
): Promise<boolean> {
  const existing = await storage.get(key)
  if (existing !== undefined) return Buffer.from(await new Response(existing).arrayBuffer()).equals(bytes)
  savedKeys.push(key)
  await storage.save(key, bytes, type)
  return true
}

/** Archive being imported: entries, destinations of rows and files, and in `savedKeys` the keys of the files saved. */
export type ArchiveImport = {
  client: Client
  storage: Storage
  entries: AsyncGenerator<ReadEntry>
  savedKeys: string[]
}

/**
 * Imports an archive as the schema's owner, in one transaction. On failure, removes the files that `load` saved.
 * `toError` wraps the cause.
 */
export const importArchive = <T>(
  owner: ClientConfig,
  { storage, entries }: Pick<ArchiveImport, 'storage' | 'entries'>,
  load: (archive: ArchiveImport) => Promise<T>,
  toError: (cause: unknown) => Error,
): Promise<T> =>
  withClient(owner, (client) =>
    transactOn(client, async () => {
      const savedKeys: string[] = []
      try {
        await client.query(SESSION_SETTINGS)
        return await load({ client, storage, entries, savedKeys })
      } catch (error) {
        await entries.return(undefined)
        for (const key of savedKeys) await storage.remove(key)
        throw toError(error)
      }
    }),
  )

/** Returns the error for a failed archive. `action` is the action that failed, such as `restored`. */
export const archiveError = (path: string, action: string, cause: unknown): Error =>
  new Error(`${path} was not ${action}: ${errorMessage(cause)}`, { cause })

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
