import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { ignoreCodes } from '../../platform/errors/error_code.ts'
import { collectBytes } from '../archive/bytes.ts'
import { decrypt, encrypt } from '../archive/encryption.ts'
import { writeBytes, type BackupTarget } from '../target/target.ts'
import { FILES } from './names.ts'

/** Copies stored files that are new since the last run into the backup folder. */
type FileMirror = () => Promise<{ files: number; bytes: number }>

/** Minimum age in milliseconds of a folder's modification time. A folder changed more recently is read again. */
const MIN_AGE_MS = 5_000

/** Matches the key of a stored file, or of a folder of them. */
const KEY = /^[0-9a-f-]{36}(?:\/[0-9a-f-]{36})*$/

/**
 * Opens the mirror of a directory's files. It skips folders that haven't changed since the last run; the first run
 * reads all of them.
 */
export function openFileMirror(directory: string, target: BackupTarget, key: Buffer | null): FileMirror {
  const seen = new Map<string, number>()
  return async () => {
    const copied = { files: 0, bytes: 0 }
    const all = seen.size === 0 ? namesOf(await target.list(FILES)) : undefined
    for await (const { folder, changedAt, files } of foldersIn(directory, seen)) {
      if (files.length > 0) {
        const existing = all ?? namesOf(await target.list(`${FILES}${folder}/`))
        for (const file of files) {
          if (existing.has(`${FILES}${file}`)) continue
          copied.bytes += await copyFile(target, join(directory, file), `${FILES}${file}`, key)
          copied.files++
        }
      }
      if (changedAt !== undefined) seen.set(folder, changedAt)
    }
    return copied
  }
}

const namesOf = (files: readonly { name: string }[]): ReadonlySet<string> => new Set(files.map(({ name }) => name))

/** `changedAt` is undefined if the folder changed so recently that a later change could leave the same time. */
type Folder = { folder: string; changedAt: number | undefined; files: string[] }

/** Walks the folders that changed since they were last seen. */
async function* foldersIn(directory: string, seen: ReadonlyMap<string, number>, at = ''): AsyncGenerator<Folder> {
  const path = join(directory, at)
  // Read before the entries, so that the next run finds changes made in between.
  const stats = await stat(path).catch(ignoreCodes('ENOENT'))
  if (stats === undefined) return
  const changedAt = Date.now() - stats.mtimeMs > MIN_AGE_MS ? stats.mtimeMs : undefined
  const entries = await readdir(path, { withFileTypes: true })
  const isKnown = seen.get(at) === stats.mtimeMs
  const keys = entries
    .map((entry) => ({ entry, key: at === '' ? entry.name : `${at}/${entry.name}` }))
    .filter(({ key }) => KEY.test(key))
  for (const { entry, key } of keys) if (entry.isDirectory()) yield* foldersIn(directory, seen, key)
  const files = keys.filter(({ entry }) => entry.isFile()).map(({ key }) => key)
  if (!isKnown) yield { folder: at, changedAt, files }
}

async function copyFile(target: BackupTarget, path: string, name: string, key: Buffer | null): Promise<number> {
  // A file removed meanwhile needs no copy.
  if ((await stat(path).catch(ignoreCodes('ENOENT'))) === undefined) return 0
  return target.write(name, (sink) =>
    pipeline(createReadStream(path), (chunks: AsyncIterable<Buffer>) => encrypt(chunks, key), sink),
  )
}

/** Reads a stored file from the backup folder; undefined if it isn't there. */
export async function readMirrored(
  target: BackupTarget,
  file: string,
  key: Buffer | null,
  max: number,
): Promise<Buffer | undefined> {
  const chunks = await target.read(`${FILES}${file}`)
  return chunks && collectBytes(decrypt(chunks, key), max)
}

/** Name of the list of deleted files and when they were first missed. */
const DELETED_FILES_LIST = 'files-gone.json'
const deletedFiles = z.record(z.string(), z.iso.datetime())

/** Removes copies of files deleted before the oldest moment to which the installation can be restored. */
export async function removeDeletedFiles(directory: string, target: BackupTarget, oldest: string): Promise<void> {
  const chunks = await target.read(DELETED_FILES_LIST)
  const before = chunks === undefined ? {} : deletedFiles.parse(JSON.parse((await collectBytes(chunks)).toString()))
  const removals: Record<string, string> = {}
  for (const { name } of await target.list(FILES)) {
    const file = name.slice(FILES.length)
    if (KEY.test(file) && (await stat(join(directory, file)).catch(ignoreCodes('ENOENT'))) !== undefined) continue
    const since = before[file] ?? Temporal.Now.instant().toString({ smallestUnit: 'millisecond' })
    if (Temporal.Instant.compare(since, oldest) < 0) await target.remove(name)
    else removals[file] = since
  }
  if (chunks !== undefined || Object.keys(removals).length > 0)
    await writeBytes(target, DELETED_FILES_LIST, Buffer.from(JSON.stringify(removals)))
}
