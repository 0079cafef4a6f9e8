import { randomBytes } from 'node:crypto'
import { lchown, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from './binaries.ts'
import type { ServerAccount } from './user.ts'

// A prepared cluster was made, migrated and stopped before, and packed by tar: that takes less time to unpack than
// another to make. It gets what initdb gives each: an identifier and a superuser's password of its own.

type NewCluster = {
  /** Folder for the data, which there isn't yet. */
  data: string
  postgres: string
  password: string
  account: ServerAccount | undefined
  /** Whether all of it is on the disk at the end. */
  sync: boolean
  /** Called once the first program runs. */
  meanwhile: () => void
}

/** Packs the data of a stopped cluster into a file, which everybody may read. */
export async function packCluster(data: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const unfinished = await open(`${file}.${process.pid}`, 'w', 0o644)
  try {
    const choices = ['-czf', '-', '--exclude=./postmaster.opts', '-C', data, '.']
    await run('tar', choices, { streams: ['ignore', unfinished.fd] })
    await unfinished.sync()
  } finally {
    await unfinished.close()
  }
  await rename(`${file}.${process.pid}`, file)
}

/** Makes a cluster from a packed one. Rejects when there is none, or none that can be used here. */
export async function unpackCluster(file: string, cluster: NewCluster): Promise<void> {
  const { data, postgres, password, account, sync, meanwhile } = cluster
  const at = { account, cwd: dirname(data) }
  const packed = await open(file)
  try {
    await mkdir(data, { mode: 0o700 })
    if (account) await lchown(data, account.uid, account.gid)
    const unpacking = run('tar', ['-xzf', '-', '-C', data], { ...at, streams: [packed.fd, 'ignore'] })
    meanwhile()
    await unpacking
  } finally {
    await packed.close()
  }
  await renewIdentifier(data)
  // A server for one statement, which nobody can connect to.
  const settings = [`fsync=${sync ? 'on' : 'off'}`, 'exit_on_error=on', 'log_min_error_statement=panic']
  const stdin = `alter role postgres password '${password}'\n`
  await run(postgres, ['--single', '-D', data, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'], {
    ...at,
    stdin,
  })
  if (sync) await run('sync', ['-f', data], at)
}

/** Gives a stopped cluster another identifier: no log of changes of one cluster is taken for another's. */
async function renewIdentifier(data: string): Promise<void> {
  const identifier = randomBytes(8)
  const control = await readFile(join(data, 'global/pg_control'))
  const before = Buffer.from(control.subarray(0, identifier.length))
  const end = checksummedLength(control)
  identifier.copy(control)
  control.writeUInt32LE(crc32c(control.subarray(0, end)), end)
  await writeFile(join(data, 'global/pg_control'), control)
  for (const name of await readdir(join(data, 'pg_wal'))) {
    if (!SEGMENT.test(name)) continue
    const segment = await open(join(data, 'pg_wal', name), 'r+')
    try {
      const { buffer } = await segment.read(Buffer.alloc(identifier.length), 0, identifier.length, IDENTIFIER_AT)
      if (buffer.equals(before)) await segment.write(identifier, 0, identifier.length, IDENTIFIER_AT)
    } finally {
      await segment.close()
    }
  }
}

/** Matches the file of a part of the log of changes; its first page names the cluster behind the page's own header. */
const SEGMENT = /^[0-9A-F]{24}$/
const IDENTIFIER_AT = 24

/** Returns how many bytes of `pg_control` its checksum, which follows them, is of. */
function checksummedLength(control: Buffer): number {
  for (let end = 8; end + 4 <= MAX_CONTROL; end += 4)
    if (control.readUInt32LE(end) === crc32c(control.subarray(0, end))) return end
  throw new Error('pg_control has no checksum')
}

/** Bytes of `pg_control` that hold something. */
const MAX_CONTROL = 512

/** Castagnoli's polynomial, reflected. */
const POLYNOMIAL = 0x82f63b78

function crc32c(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  }
  return ~crc >>> 0
}
