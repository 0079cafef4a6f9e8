import { randomBytes } from 'node:crypto'
import { lchown, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from './binaries.ts'
import type { ServerAccount } from './user.ts'

// A prepared cluster was created, migrated, stopped and packed with tar in advance: unpacking it is faster than
// creating another. As from initdb, each one gets its own identifier and superuser password.

type NewCluster = {
  /** Folder for the data. It doesn't exist yet. */
  data: string
  postgres: string
  password: string
  account: ServerAccount | undefined
  /** Whether to sync everything to the disk at the end. */
  sync: boolean
  /** Called once the first program runs. */
  whileWaiting: () => void
}

/** Packs the data of a stopped cluster into a world-readable file. */
export async function packCluster(data: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const unfinished = await open(`${file}.${process.pid}`, 'w', 0o644)
  try {
    const args = ['-czf', '-', '--exclude=./postmaster.opts', '-C', data, '.']
    await run('tar', args, { streams: ['ignore', unfinished.fd] })
    await unfinished.sync()
  } finally {
    await unfinished.close()
  }
  await rename(`${file}.${process.pid}`, file)
}

/** Creates a cluster from a packed one. Rejects if the file is missing or unusable here. */
export async function unpackCluster(file: string, cluster: NewCluster): Promise<void> {
  const { data, postgres, password, account, sync, whileWaiting } = cluster
  const at = { account, cwd: dirname(data) }
  const archive = await open(file)
  try {
    await mkdir(data, { mode: 0o700 })
    if (account) await lchown(data, account.uid, account.gid)
    const unpacking = run('tar', ['-xzf', '-', '-C', data], { ...at, streams: [archive.fd, 'ignore'] })
    whileWaiting()
    await unpacking
  } finally {
    await archive.close()
  }
  await renewIdentifier(data)
  // Single-user mode: the server runs one statement, and nobody can connect to it.
  const settings = [`fsync=${sync ? 'on' : 'off'}`, 'exit_on_error=on', 'log_min_error_statement=panic']
  const stdin = `alter role postgres password '${password}'\n`
  await run(postgres, ['--single', '-D', data, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'], {
    ...at,
    stdin,
  })
  if (sync) await run('sync', ['-f', data], at)
}

/** Gives a stopped cluster a new identifier, so that the WAL of one cluster is never taken for another's. */
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

/** Matches the name of a WAL segment. Its first page has the cluster's identifier after the page header. */
const SEGMENT = /^[0-9A-F]{24}$/
const IDENTIFIER_AT = 24

/** Returns the number of bytes that the checksum of `pg_control` covers. It follows them. */
function checksummedLength(control: Buffer): number {
  for (let end = 8; end + 4 <= MAX_CONTROL_BYTES; end += 4)
    if (control.readUInt32LE(end) === crc32c(control.subarray(0, end))) return end
  throw new Error('pg_control has no checksum')
}

/** Maximum number of bytes used in `pg_control`. */
const MAX_CONTROL_BYTES = 512

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
