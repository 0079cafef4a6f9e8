import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { unpack } from '../archive/archive.ts'
import { collectBytes } from '../archive/bytes.ts'
import { DamagedArchive } from '../archive/tar.ts'
import type { BackupResult } from '../status.ts'
import { writeBytes, type BackupTarget } from '../target/target.ts'
import { listBases, skipUnreadable, type Base } from './base.ts'
import { CHANGES, changeName, parseChange } from './names.ts'
import { SEGMENT_BYTES, isHistory, lastWithoutGap, parseSegment, type Segment } from './segments.ts'

/** Maximum number of files in one run. */
const MAX_FILES = 64

/**
 * Moves the archived write-ahead log of the embedded server into the backup folder. Never overwrites a file: one of the
 * same name with other bytes is an error. Returns undefined if there was nothing to move.
 */
export async function shipChanges(
  target: BackupTarget,
  spool: string,
  key: Buffer | null,
): Promise<BackupResult | undefined> {
  const startedAt = performance.now()
  const names = (await readdir(spool)).filter((name) => !name.startsWith('.')).sort()
  const shipped = { bytes: 0, asOf: undefined as number | undefined, name: '' }
  const existing = new Set(names.length === 0 ? [] : (await target.list(CHANGES)).map(({ name }) => name))
  for (const name of names.slice(0, MAX_FILES)) {
    const path = join(spool, name)
    if (parseSegment(name) !== undefined || isHistory(name)) {
      const { mtimeMs } = await stat(path)
      shipped.bytes += await shipFile(target, path, { name, key, isThere: existing.has(changeName(name)) })
      Object.assign(shipped, { name: changeName(name), asOf: mtimeMs })
    }
    await rm(path)
  }
  if (shipped.asOf === undefined) return undefined
  const asOf = Temporal.Instant.fromEpochMilliseconds(Math.floor(shipped.asOf)).toString()
  return { asOf, bytes: shipped.bytes, ms: Math.round(performance.now() - startedAt), name: shipped.name }
}

async function shipFile(
  target: BackupTarget,
  path: string,
  { name, key, isThere: exists }: { name: string; key: Buffer | null; isThere: boolean },
): Promise<number> {
  const bytes = await readFile(path)
  // Truncated by a power failure. A new base backup is made after the gap.
  if (parseSegment(name) !== undefined && bytes.length !== SEGMENT_BYTES) return 0
  if (exists) {
    const saved = await readChange(target, changeName(name), key)
    if (saved.equals(bytes)) return 0
    throw new Error(
      `${target.label} has a different ${changeName(name)}: another installation uses it; set BACKUP_TO to a separate folder`,
    )
  }
  const compressed = await promisify(gzip)(bytes, { level: 1 })
  return writeBytes(target, changeName(name), compressed, key)
}

/** Reads a file of the write-ahead log from the backup folder. Throws `DamagedArchive`. */
export async function readChange(target: BackupTarget, name: string, key: Buffer | null): Promise<Buffer> {
  const chunks = await target.read(name)
  if (chunks === undefined) throw new DamagedArchive(`${name} is missing`)
  return collectBytes(unpack(chunks, key), SEGMENT_BYTES)
}

/** Returns the newest of the base backups whose changes are complete; undefined if there is none. */
export async function findUsableBase(target: BackupTarget, bases: readonly Base[]): Promise<Base | undefined> {
  const segments = await listSegments(target)
  return bases.findLast((base) => (lastAfter(segments, base)?.number ?? -1) >= base.last)
}

/** Returns the last change that follows a base backup without a gap. */
const lastAfter = (segments: readonly Segment[], { timeline, first }: Base): Segment | undefined =>
  lastWithoutGap(segments, { timeline, number: first })

const listSegments = async (target: BackupTarget): Promise<Segment[]> =>
  (await target.list(CHANGES)).map(({ name }) => parseChange(name)).filter((segment) => segment !== undefined)

const MAX_AGE_HOURS = 24
/** Hours to wait for the changes of a new base backup before another one is made. */
const MAX_ARRIVAL_HOURS = 1 / 6

/** Checks whether a base backup is due: none is usable, the newest is a day old, or changes after it are missing. */
export async function isBaseDue(target: BackupTarget, key: Buffer | null, now: Temporal.Instant): Promise<boolean> {
  const newest = (await listBases(target, key, skipUnreadable)).at(-1)
  if (newest === undefined) return true
  const hours = now.since(newest.made_at).total('hours')
  if (hours < MAX_ARRIVAL_HOURS) return false
  if (hours >= MAX_AGE_HOURS) return true
  const segments = await listSegments(target)
  const last = lastAfter(segments, newest)
  return (
    last === undefined ||
    segments.some(
      ({ timeline, number }) => timeline > newest.timeline || (timeline === last.timeline && number > last.number),
    )
  )
}
