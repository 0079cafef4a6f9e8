import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ClientConfig } from 'pg'
import { z } from 'zod'
import { copyServerFiles } from './base_backup.ts'
import { VERSION } from '../../platform/version.ts'
import { unpack } from '../archive/archive.ts'
import { collectBytes } from '../archive/bytes.ts'
import { decrypt, encrypt } from '../archive/encryption.ts'
import { DamagedArchive } from '../archive/tar.ts'
import type { BackupResult } from '../status.ts'
import { momentName } from '../target/names.ts'
import { writeBytes, type BackupFile, type BackupTarget } from '../target/target.ts'
import { removeDeletedFiles } from './files.ts'
import { CHANGES, parseChange } from './names.ts'
import { segmentOf } from './segments.ts'

/** Number of base backups to keep. Changes since the oldest one are kept too. */
const MAX_BASES = 3

/** Description of a base backup: the server's files at one moment. */
const baseInfo = z.object({
  format: z.literal(1),
  version: z.string(),
  /** Start time. The backup can be restored to any time after its end. */
  made_at: z.string(),
  ended_at: z.string(),
  timeline: z
    .int()
    .min(1)
    .max(2 ** 31),
  /** Numbers of the first and the last file of the write-ahead log that the backup needs. */
  first: z.int().min(0),
  last: z.int().min(0),
  /** Password of the server's superuser, which only connects through a private socket. */
  password: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/),
  /** Data key of the installation; null unless this file is encrypted. */
  data_key: z.string().max(200).nullable(),
})
type BaseInfo = z.infer<typeof baseInfo>
/** Base backup in the backup folder, with its name. */
export type Base = BaseInfo & { name: string; bytes: number }

const BASES = 'base/'
const infoName = (name: string): string => `${BASES}${name}.json`
const filesName = (name: string): string => `${BASES}${name}.tar.gz`

type BaseBackupOptions = {
  owner: ClientConfig
  password: string
  /** File with the data key; null if the operator sets the key. */
  dataKeyFile: string | null
  /** Directory of the stored files; null if they are in a bucket. */
  files: string | null
  target: BackupTarget
  key: Buffer | null
  signal: AbortSignal
}

/** Copies the files of the embedded server into the backup folder. Then removes the oldest copies and their changes. */
export async function makeBase(options: BaseBackupOptions): Promise<BackupResult> {
  const { owner, password, dataKeyFile, files, target, key, signal } = options
  const startedMs = performance.now()
  const startedAt = Temporal.Now.instant()
  const name = momentName(startedAt)
  let [bytes, positions] = [0, undefined as Awaited<ReturnType<typeof copyServerFiles>> | undefined]
  bytes = await target.write(filesName(name), async (sink) => {
    addAbortSignal(signal, sink)
    positions = await copyServerFiles(owner, 'callout', async (tar) => {
      await pipeline(tar, createGzip({ level: 1 }), (chunks: AsyncIterable<Buffer>) => encrypt(chunks, key), sink)
    })
  })
  if (positions === undefined) throw new Error('The server ended without a response')
  const info: BaseInfo = {
    format: 1,
    version: VERSION,
    made_at: startedAt.toString({ smallestUnit: 'millisecond' }),
    ended_at: Temporal.Now.instant().toString({ smallestUnit: 'millisecond' }),
    timeline: positions.timeline,
    first: segmentOf(positions.start),
    last: segmentOf(positions.end),
    password,
    // Unencrypted, the key would lie beside the data it protects.
    data_key: key === null || dataKeyFile === null ? null : await readDataKey(dataKeyFile),
  }
  await writeBytes(target, infoName(name), Buffer.from(JSON.stringify(info)), key)
  const oldest = await removeOldBases(target, key)
  if (files !== null && oldest !== undefined) await removeDeletedFiles(files, target, oldest.made_at)
  return { asOf: info.ended_at, bytes, ms: Math.round(performance.now() - startedMs), name: filesName(name) }
}

const readDataKey = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

/** Handler for the description of a base backup that can't be read, such as after a change of BACKUP_KEY. */
type OnUnreadable = (error: unknown) => undefined

/** Skips base backups that can't be read. */
export const skipUnreadable: OnUnreadable = (error) => {
  if (!(error instanceof DamagedArchive)) throw error
}

const refuseUnreadable: OnUnreadable = (error) => {
  throw error
}

/** Lists the complete base backups, oldest first. */
export async function listBases(
  target: BackupTarget,
  key: Buffer | null,
  onUnreadable: OnUnreadable = refuseUnreadable,
): Promise<Base[]> {
  const files = await target.list(BASES)
  const bases: Base[] = []
  for (const { name: file } of files) {
    const [, name] = /^base\/([\dTZ-]{20})\.json$/.exec(file) ?? []
    const tar = name && files.find((one) => one.name === filesName(name))
    if (name === undefined || !tar) continue
    const info = await readInfo(target, file, key).catch(onUnreadable)
    if (info !== undefined) bases.push({ ...info, name, bytes: tar.bytes })
  }
  return bases
}

const MAX_INFO_BYTES = 4096

async function readInfo(target: BackupTarget, file: string, key: Buffer | null): Promise<BaseInfo> {
  const chunks = await target.read(file)
  const text = chunks === undefined ? '' : (await collectBytes(decrypt(chunks, key), MAX_INFO_BYTES)).toString()
  const read = baseInfo.safeParse(parseJson(text))
  if (!read.success) throw new DamagedArchive(`${file} doesn't describe a base backup`)
  return read.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the tar archive of a base backup. */
export async function readBaseFiles(
  target: BackupTarget,
  { name }: Base,
  key: Buffer | null,
): Promise<AsyncIterable<Buffer>> {
  const chunks = await target.read(filesName(name))
  if (chunks === undefined) throw new DamagedArchive(`${filesName(name)} is missing`)
  return unpack(chunks, key)
}

/** Removes old base backups and the changes only they need. Returns the oldest one kept. */
async function removeOldBases(target: BackupTarget, key: Buffer | null): Promise<Base | undefined> {
  const bases = await listBases(target, key, skipUnreadable)
  const newest = bases.slice(-MAX_BASES)
  for (const { name } of bases.slice(0, -MAX_BASES)) {
    await target.remove(infoName(name))
    await target.remove(filesName(name))
  }
  const oldest = newest[0]
  if (oldest === undefined) return undefined
  for (const { name } of await target.list(CHANGES)) if (isBefore(name, oldest)) await target.remove(name)
  return oldest
}

/** Checks whether no base backup from this one on needs a file of the write-ahead log. */
function isBefore(name: BackupFile['name'], { first, timeline }: Base): boolean {
  const segment = parseChange(name)
  return segment !== undefined && segment.timeline <= timeline && segment.number < first
}
